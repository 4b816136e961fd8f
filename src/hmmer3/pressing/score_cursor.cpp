// Checks and messages of ScoreCursor.
#include "hmmer3/pressing/score_cursor.hpp"

#include "hmmer3/pressing/score_layout.hpp"

namespace gpuhmm::hmmer3 {

namespace {

/// Upper limit of a string's length in bytes.
constexpr std::int32_t kLongestText = 1 << 24;

}  // namespace

void ScoreCursor::fail(const std::string& complaint, std::string_view hmmer3_words) const {
  throw ProfileFileError(file_ + ", profile " + std::to_string(record_) + ", near byte " +
                             std::to_string(start_ + at_) + ": " + complaint + "; press the profiles again",
                         record_ == 1
                             ? "bad format, binary auxfiles, " + library_ + ":\n" + std::string(hmmer3_words)
                             : "bad file format in HMM file " + library_);
}

void ScoreCursor::fail_at_end(std::string_view hmmer3_words) const {
  fail("the file ends in the middle of a profile", hmmer3_words);
}

std::string_view ScoreCursor::text(std::string_view what, bool absent_if_empty,
                                   std::string_view words_if_partly) {
  const std::int32_t size = integer(std::string(what) + " length");
  if (size < 0 || size > kLongestText) {
    fail("the length of the " + std::string(what) + " is " + std::to_string(size) + "; expected 0 to " +
             std::to_string(kLongestText),
         "failed to read " + std::string(what));
  }
  if (size == 0 && absent_if_empty) return {};
  const auto length = static_cast<std::size_t>(size);
  const std::string_view bytes(take_items(length + 1, 1, what, words_if_partly), length + 1);
  if (bytes.find('\0') != length) {
    fail("the " + std::string(what) + " does not end with its only zero byte", kNoSentinel);
  }
  return bytes.substr(0, length);
}

const char* ScoreCursor::rows(std::size_t codes, std::size_t row_size, std::string_view what,
                              AlphabetKind alphabet, std::string_view words_if_partly) {
  if (left() >= codes * row_size) return take(codes * row_size, what);
  const std::size_t code = left() / row_size + (left() % row_size >= kVectorBytes ? 1 : 0);
  if (code == codes) fail_at_end(words_if_partly);
  fail_at_end("failed to read " + std::string(what) + " scores at " + std::to_string(code) + " [residue " +
              Alphabet::get(alphabet).letter(static_cast<std::uint8_t>(code)) + "]");
}

}  // namespace gpuhmm::hmmer3
