// Hydrophobic regions of proteins: the maximal segments of their residues' scores.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "companion/segments/scales.hpp"
#include "companion/segments/segment.hpp"
#include "gpuhmm/sequence.hpp"

namespace gpuhmm {

/// A region of residues [begin, end), counted from 0, with its score in units of ResidueScores.
using Region = Segment<std::int64_t>;

/// Which of the maximal segments are reported.
struct RegionFilter {
  std::int64_t min_score = 0;       // in units of ResidueScores
  std::uint64_t min_length = 1;     // residues
  std::uint64_t most = UINT64_MAX;  // the highest-scoring ones of a sequence; of equal ones the first

  /// True if only the best segment of a sequence is asked for, if it scores enough.
  bool only_best() const { return most == 1 && min_length <= 1; }
};

/// All maximal segments of a sequence that score at least `least` (and perhaps some that score less, if it is
/// above 1), in order. None crosses a residue that ends a part.
std::vector<Region> all_regions(std::span<const std::uint8_t> residues, const ResidueScores& scores,
                                std::int64_t least = 1);
/// The best segment of a sequence, the first of the highest-scoring maximal ones; empty if no residue scores
/// above 0.
Region best_region(std::span<const std::uint8_t> residues, const ResidueScores& scores);
/// Leaves those that pass the filter, in order.
void filter_regions(std::vector<Region>& regions, const RegionFilter& filter);

/// The regions of a sequence that pass the filter, in order.
std::vector<Region> find_regions(std::span<const std::uint8_t> residues, const ResidueScores& scores,
                                 const RegionFilter& filter);
/// Puts the regions of sequences [first, last) of a batch, found by `threads` threads, to their places in
/// `found`.
void find_regions(const SequenceBatch& batch, std::size_t first, std::size_t last,
                  const ResidueScores& scores, const RegionFilter& filter, unsigned threads,
                  std::vector<std::vector<Region>>& found);
/// The regions of each sequence of a batch.
std::vector<std::vector<Region>> find_regions(const SequenceBatch& batch, const ResidueScores& scores,
                                              const RegionFilter& filter, unsigned threads);

}  // namespace gpuhmm
