// Rows of an alignment with the coordinates of their ends.
#include "formats/report/hmmer3_alignment_block.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "util/format.hpp"

namespace gpuhmm::hmmer3 {
namespace {

constexpr std::int64_t kFewestColumns = 40;

/// Columns of a piece.
std::size_t piece_columns(std::size_t columns, std::size_t beside, std::optional<int> width) {
  if (!width) return columns;
  const std::int64_t room = *width - static_cast<std::int64_t>(beside);
  if (room >= static_cast<std::int64_t>(columns)) return columns;
  return static_cast<std::size_t>(std::max(room, kFewestColumns));
}

std::int64_t count_other_than(std::string_view row, char gap) {
  return static_cast<std::int64_t>(row.size()) - std::count(row.begin(), row.end(), gap);
}

}  // namespace

void write_alignment_block(const TextSink& out, const Domain& domain, std::string_view model_name,
                           std::string_view sequence_name, std::optional<int> width) {
  const AlignmentRows& rows = domain.rows;
  const std::size_t columns = rows.model.size();
  const std::size_t name_width = std::max(model_name.size(), sequence_name.size());
  std::size_t number_width = 0;
  for (const std::int64_t number : {std::int64_t{domain.model_from}, std::int64_t{domain.model_to},
                                    domain.alignment_from, domain.alignment_to}) {
    number_width = std::max(number_width, std::to_string(number).size());
  }
  const std::size_t step = piece_columns(columns, name_width + 2 * number_width + 5, width);
  const std::string indent(2 + name_width + 1 + number_width + 1, ' ');

  std::int64_t node = domain.model_from;
  std::int64_t residue = domain.alignment_from;
  for (std::size_t start = 0; start < columns; start += step) {
    const auto piece = [&](const std::string& row) { return std::string_view(row).substr(start, step); };
    const auto note = [&](const std::string& row, const char* label) {
      out(indent + std::string(piece(row)) + label);
    };
    const auto numbered = [&](std::string_view name, const std::string& first, std::string_view text,
                              const std::string& last) {
      out("  " + pad_left(name, name_width) + " " + pad_left(first, number_width) + " " + std::string(text) +
          " " + last + "\n");
    };
    if (start > 0) out("\n");
    if (!rows.cs.empty()) note(rows.cs, " CS\n");
    if (!rows.rf.empty()) note(rows.rf, " RF\n");
    const std::int64_t nodes = count_other_than(piece(rows.model), '.');
    numbered(model_name, std::to_string(node), piece(rows.model),
             pad_right(std::to_string(node + nodes - 1), number_width));
    note(rows.middle, "\n");
    const std::int64_t residues = count_other_than(piece(rows.sequence), '-');
    if (residues > 0) {
      numbered(sequence_name, std::to_string(residue), piece(rows.sequence),
               pad_right(std::to_string(residue + residues - 1), number_width));
    } else {
      numbered(sequence_name, "-", piece(rows.sequence), pad_left("-", number_width));
    }
    note(rows.posterior, " PP\n");
    node += nodes;
    residue += residues;
  }
}

}  // namespace gpuhmm::hmmer3
