// One profile against a database; see the header.
#include "search/profile_search.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "plan7/arithmetic.hpp"
#include "plan7/statistics.hpp"
#include "util/parallel.hpp"

namespace gpuhmm {

NumberedBatch::NumberedBatch(SequenceBatch&& batch, std::int64_t counted, bool count_empty)
    : sequences(std::move(batch)),
      ordinals(sequences.size()),
      counted_before(counted),
      counted_after(counted) {
  for (std::size_t i = 0; i < ordinals.size(); ++i) {
    if (count_empty || sequences.length(i) > 0) ++counted_after;
    ordinals[i] = counted_after;
  }
}

// A sequence to be aligned exactly, and what came of it.
struct ProfileSearch::Candidate {
  Candidate(std::size_t sequence_index, const MatrixRule& rule, std::int32_t lowest_passing)
      : index(sequence_index), matrix_rule(rule), lowest(lowest_passing) {}

  std::size_t index;
  MatrixRule matrix_rule;  // as HMMER's matrix stands when it comes to this sequence
  std::int32_t lowest;     // no lower raw score passes
  float score = 0;
  PostprocessedPair pair;
};

ProfileSearch::ProfileSearch(const Profile& profile, const Thresholds& thresholds, bool make_alignments)
    : profile_(profile),
      thresholds_(thresholds),
      model_(profile, thresholds.forward ? WingFolding::Sum : WingFolding::Max),
      filter_(thresholds, profile.evd),
      matrix_rule_(profile.nodes) {
  if (make_alignments) consensus_.emplace(profile);
}

std::int32_t ProfileSearch::filter_threshold(std::int64_t ordinal) const {
  return filter_.raw_bound(ordinal);
}

std::vector<ProfileSearch::Candidate> ProfileSearch::select(const NumberedBatch& batch,
                                                            std::span<const std::int32_t> scores) {
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < batch.sequences.size(); ++i) {
    const std::size_t length = batch.sequences.length(i);
    if (length == 0) continue;
    if (thresholds_.forward || filter_.passes(bits_of(scores[i]), batch.ordinals[i])) {
      candidates.emplace_back(i, matrix_rule_, filter_.recent_raw_bound(batch.ordinals[i]));
    }
    matrix_rule_.visit(static_cast<std::int64_t>(length));
  }
  return candidates;
}

void ProfileSearch::settle(const NumberedBatch& batch, Candidate& candidate, float score,
                           const std::optional<Trace>& trace) const {
  candidate.score = score;
  if (!filter_.decides_for(score, batch.ordinals[candidate.index])) return;
  candidate.pair = postprocess(profile_, model_, batch.sequences[candidate.index], trace ? &*trace : nullptr,
                               score, thresholds_, Target::Sequence, consensus_ ? &*consensus_ : nullptr);
  candidate.score = candidate.pair.score;
}

void ProfileSearch::rescore(const NumberedBatch& batch, std::span<Candidate> candidates, unsigned threads,
                            AlignmentClock& clock, WorkMeter* meter) const {
  std::vector<AlignmentTask> tasks;
  tasks.reserve(candidates.size());
  double aligned_residues = 0;
  for (const Candidate& candidate : candidates) {
    tasks.push_back({batch.sequences.residues(candidate.index), candidate.matrix_rule, candidate.lowest});
    aligned_residues += static_cast<double>(tasks.back().residues.size());
  }
  const double cells = static_cast<double>(batch.sequences.residue_count()) * profile_.nodes;
  const double amount_of_residue = search_amount(cells).other / aligned_residues;
  const AlignmentTaker take = [&](std::size_t c, const AlignedSequence& aligned) {
    settle(batch, candidates[c], bits_of(aligned.score), aligned.trace);
    if (meter == nullptr) return;
    meter->add_other(
        static_cast<std::int64_t>(amount_of_residue * static_cast<double>(tasks[c].residues.size())));
  };
  align_batch(profile_, model_, tasks, threads, take, &clock);
}

void ProfileSearch::rescore_forward(const NumberedBatch& batch, std::span<Candidate> candidates,
                                    unsigned threads, WorkMeter* meter) const {
  const std::size_t block = std::max<std::size_t>(1, candidates.size() / (std::size_t{16} * threads));
  parallel_for(threads, candidates.size(), block, [&](std::size_t first, std::size_t last) {
    ViterbiMatrix matrix;
    for (Candidate& candidate : candidates.subspan(first, last - first)) {
      const PairScore scored = score_pair(profile_, model_, batch.sequences.residues(candidate.index),
                                          thresholds_, candidate.matrix_rule, matrix);
      settle(batch, candidate, scored.score, scored.trace);
      if (meter == nullptr) continue;
      meter->add_work(static_cast<std::int64_t>(batch.sequences.length(candidate.index)) * profile_.nodes);
    }
  });
}

// Many scores are counted in an array first: nearly all lie close together, and there is one for every
// sequence. For few the array would cost more than it saves.
void ProfileSearch::count_scores(const NumberedBatch& batch, std::span<const std::int32_t> scores,
                                 std::span<const Candidate> candidates) {
  constexpr int kReach = 4096;
  const int reach = batch.sequences.size() < kReach ? 0 : kReach;
  std::vector<std::int64_t> near_zero(std::size_t{2} * reach);
  auto next = candidates.begin();
  for (std::size_t i = 0; i < batch.sequences.size(); ++i) {
    const bool chosen = next != candidates.end() && next->index == i;
    const float score = chosen ? (next++)->score : bits_of(scores[i]);
    if (batch.sequences.length(i) == 0) continue;
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

void ProfileSearch::add(const NumberedBatch& batch, std::span<const std::int32_t> scores, bool exact,
                        unsigned threads, AlignmentClock& clock, WorkMeter* meter) {
  std::vector<Candidate> candidates = select(batch, scores);
  if (thresholds_.forward) {
    rescore_forward(batch, candidates, threads, meter);
  } else {
    rescore(batch, candidates, threads, clock, meter);
  }
  if (exact) count_scores(batch, scores, candidates);
  for (Candidate& candidate : candidates) {
    const auto target = static_cast<std::uint64_t>(batch.ordinals[candidate.index]);
    if (candidate.pair.sequence) {
      candidate.pair.sequence->target_index = target;
      result_.sequences.push_back(std::move(*candidate.pair.sequence));
    }
    for (DomainHit& domain : candidate.pair.domains) {
      domain.target_index = target;
      result_.domains.push_back(std::move(domain));
    }
  }
  result_.searched = batch.counted_after;
  result_.rescored += static_cast<std::int64_t>(candidates.size());
}

}  // namespace gpuhmm
