// Writes regions of sequences as TSV, GFF3, BED, JSON, or in TMHMM's output formats.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "companion/segments/regions.hpp"

namespace gpuhmm {

/// The output formats (docs/segments.md).
enum class RegionFormat { Tsv, Gff3, Bed, Json, Tmhmm, TmhmmShort };

/// The format called `name` (tsv, gff3, bed, json, tmhmm, tmhmm-short); nothing for other names.
std::optional<RegionFormat> region_format_of(std::string_view name);

/// How the regions were found, for the remarks of the output; numbers are text as the user wrote them.
struct RegionStyle {
  std::string scale, shift, min_score;
  std::uint64_t min_length = 1;
  int decimals = 0;                           // decimals of scores
  bool list_empty = false;                    // TSV: also write a line for a sequence without regions
  std::string title = "hydrophobic regions";  // TSV: what the regions are
  std::string gff3_type = "hydrophobic_region_of_peptide";  // a term of the Sequence Ontology
  std::string bed_name = "hydrophobic";                     // BED: the name of every region
};

/// Writes the regions of one sequence after the other to `out`. docs/segments.md describes the columns.
class RegionWriter {
 public:
  using Sink = std::function<void(std::string_view)>;

  RegionWriter(Sink out, RegionFormat format, RegionStyle style);

  /// Writes the header.
  void begin();
  /// Writes the regions, in order, of sequence `name` of `length` residues.
  void add(std::string_view name, std::uint64_t length, std::span<const Region> regions);

 private:
  void add_tsv(std::string_view name, std::span<const Region> regions);
  void add_gff3(std::string_view name, std::uint64_t length, std::span<const Region> regions);
  void add_bed(std::string_view name, std::span<const Region> regions);
  void add_json(std::string_view name, std::uint64_t length, std::span<const Region> regions);
  void add_tmhmm(std::string_view name, std::uint64_t length, std::span<const Region> regions);

  Sink out_;
  RegionFormat format_;
  RegionStyle style_;
};

/// `units` * 10^-decimals, exactly, with all decimals: fixed_text(-150, 2) is "-1.50".
std::string fixed_text(std::int64_t units, int decimals);

}  // namespace gpuhmm
