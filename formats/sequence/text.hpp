// Helpers for text fields of sequence files.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
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

/// Removes the first word from `text`, with the blanks before it; returns the word.
inline std::string_view take_word(std::string_view& text) {
  text = trim_left(text);
  const std::string_view word = text.substr(0, text.find_first_of(kWhiteSpace));
  text.remove_prefix(word.size());
  return word;
}

inline std::string_view first_word(std::string_view text) { return take_word(text); }

/// Encodes an accession or description so that an empty string can mean that there is none. HMMER
/// distinguishes a text of no or only blank characters from none, so such a text gets one more blank.
inline std::string kept(std::string text) {
  if (text.find_first_not_of(' ') == std::string::npos) text += ' ';
  return text;
}

/// The text that kept() encoded; nothing if there is none.
inline std::optional<std::string_view> text_of(std::string_view kept) {
  if (kept.empty()) return std::nullopt;
  if (kept.find_first_not_of(' ') == std::string_view::npos) kept.remove_prefix(1);
  return kept;
}

/// A field as HMMER trims it: without blanks on the left and any white space on the right.
inline std::string_view trim_field(std::string_view field) { return trim_right(trim_left(field, " ")); }

/// Encodes an accession or description of a file by kept(). One that begins with "-" means that there is
/// none.
inline std::string kept_field(std::string_view field) {
  field = trim_field(field);
  return field.starts_with('-') ? std::string() : kept(std::string(field));
}

}  // namespace gpuhmm::text
