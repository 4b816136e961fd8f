// Finds hydrophobic regions of proteins: the maximal segments of their residues' scores.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "companion/segments/scales.hpp"
#include "companion/segments/segment.hpp"
#include "gpuhmm/sequence.hpp"

namespace gpuhmm {

/// Residues [begin, end), counted from 0. The score is in units of ResidueScores.
using Region = Segment<std::int64_t>;

/// Selects the maximal segments to report.
struct RegionFilter {
  std::int64_t min_score = 0;       // in units of ResidueScores
  std::uint64_t min_length = 1;     // residues
  std::uint64_t most = UINT64_MAX;  // regions of a sequence, those of highest score

  /// True if at most the best segment of a sequence is wanted: best_region then suffices.
  bool only_best() const { return most == 1 && min_length <= 1; }
};

/// All maximal segments of a sequence that score at least `least`, in order; if `least` is above 1, others
/// may be among them. No segment contains a residue of ResidueScores::ends_part.
std::vector<Region> all_regions(std::span<const std::uint8_t> residues, const ResidueScores& scores,
                                std::int64_t least = 1);
/// The best segment of a sequence: the first of the maximal segments with the highest score. Empty if no
/// residue scores above 0.
Region best_region(std::span<const std::uint8_t> residues, const ResidueScores& scores);
/// Removes the regions that do not pass the filter; the others stay in order.
void filter_regions(std::vector<Region>& regions, const RegionFilter& filter);

/// The regions of a sequence that pass the filter, in order.
std::vector<Region> find_regions(std::span<const std::uint8_t> residues, const ResidueScores& scores,
                                 const RegionFilter& filter);
/// Finds the regions of sequences [first, last) of a batch on `threads` threads and stores them in
/// `found[first]` up to `found[last - 1]`.
void find_regions(const SequenceBatch& batch, std::size_t first, std::size_t last,
                  const ResidueScores& scores, const RegionFilter& filter, unsigned threads,
                  std::vector<std::vector<Region>>& found);
/// The regions of each sequence of a batch, found on `threads` threads.
std::vector<std::vector<Region>> find_regions(const SequenceBatch& batch, const ResidueScores& scores,
                                              const RegionFilter& filter, unsigned threads);

}  // namespace gpuhmm
