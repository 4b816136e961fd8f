// Regions of sequences as TSV, GFF3, BED, JSON, or in the form of TMHMM's output.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "companion/segments/regions.hpp"

namespace gpuhmm {

/// The forms of output; docs/segments.md describes them.
enum class RegionFormat { Tsv, Gff3, Bed, Json, Tmhmm, TmhmmShort };

/// The format of that name (tsv, gff3, bed, json, tmhmm, tmhmm-short), or nothing.
std::optional<RegionFormat> region_format_of(std::string_view name);

/// What the output says of how the regions were found; numbers as text.
struct RegionStyle {
  std::string scale, shift, min_score;
  std::uint64_t min_length = 1;
  int decimals = 0;                                         // of scores
  bool list_empty = false;                                  // TSV: a line for a sequence without regions, too
  std::string title = "hydrophobic regions";                // TSV: what the regions are
  std::string gff3_type = "hydrophobic_region_of_peptide";  // a term of the Sequence Ontology
  std::string bed_name = "hydrophobic";                     // name of each region
};

/// Writes one sequence after the other; docs/segments.md describes the columns.
class RegionWriter {
 public:
  using Sink = std::function<void(std::string_view)>;

  RegionWriter(Sink out, RegionFormat format, RegionStyle style);

  /// What stands before the first sequence.
  void begin();
  /// A sequence of `length` residues and its regions in order.
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

/// `units` * 10^-decimals, exactly.
std::string fixed_text(std::int64_t units, int decimals);

}  // namespace gpuhmm
