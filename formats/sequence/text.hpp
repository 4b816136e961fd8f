// Small helpers on text fields of sequence files.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace gpuhmm::text {

constexpr std::string_view kWhiteSpace = " \t\n\v\f\r";
constexpr std::string_view kDigits = "0123456789";
/// The gap characters of alignments besides blanks (docs/spec/alphabet-sequences.md, 2.4).
constexpr std::string_view kGaps = "._-~";

inline std::string_view trim_left(std::string_view text, std::string_view blanks = kWhiteSpace) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text;
}

inline std::string_view trim_right(std::string_view text) {
  return text.substr(0, text.find_last_not_of(kWhiteSpace) + 1);
}

inline std::string_view trim(std::string_view text) { return trim_right(trim_left(text)); }

inline bool blank(std::string_view text) {
  return text.find_first_not_of(kWhiteSpace) == std::string_view::npos;
}

/// The text from column `column` (from 0) on; empty if the line is shorter.
inline std::string_view from_column(std::string_view line, std::size_t column) {
  return line.substr(std::min(column, line.size()));
}

/// Takes the first word off `text`, and the blanks before it.
inline std::string_view take_word(std::string_view& text) {
  text = trim_left(text);
  const std::string_view word = text.substr(0, text.find_first_of(kWhiteSpace));
  text.remove_prefix(word.size());
  return word;
}

inline std::string_view first_word(std::string_view text) { return take_word(text); }

/// HMMER does not keep accessions and descriptions that begin with "-": they say that there is none.
inline std::string_view unless_dash(std::string_view field) {
  return field.starts_with('-') ? std::string_view() : field;
}

}  // namespace gpuhmm::text
