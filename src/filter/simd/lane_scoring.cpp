// Distributes the sequences of a batch over shares, and those of a share over the SIMD lanes.
#include "filter/simd/lane_scoring.hpp"

#include <algorithm>
#include <limits>

#include "filter/simd/lane_sequences.hpp"
#include "filter/simd/scoring_parts.hpp"

namespace gpuhmm::simd {

namespace {

// So many residues in a share keep lanes full to nearly the end, and codes in the second-level cache. Shares
// are smaller, but not below the least, if there are not enough for all threads.
constexpr std::size_t kResiduesOfShare = 256 << 10, kLeastOfShare = 128 << 10;
// The bounds of fewer residues are not worth making a model.
constexpr std::size_t kLeastResidues = 50'000, kLeastSequences = 4 * kLaneCount;
// The sample: sequences from all over the range of lengths.
constexpr std::size_t kSampled = 2 * kLaneCount;

// Sweeps the sequences in `longest_first` by sweep(dealt).
template <class Sweep>
void sweep_share(const SequenceSet& sequences, std::span<const std::size_t> longest_first,
                 LaneSpacing spacing, const Sweep& sweep) {
  // Kept from call to call: allocating would take longer than scoring a small batch.
  thread_local LaneSequences dealt;
  dealt.deal(sequences, longest_first, spacing);
  sweep(dealt);
}

// The same in shares. The sequences go to the shares in turn, so that each share has long and short ones.
template <class Sweep>
void sweep_shares(const SequenceSet& sequences, std::span<const std::size_t> longest_first,
                  std::size_t shares, LaneSpacing spacing, SharedThreads& threads, const Sweep& sweep) {
  threads.run(shares, 1, [&](std::size_t share, std::size_t) {
    std::vector<std::size_t> own;
    for (std::size_t i = share; i < longest_first.size(); i += shares) own.push_back(longest_first[i]);
    sweep_share(sequences, own, spacing, sweep);
  });
}

// How many shares there are for all threads, and the sequences for which the other lanes of a share do not
// wait.
struct Shares {
  std::size_t count;
  std::span<const std::size_t> members;  // the longest first
};

// Nothing if there are too few sequences for all lanes.
std::optional<Shares> share_out(const SequenceSet& sequences, std::span<const std::size_t> longest_first,
                                SharedThreads& threads) {
  const std::size_t residues = sequences.residue_count();
  if (residues < kLeastResidues || longest_first.size() < kLeastSequences) return std::nullopt;
  const std::size_t for_threads = std::min<std::size_t>(threads.each(), residues / kLeastOfShare);
  const std::size_t shares = std::clamp<std::size_t>(std::max(residues / kResiduesOfShare, for_threads), 1,
                                                     longest_first.size() / kSampled);
  const std::size_t rows = residues / (shares * kLaneCount);
  const auto too_long = [&](std::size_t i) { return sequences.length(i) > rows; };
  return Shares{shares, longest_first.subspan(static_cast<std::size_t>(
                            std::ranges::partition_point(longest_first, too_long) - longest_first.begin()))};
}

}  // namespace

bool fills_lanes(const SequenceSet& sequences) {
  return has_lane_kernel() && sequences.residue_count() >= kLeastResidues &&
         sequences.size() >= kLeastSequences;
}

template <class T>
std::optional<std::vector<T>> score_in_lanes(const LaneModel<T>& model, const SequenceSet& sequences,
                                             std::span<const std::size_t> longest_first,
                                             SharedThreads& threads) {
  const std::optional<Shares> shares = share_out(sequences, longest_first, threads);
  if (!shares) return std::nullopt;
  std::vector<T> best(sequences.size(), kNotScored<T>);
  const auto sweep = [&](const LaneSequences& dealt) {
    thread_local LaneState<T> state;
    sweep_lanes<T>(model, dealt, state, best);
  };
  sweep_shares(sequences, shares->members, shares->count, model.spacing(), threads, sweep);
  return best;
}

template std::optional<std::vector<std::int16_t>> score_in_lanes(const LaneModel<std::int16_t>&,
                                                                 const SequenceSet&,
                                                                 std::span<const std::size_t>,
                                                                 SharedThreads&);
template std::optional<std::vector<std::int32_t>> score_in_lanes(const LaneModel<std::int32_t>&,
                                                                 const SequenceSet&,
                                                                 std::span<const std::size_t>,
                                                                 SharedThreads&);

std::optional<std::vector<std::int8_t>> bounds_in_lanes(const LocalBound& bound, const SequenceSet& sequences,
                                                        std::span<const std::size_t> longest_first,
                                                        SharedThreads& threads) {
  const std::optional<Shares> shares = share_out(sequences, longest_first, threads);
  if (!shares) return std::nullopt;
  const std::span<const std::size_t> members = shares->members;
  std::vector<std::int8_t> best(sequences.size(), std::numeric_limits<std::int8_t>::max());
  const auto sweep = [&](const LaneSequences& dealt) {
    thread_local LocalBoundState state;
    sweep_local_bound(bound, dealt, state, best);
  };
  std::vector<std::size_t> sample;
  for (std::size_t i = 0; i < kSampled; ++i) {
    sample.push_back(members[(2 * i + 1) * members.size() / (2 * kSampled)]);
  }
  sweep_share(sequences, sample, LocalBound::kSpacing, sweep);
  Trial trial;
  trial.sequences = sample.size();
  trial.above_mark = static_cast<std::size_t>(
      std::ranges::count_if(sample, [&](std::size_t i) { return best[i] > bound.levels.mark; }));
  if (!trial.mostly_below_mark()) return std::nullopt;
  sweep_shares(sequences, members, shares->count, LocalBound::kSpacing, threads, sweep);
  return best;
}

}  // namespace gpuhmm::simd
