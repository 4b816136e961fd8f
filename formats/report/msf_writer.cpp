// Writes MSF alignments. How HMMER 2.3.2 writes names, gaps and the kind of sequences was found by running it
// (docs/spec/alignment.md, 11.3).
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string>

#include "formats/sequence/letters_guess.hpp"
#include "gpuhmm/alignment.hpp"
#include "util/format.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kBlock = 50;  // columns
constexpr std::size_t kGroup = 10;  // columns between blanks
constexpr std::string_view kGaps = ".-";

// The kind of an alignment: protein if any row is protein, else RNA if any row is RNA, else DNA.
Letters guess(const std::vector<AlignmentRow>& rows) {
  Letters all = Letters::Dna;
  for (const AlignmentRow& row : rows) {
    const Letters one = guess_letters(row.text);
    if (one == Letters::Protein) return one;
    if (one == Letters::Rna) all = one;
  }
  return all;
}

// Replaces all characters but letters, digits and '-' by '_'.
std::string name_for_msf(std::string name) {
  for (char& c : name) {
    const bool kept =
        static_cast<signed char>(c) > 0 && (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-');
    if (!kept) c = '_';
  }
  return name;
}

// '~' for the gaps at both ends, '.' for those between residues.
std::string gaps_for_msf(std::string row) {
  const std::size_t first = std::min(row.find_first_not_of(kGaps), row.size());
  const std::size_t end = row.find_last_not_of(kGaps) + 1;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (kGaps.find(row[i]) != std::string_view::npos) row[i] = i < first || i >= end ? '~' : '.';
  }
  return row;
}

// Numbers of the first and the last column of a block; the last one only if there is more than one group.
std::string ruler(std::size_t first, std::size_t size) {
  constexpr std::size_t kFirst = 6;  // characters
  const std::string start = pad_right(std::to_string(first), kFirst);
  if (size <= kGroup) return start;
  const std::size_t width = size + (size - 1) / kGroup;
  return start + pad_left(std::to_string(first + size - 1), width - kFirst);
}

std::string grouped(std::string_view columns) {
  std::string text;
  for (std::size_t at = 0; at < columns.size(); at += kGroup) {
    if (at > 0) text += ' ';
    text += columns.substr(at, kGroup);
  }
  return text;
}

}  // namespace

int gcg_checksum(std::string_view row) {
  constexpr std::size_t kWeights = 57;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    sum += (i % kWeights + 1) * static_cast<std::uint64_t>(std::toupper(static_cast<unsigned char>(row[i])));
  }
  return static_cast<int>(sum % 10000);
}

int gcg_checksum(const std::vector<AlignmentRow>& rows) {
  std::int64_t sum = 0;
  for (const AlignmentRow& row : rows) sum += gcg_checksum(row.text);
  return static_cast<int>(sum % 10000);
}

void write_msf(const TextSink& out, const MultipleAlignment& alignment, std::string_view date) {
  const Letters letters = guess(alignment.rows);
  const std::size_t columns = alignment.reference.size();
  std::vector<AlignmentRow> rows;
  std::size_t label = 0;
  for (const AlignmentRow& row : alignment.rows) {
    rows.push_back({name_for_msf(row.name), {}, {}, gaps_for_msf(row.text)});
    label = std::max(label, row.name.size());
  }
  out(letters == Letters::Protein ? "!!AA_MULTIPLE_ALIGNMENT 1.0\n" : "!!NA_MULTIPLE_ALIGNMENT 1.0\n");
  out(format(" squid.msf  MSF: %zu  Type: %c  %s  Check: %d  ..\n\n", columns,
             letters == Letters::Rna ? 'N' : 'P', std::string(date).c_str(), gcg_checksum(rows)));
  for (const AlignmentRow& row : rows) {
    out(" Name: " + pad_right(row.name, label) +
        format("  Len:  %5zu  Check: %4d  Weight: 1.00\n", columns, gcg_checksum(row.text)));
  }
  out("\n//\n");
  for (std::size_t at = 0; at < columns; at += kBlock) {
    const std::size_t size = std::min(kBlock, columns - at);
    out("\n" + pad_right("", label + 2) + ruler(at + 1, size) + "\n");
    for (const AlignmentRow& row : rows) {
      out(pad_right(row.name, label + 2) + grouped(std::string_view(row.text).substr(at, size)) + "\n");
    }
  }
}

}  // namespace gpuhmm
