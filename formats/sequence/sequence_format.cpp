// Names and detection of sequence formats. Detects what HMMER 2.3.2 detects
// (docs/spec/alphabet-sequences.md, 2.4) and more headers of Clustal's format.
#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "formats/sequence/text.hpp"
#include "gpuhmm/sequence_file.hpp"

namespace gpuhmm {

namespace {

constexpr std::array<std::pair<SequenceFormat, std::string_view>, 13> kNames = {{
    {SequenceFormat::Fasta, "fasta"},
    {SequenceFormat::Embl, "embl"},
    {SequenceFormat::Genbank, "genbank"},
    {SequenceFormat::Pir, "pir"},
    {SequenceFormat::Gcg, "gcg"},
    {SequenceFormat::GcgData, "gcgdata"},
    {SequenceFormat::Stockholm, "stockholm"},
    {SequenceFormat::Clustal, "clustal"},
    {SequenceFormat::Msf, "msf"},
    {SequenceFormat::Selex, "selex"},
    {SequenceFormat::A2m, "a2m"},
    {SequenceFormat::Phylip, "phylip"},
    {SequenceFormat::Afa, "afa"},
}};

constexpr int kMaxLines = 300;

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool is_number(std::string_view word) {
  return !word.empty() && word.find_first_not_of(text::kDigits) == std::string_view::npos;
}

/// The format that the first line with text determines.
std::optional<SequenceFormat> format_of_first_line(std::string_view line) {
  if (line.starts_with(">>>>") && contains(line, "Len: ")) return SequenceFormat::GcgData;
  if (line.starts_with(">")) return SequenceFormat::Fasta;
  if (line.starts_with("!!AA_SEQUENCE") || line.starts_with("!!NA_SEQUENCE")) return SequenceFormat::Gcg;
  if (line.starts_with("# STOCKHOLM 1.")) return SequenceFormat::Stockholm;
  if (line.starts_with("CLUSTAL") || contains(line, "multiple sequence alignment"))
    return SequenceFormat::Clustal;
  if (line.starts_with("!!AA_MULTIPLE_ALIGNMENT") || line.starts_with("!!NA_MULTIPLE_ALIGNMENT")) {
    return SequenceFormat::Msf;
  }
  const std::string_view first = text::take_word(line), second = text::take_word(line);
  if (is_number(first) && is_number(second)) return SequenceFormat::Phylip;
  return std::nullopt;
}

/// The format that any line may determine.
std::optional<SequenceFormat> format_of_line(std::string_view line) {
  for (const std::string_view tag : {"AU", "ID", "AC", "DE", "GA", "TC", "NC", "SQ", "SS", "CS", "RF"}) {
    if (line.starts_with("#=") && line.substr(2).starts_with(tag)) return SequenceFormat::Selex;
  }
  if (line.starts_with("///") || line.starts_with("ENTRY ")) return SequenceFormat::Pir;
  if (contains(line, "..") && contains(line, "MSF:") && contains(line, "Check:")) return SequenceFormat::Msf;
  if (contains(line, "..") && contains(line, " Check: ")) return SequenceFormat::Gcg;
  if (line.starts_with("LOCUS ") || line.starts_with("ORIGIN ")) return SequenceFormat::Genbank;
  if (line.starts_with("ID   ") || line.starts_with("SQ   ")) return SequenceFormat::Embl;
  return std::nullopt;
}

/// True for a possible row of a SELEX alignment: a name, then only residues and gaps.
bool looks_like_selex_row(std::string_view line) {
  text::take_word(line);
  line = text::trim(line);
  const auto fits = [](unsigned char c) {
    return (std::isalpha(c) != 0 && c != 'J' && c != 'j' && c != 'O' && c != 'o') ||
           std::string_view(" ._-~*").find(static_cast<char>(c)) != std::string_view::npos;
  };
  return !line.empty() && std::all_of(line.begin(), line.end(), fits);
}

}  // namespace

std::string_view name_of(SequenceFormat format) { return kNames[static_cast<std::size_t>(format)].second; }

std::optional<SequenceFormat> sequence_format_from_name(std::string_view name) {
  for (const auto& [format, known] : kNames) {
    if (text::same_in_lower_case(name, known)) return format;
  }
  return std::nullopt;
}

std::string sequence_format_names() {
  std::string names;
  for (const auto& [format, name] : kNames) names.append(names.empty() ? "" : ", ").append(name);
  return names;
}

std::optional<SequenceFormat> detect_sequence_format(std::string_view head) {
  const std::size_t last_newline = head.rfind('\n');
  bool first = true, any_row = false, only_rows = true;
  for (int lines = 0; !head.empty() && lines < kMaxLines;) {
    const std::size_t length = std::min(head.find('\n'), head.size());
    const std::string_view line = head.substr(0, length);
    // The last line may be incomplete; it counts only if it is the only one.
    const bool whole = length < head.size() || last_newline == std::string_view::npos;
    head.remove_prefix(std::min(length + 1, head.size()));
    if (text::blank(line)) continue;
    ++lines;
    if (std::exchange(first, false)) {
      if (const auto format = format_of_first_line(line)) return format;
    }
    if (const auto format = format_of_line(line)) return format;
    const bool comment = line.starts_with('#') || line.starts_with('%');
    if (comment || !whole) continue;
    const bool row = looks_like_selex_row(line);
    any_row = any_row || row;
    only_rows = only_rows && row;
  }
  if (any_row && only_rows) return SequenceFormat::Selex;
  return std::nullopt;
}

}  // namespace gpuhmm
