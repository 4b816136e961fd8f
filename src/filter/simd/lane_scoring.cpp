// Distributes the sequences of a batch over threads, and those of a thread over its SIMD lanes.
#include "filter/simd/lane_scoring.hpp"

#include <algorithm>

#include "filter/simd/lane_sequences.hpp"
#include "util/parallel.hpp"

namespace gpuhmm::simd {

bool fills_lanes(const SequenceSet& sequences, std::span<const std::size_t> longest_first) {
  constexpr std::size_t kMostLanesOfOne = 4;
  return longest_first.size() >= kLaneCount && has_lane_kernel() &&
         sequences.length(longest_first.front()) * kLaneCount <= kMostLanesOfOne * sequences.residue_count();
}

std::vector<std::int16_t> score_in_lanes(const LaneModel& model, const SequenceSet& sequences,
                                         std::span<const std::size_t> longest_first, unsigned threads) {
  std::vector<std::int16_t> best(sequences.size());
  // Sequences go to the shares in turn, so that each share has long and short ones.
  const std::size_t shares = std::min<std::size_t>(threads, longest_first.size() / kLaneCount);
  parallel_for(threads, shares, 1, [&](std::size_t share, std::size_t) {
    // Kept from call to call: allocating would take longer than scoring a small batch.
    thread_local LaneSequences dealt;
    thread_local LaneState state;
    std::vector<std::size_t> own;
    for (std::size_t i = share; i < longest_first.size(); i += shares) own.push_back(longest_first[i]);
    dealt.deal(sequences, own, model.separators);
    sweep_lanes(model, dealt, state, best);
  });
  return best;
}

}  // namespace gpuhmm::simd
