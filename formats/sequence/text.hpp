// Small helpers on text fields of sequence files.
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

/// Takes the first word off `text`, and the blanks before it.
inline std::string_view take_word(std::string_view& text) {
  text = trim_left(text);
  const std::string_view word = text.substr(0, text.find_first_of(kWhiteSpace));
  text.remove_prefix(word.size());
  return word;
}

inline std::string_view first_word(std::string_view text) { return take_word(text); }

/// Accessions and descriptions are kept as texts that are empty if there is none. HMMER tells a description
/// without text from none: a text of nothing but blanks, be it empty, is kept with one blank more.
inline std::string kept(std::string text) {
  if (text.find_first_not_of(' ') == std::string::npos) text += ' ';
  return text;
}

/// The text that was kept; nothing if there is none.
inline std::optional<std::string_view> text_of(std::string_view kept) {
  if (kept.empty()) return std::nullopt;
  if (kept.find_first_not_of(' ') == std::string_view::npos) kept.remove_prefix(1);
  return kept;
}

/// A field without what HMMER takes off: blanks at the left, any white space at the right.
inline std::string_view trim_field(std::string_view field) { return trim_right(trim_left(field, " ")); }

/// What is kept of an accession or description that stands in a file. One that begins with "-" says that
/// there is none.
inline std::string kept_field(std::string_view field) {
  field = trim_field(field);
  return field.starts_with('-') ? std::string() : kept(std::string(field));
}

}  // namespace gpuhmm::text
