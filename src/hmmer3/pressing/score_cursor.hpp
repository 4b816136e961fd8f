// Reads numbers and strings of .h3f and .h3p one after another.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "formats/profile/hmmer2_binary_layout.hpp"
#include "gpuhmm/hmmer3_profile_file.hpp"

namespace gpuhmm::hmmer3 {

/// A place in a file of a pressed database. What is read has a name, which HMMER3 prints if it is not there.
class ScoreCursor {
 public:
  /// `file`: its path; `library`: that of the database. Both must outlive this. `bytes` are those of the file
  /// from byte `start` on; the cursor begins `at` bytes behind, where record number `record` (from 1) is.
  ScoreCursor(const std::string& file, const std::string& library, std::string_view bytes,
              std::uint64_t start, std::size_t at, std::size_t record)
      : file_(file), library_(library), bytes_(bytes), start_(start), at_(at), record_(record) {}

  /// The next bytes. Throws ProfileFileError if the file ends before.
  const char* take(std::size_t size, std::string_view what) { return take_items(size, size, what, {}); }
  /// The same for items of `item` bytes. HMMER3 misses them only if the first one is not there; if others are
  /// missing, it says `words_if_partly`, which is what it misses next.
  const char* take_items(std::size_t size, std::size_t item, std::string_view what,
                         std::string_view words_if_partly) {
    if (left() < size) fail_at_end(left() < item ? "failed to read " + std::string(what) : words_if_partly);
    const char* const taken = bytes_.data() + at_;
    at_ += size;
    return taken;
  }
  std::uint32_t word(std::string_view what) { return decode_word(take(4, what), ByteOrder::Little); }
  std::int32_t integer(std::string_view what) { return std::bit_cast<std::int32_t>(word(what)); }
  float real(std::string_view what) { return std::bit_cast<float>(word(what)); }
  std::uint8_t byte(std::string_view what) { return static_cast<std::uint8_t>(*take(1, what)); }
  /// A string and its zero, behind its length; nothing follows length 0 if `absent_if_empty`. Throws
  /// ProfileFileError if there is another zero or none. For `words_if_partly` see take_items().
  std::string_view text(std::string_view what, bool absent_if_empty, std::string_view words_if_partly);
  /// A row of `row_size` bytes, of vectors, for each residue code.
  const char* rows(std::size_t codes, std::size_t row_size, std::string_view what, AlphabetKind alphabet,
                   std::string_view words_if_partly);

  /// Goes to a byte of the file. Throws ProfileFileError if the file ends before.
  void move_to(std::uint64_t byte) {
    if (byte - start_ > bytes_.size()) fail_at_end("");
    at_ = static_cast<std::size_t>(byte - start_);
  }

  std::size_t left() const { return bytes_.size() - at_; }
  std::size_t at() const { return at_; }

  /// Throws ProfileFileError. `hmmer3_words`: what HMMER3 says of the first record.
  [[noreturn]] void fail(const std::string& complaint, std::string_view hmmer3_words) const;

 private:
  [[noreturn]] void fail_at_end(std::string_view hmmer3_words) const;

  const std::string &file_, &library_;
  std::string_view bytes_;
  std::uint64_t start_;
  std::size_t at_, record_;
};

}  // namespace gpuhmm::hmmer3
