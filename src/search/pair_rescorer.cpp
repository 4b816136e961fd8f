// Aligns pairs exactly and post-processes those that pass.
#include "search/pair_rescorer.hpp"

#include <algorithm>
#include <utility>

#include "plan7/statistics.hpp"
#include "search/run.hpp"
#include "util/parallel.hpp"

namespace gpuhmm {

void add_hits(RegisteredHits& hits, PostprocessedPair&& found, std::uint64_t target) {
  if (found.sequence) {
    found.sequence->target_index = target;
    hits.sequences.push_back(std::move(*found.sequence));
  }
  for (DomainHit& domain : found.domains) {
    domain.target_index = target;
    hits.domains.push_back(std::move(domain));
  }
}

PairMeter::PairMeter(WorkMeter& work_meter, double batch_cells, double pair_cells)
    : meter(work_meter), other_per_cell(pair_cells > 0 ? search_amount(batch_cells).other / pair_cells : 0) {}

PairRescorer::PairRescorer(const RunProfile& profile, Target target, bool make_alignments)
    : query_(profile), target_(target), filter_(profile.thresholds, profile.profile.evd) {
  if (make_alignments) consensus_.emplace(profile.profile);
}

void PairRescorer::rescore(const SequenceBatch& batch, std::span<Pair> pairs, unsigned threads,
                           const PairMeter& meter, AlignmentClock* clock, PathDevices* devices) const {
  if (filter_.forward()) {
    rescore_forward(batch, pairs, threads, meter);
  } else {
    rescore_viterbi(batch, pairs, threads, meter, clock, devices);
  }
}

void PairRescorer::rescore_viterbi(const SequenceBatch& batch, std::span<Pair> pairs, unsigned threads,
                                   const PairMeter& meter, AlignmentClock* clock,
                                   PathDevices* devices) const {
  ProvisionalFilter lowest(query_.thresholds, query_.profile.evd);
  std::vector<AlignmentTask> tasks;
  tasks.reserve(pairs.size());
  for (const Pair& pair : pairs) {
    tasks.push_back({batch.residues(pair.sequence), pair.rule,
                     std::max(lowest.recent_raw_bound(pair.counted), units_below(pair.least))});
  }
  const double other_per_residue = meter.other_per_cell * query_.profile.nodes;
  const AlignmentTaker take = [&](std::size_t p, const AlignedSequence& aligned) {
    decide(batch, pairs[p], bits_of(aligned.score), aligned.trace);
    meter.meter.add_other(
        static_cast<std::int64_t>(other_per_residue * static_cast<double>(tasks[p].residues.size())));
  };
  align_batch(query_.profile, *query_.model, tasks, threads, take, clock, devices);
}

void PairRescorer::rescore_forward(const SequenceBatch& batch, std::span<Pair> pairs, unsigned threads,
                                   const PairMeter& meter) const {
  const std::size_t block = std::max<std::size_t>(1, pairs.size() / (std::size_t{16} * threads));
  parallel_for(threads, pairs.size(), block, [&](std::size_t first, std::size_t last) {
    ViterbiMatrix matrix;
    for (Pair& pair : pairs.subspan(first, last - first)) {
      const std::span<const std::uint8_t> residues = batch.residues(pair.sequence);
      const PairScore scored = score_pair(query_.profile, *query_.model, residues, query_.thresholds,
                                          pair.rule, matrix, pair.least);
      decide(batch, pair, scored.score, scored.trace);
      meter.meter.add_work(static_cast<std::int64_t>(residues.size()) * query_.profile.nodes);
    }
  });
}

void PairRescorer::decide(const SequenceBatch& batch, Pair& pair, float score,
                          const std::optional<Trace>& trace) const {
  pair.score = score;
  if (score < pair.least || !filter_.decides_for(score, pair.counted)) return;
  pair.p_value = p_value(score, query_.profile.evd);
  pair.found = postprocess(query_.profile, *query_.model, batch[pair.sequence], trace ? &*trace : nullptr,
                           score, query_.thresholds, target_, consensus_ ? &*consensus_ : nullptr);
  pair.score = pair.found.score;
}

}  // namespace gpuhmm
