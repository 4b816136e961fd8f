// Selects sequences of a block for exact alignment, and adds their hits and all scores to the result of a
// profile.
#include "search/profile_search.hpp"

#include <algorithm>
#include <utility>

#include "plan7/arithmetic.hpp"

namespace gpuhmm {

ProfileSearch::ProfileSearch(RunProfile&& profile, bool make_alignments, HitsWanted wanted)
    : query_(std::move(profile)),
      wanted_(wanted),
      rescorer_(query_, Target::Sequence, make_alignments),
      filter_(query_.thresholds, query_.profile.evd),
      matrix_rule_(query_.profile.nodes) {
  query_.configure();
}

void ProfileSearch::expect(const SequenceBlock& block, std::int64_t counted) {
  const double given = query_.thresholds.database_size.value_or(0);
  least_ = LeastWanted(query_, wanted_, given != 0 ? given : static_cast<double>(counted));
  filter_.skip_below(least_.score(block.longest));
}

// Without a histogram the sequences that do not pass need no path; with --forward they are among the pairs.
std::vector<Pair> ProfileSearch::select(const SequenceBlock& block, std::span<const std::int32_t> scores,
                                        bool exact) {
  const SequenceBatch& batch = block.sequences;
  std::vector<Pair> pairs;
  auto next = block.new_lengths.begin();
  const auto visit_up_to = [&](std::size_t end) {
    for (; next != block.new_lengths.end() && *next < end; ++next) {
      matrix_rule_.visit(static_cast<std::int64_t>(batch.length(*next)));
    }
  };
  for (const std::size_t length : block.lengths_before) matrix_rule_.visit(static_cast<std::int64_t>(length));
  ProvisionalFilter provisional(query_.thresholds, query_.profile.evd);
  const auto ordinal = [&](std::size_t i) { return block.ordinals[i]; };
  for (const std::uint32_t i : select_candidates(filter_, batch, scores, ordinal)) {
    const float least = least_.score(batch.length(i));
    if (!filter_.forward() && bits_of(scores[i]) < least) continue;
    visit_up_to(i);
    Pair& pair = pairs.emplace_back(i, ordinal(i), matrix_rule_);
    if (!exact) pair.least = std::max(least, provisional.recent_bound(ordinal(i)));
  }
  visit_up_to(batch.size());
  return pairs;
}

// Many scores are first counted in an array, as nearly all of them lie close together. For few scores the
// array would cost more time than it saves.
void ProfileSearch::count_scores(const SequenceBatch& batch, std::span<const std::int32_t> scores,
                                 std::span<const Pair> pairs) {
  constexpr int kReach = 4096;
  const int reach = batch.size() < kReach ? 0 : kReach;
  std::vector<std::int64_t> near_zero(std::size_t{2} * reach);
  auto next = pairs.begin();
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const bool chosen = next != pairs.end() && next->sequence == i;
    const float score = chosen ? (next++)->score : bits_of(scores[i]);
    if (batch.length(i) == 0) continue;
    const int bin = ScoreHistogram::bin_of(score);
    if (bin >= -reach && bin < reach) {
      ++near_zero[bin + reach];
    } else {
      result_.histogram.add(bin, 1);
    }
  }
  for (int bin = -reach; bin < reach; ++bin) {
    if (near_zero[bin + reach] > 0) result_.histogram.add(bin, near_zero[bin + reach]);
  }
}

void ProfileSearch::add(const SequenceBlock& block, std::span<const std::int32_t> scores, bool exact,
                        unsigned threads, AlignmentClock& clock, WorkMeter& meter, PathDevices* devices) {
  const SequenceBatch& batch = block.sequences;
  std::vector<Pair> pairs = select(block, scores, exact);
  double residues = 0;
  for (const Pair& pair : pairs) residues += static_cast<double>(batch.length(pair.sequence));
  const double nodes = query_.profile.nodes;
  rescorer_.rescore(batch, pairs, threads,
                    {meter, static_cast<double>(batch.residue_count()) * nodes, residues * nodes}, &clock,
                    devices);
  if (exact) count_scores(batch, scores, pairs);
  for (Pair& pair : pairs) {
    add_hits(result_, std::move(pair.found), static_cast<std::uint64_t>(block.ordinals[pair.sequence]));
  }
  result_.searched = block.counted_after;
  result_.rescored += static_cast<std::int64_t>(pairs.size());
}

}  // namespace gpuhmm
