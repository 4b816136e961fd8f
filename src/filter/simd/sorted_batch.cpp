// Sorts a batch by length and splits it into pieces of work.
#include "filter/simd/sorted_batch.hpp"

#include <algorithm>

#include "filter/simd/workspace.hpp"
#include "simd/instruction_set.hpp"

namespace gpuhmm::simd {

namespace {

// Large enough that a thread's set-up does not matter, small enough to load all threads evenly.
constexpr std::size_t kResiduesPerPiece = 8192;

}  // namespace

SortedBatch::SortedBatch(const SequenceSet& sequences)
    : sequences_(sequences), order_(longest_first(sequences)) {
  std::size_t residues = kResiduesPerPiece;  // of the piece being filled
  const std::size_t group = kVectorsAtOnce * std::max<std::size_t>(vector_bytes(), 32) / 16;
  for (std::size_t first = 0; first < order_.size(); first += group) {
    const std::size_t last = std::min(first + group, order_.size());
    const std::size_t longest = sequences.length(order_[first]);
    const std::size_t shortest = sequences.length(order_[last - 1]);
    const bool even = last - first == group && longest < 2 * shortest;
    if (residues >= kResiduesPerPiece || pieces_.back().even != even) {
      pieces_.push_back({first, last, even});
      residues = 0;
    }
    pieces_.back().last = last;
    residues += longest * (last - first);
  }
}

}  // namespace gpuhmm::simd
