// Splits text profile files into lines and words.
#include "formats/profile/text_lines.hpp"

#include <algorithm>

namespace gpuhmm {

namespace {

constexpr std::string_view kWhiteSpace = " \t\n\v\f\r";

// True for the characters of kWhiteSpace; written out for speed.
bool is_white(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace

std::string_view trim_end(std::string_view text) {
  return text.substr(0, text.find_last_not_of(kWhiteSpace) + 1);
}

bool TextLines::next() {
  if (rest_.empty()) {
    if (!reader_.next(rest_)) return false;
    if (rest_.find('\0') != std::string_view::npos) fail("holds a zero byte; expected text");
    if (consumed() - record_begin_ > kLongestRecord) {
      fail("the profile takes more than " + std::to_string(kLongestRecord) + " bytes, the most allowed");
    }
  }
  line_ = rest_.substr(0, longest_);
  rest_.remove_prefix(line_.size());
  return true;
}

void TextLines::next_of(std::string_view part) {
  if (!next()) fail("the file ends in " + std::string(part));
}

const std::vector<std::string_view>& TextLines::words(std::string_view text, std::string_view what,
                                                      std::size_t least, std::size_t most) {
  words_.clear();
  for (auto at = text.begin();;) {
    const auto start = std::find_if_not(at, text.end(), is_white);
    if (start == text.end()) break;
    at = std::find_if(start, text.end(), is_white);
    words_.emplace_back(start, at);
  }
  if (words_.size() < least || words_.size() > most) {
    fail(std::string(what) + " has " + std::to_string(words_.size()) + " fields; expected " +
         std::to_string(words_.size() < least ? least : most));
  }
  return words_;
}

void TextLines::fail(const std::string& complaint) const {
  throw FileError(reader_.name() + ", line " + std::to_string(reader_.number()) + ": " + complaint);
}

}  // namespace gpuhmm
