// Lines and words of a text profile file, with strict numbers and errors that name file and line.
#pragma once

#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "gpuhmm/error.hpp"
#include "gpuhmm/input.hpp"

namespace gpuhmm {

/// `text` without the white space at its end.
std::string_view trim_end(std::string_view text);

/// The current line of a text profile file.
class TextLines {
 public:
  /// The longest line of a file and the longest text of a profile, in bytes (docs/limits.md): several times
  /// those of a profile of kLongestProfile nodes.
  static constexpr std::size_t kLongestLine = std::size_t{16} << 20, kLongestRecord = std::size_t{128} << 20;

  /// Splits lines longer than `longest` characters into several, as a reader with a fixed buffer does.
  explicit TextLines(Input& input, std::size_t longest = std::numeric_limits<std::size_t>::max())
      : reader_(input, kLongestLine), longest_(longest) {}

  /// Goes to the next line; false at the end of the file. Throws FileError on a zero byte and when the
  /// profile is longer than kLongestRecord.
  bool next();
  /// A profile begins at the current line.
  void begin_record() { record_begin_ = consumed(); }
  /// Goes to the next line; throws FileError at the end of the file, naming the `part` that it ends.
  void next_of(std::string_view part);

  /// The current line without its newline. Valid until the next one.
  std::string_view line() const { return line_; }
  /// Splits `text`, which is part of the current line, into words. Throws FileError that names `what` the
  /// text is unless it has `least` to `most` words. Valid until the next call.
  const std::vector<std::string_view>& words(std::string_view text, std::string_view what, std::size_t least,
                                             std::size_t most = std::numeric_limits<std::size_t>::max());

  /// Converts all of `word` to a number. Throws FileError that names `what` the number is for anything else,
  /// for infinity, and for a number out of the type's range.
  template <class Number>
  Number number(std::string_view word, std::string_view what) const;

  /// Bytes of the file up to the end of the current line.
  std::uint64_t consumed() const { return reader_.consumed(); }

  /// Throws FileError: file, current line, complaint.
  [[noreturn]] void fail(const std::string& complaint) const;

 private:
  LineReader reader_;
  std::size_t longest_;
  std::uint64_t record_begin_ = 0;  // bytes of the file before the profile's second line
  std::string_view line_;
  std::string_view rest_;  // of the line in the file, after line_
  std::vector<std::string_view> words_;
};

template <class Number>
Number TextLines::number(std::string_view word, std::string_view what) const {
  Number value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  bool usable = error == std::errc{} && end == word.data() + word.size();
  if constexpr (std::numeric_limits<Number>::has_infinity) {
    usable = usable && value - value == 0;
  }
  if (!usable) {
    fail(std::string(what) + " is '" + std::string(word) + "'; expected " +
         (std::numeric_limits<Number>::is_integer ? "an integer" : "a decimal number"));
  }
  return value;
}

}  // namespace gpuhmm
