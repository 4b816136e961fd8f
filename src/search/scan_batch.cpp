// Queries past profiles; see the header.
#include "search/scan_batch.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "align/batch_aligner.hpp"
#include "plan7/arithmetic.hpp"
#include "plan7/statistics.hpp"
#include "search/profile_search.hpp"
#include "search/thresholds.hpp"
#include "util/parallel.hpp"

namespace gpuhmm {

namespace {

// The cells of exact alignments that are worth another thread.
constexpr double kCellsPerThread = 4e5;

}  // namespace

struct ScanBatch::Chunk {
  const ScanGroup& group;
  std::size_t first;  // place in the group
  std::span<const QueryCandidates> candidates;

  const ScoreModel& model(std::size_t k) const { return *group.models[first + k].model; }
};

struct ScanBatch::Pair {
  Pair(std::size_t place_in_group, std::uint32_t query_index, const MatrixRule& matrix_rule)
      : place(place_in_group), query(query_index), rule(matrix_rule) {}

  std::size_t place;  // of the profile in its group
  std::uint32_t query;
  MatrixRule rule;  // as HMMER's matrix stands when it comes to this pair
  bool passed = false;
  double p_value = 1;  // of the score before post-processing
  PostprocessedPair found;
};

// Tells a meter of pairs aligned.
struct ScanBatch::PairMeter {
  WorkMeter* meter = nullptr;
  double amount_of_cell = 0;

  void aligned(std::size_t length, int nodes) const {
    if (meter == nullptr) return;
    meter->add_other(static_cast<std::int64_t>(amount_of_cell * static_cast<double>(length) * nodes));
  }
};

ScanBatch::ScanBatch(const SequenceBatch& sequences, const Thresholds& asked, bool holds_first,
                     ScanCounting counting, bool make_alignments)
    : sequences_(sequences),
      asked_(asked),
      holds_first_(holds_first),
      counting_(counting),
      make_alignments_(make_alignments),
      rules_(sequences.size(), MatrixRule::for_scan(1)),
      registered_(sequences.size()) {}

std::int32_t ScanBatch::filter_threshold(const ScanModel& model, std::int64_t known) {
  return ProvisionalFilter(model.thresholds, model.profile.evd).raw_bound(known);
}

std::int64_t ScanBatch::counted(std::size_t query, std::int64_t index, std::int64_t known) const {
  if (!is_first(query)) return known;
  return counting_ == ScanCounting::Serial ? index : index + 1;
}

QueryCandidates ScanBatch::select(const ScanModel& model, std::int64_t index, std::int64_t known,
                                  std::span<const std::int32_t> scores) const {
  QueryCandidates candidates;
  ProvisionalFilter filter(model.thresholds, model.profile.evd);
  for (std::size_t i = 0; i < sequences_.size(); ++i) {
    if (sequences_.length(i) == 0) continue;
    const float bits = bits_of(scores[i]);
    if (model.thresholds.forward ||
        (is_first(i) ? filter.decides_for(bits, counted(i, index, known)) : filter.passes(bits, known))) {
      candidates.push_back(static_cast<std::uint32_t>(i));
    }
  }
  return candidates;
}

// Where the domains of a query lie in the paths of the profiles of a chunk, for pairs that HMMER aligns in
// small memory. Found for several profiles at a time.
class ScanBatch::SegmentFinder {
 public:
  SegmentFinder(const Chunk& chunk, std::span<const std::uint8_t> residues, unsigned threads)
      : chunk_(chunk), residues_(residues), threads_(threads) {}

  // The segments for profile `k` of the chunk. `rule` tells which of the profiles that follow will be asked
  // for.
  const std::vector<DomainSpan>& of(std::size_t k, MatrixRule rule) {
    found_.resize(chunk_.candidates.size());
    if (!found_[k]) {
      std::vector<std::size_t> wanted;
      for (std::size_t next = k; next < found_.size() && wanted.size() < std::size_t{4} * threads_; ++next) {
        rule.set_nodes(chunk_.model(next).nodes);
        if (!rule.full_allowed(static_cast<std::int64_t>(residues_.size()))) wanted.push_back(next);
      }
      parallel_for(threads_, wanted.size(), 1, [&](std::size_t first, std::size_t last) {
        for (std::size_t w = first; w < last; ++w) {
          found_[wanted[w]] = parse_segments_fast(chunk_.model(wanted[w]), residues_).segments;
        }
      });
    }
    return *found_[k];
  }

 private:
  const Chunk& chunk_;
  std::span<const std::uint8_t> residues_;
  unsigned threads_;
  std::vector<std::optional<std::vector<DomainSpan>>> found_;
};

// Takes the query's matrix past all profiles of the chunk; gives the pairs to be aligned.
std::vector<ScanBatch::Pair> ScanBatch::replay(const Chunk& chunk, std::uint32_t query, unsigned threads) {
  std::vector<Pair> pairs;
  MatrixRule& rule = rules_[query];
  const auto length = static_cast<std::int64_t>(sequences_.length(query));
  SegmentFinder segments(chunk, sequences_.residues(query), threads);
  for (std::size_t k = 0; k < chunk.candidates.size(); ++k) {
    rule.set_nodes(chunk.model(k).nodes);
    const QueryCandidates& candidates = chunk.candidates[k];
    if (std::binary_search(candidates.begin(), candidates.end(), query)) {
      pairs.emplace_back(chunk.first + k, query, rule);
    }
    if (rule.full_allowed(length)) {
      rule.visit(length);
    } else if (rule.may_grow(length)) {
      for (const auto [begin, end] : segments.of(k, rule)) rule.visit(end - begin);
    }
  }
  return pairs;
}

// Aligns pairs of one profile.
class ScanBatch::ProfileAligner {
 public:
  ProfileAligner(const ScanBatch& batch, const ScanModel& model, std::int64_t index, std::int64_t known,
                 const PairMeter& meter)
      : batch_(batch),
        model_(model),
        meter_(meter),
        index_(index),
        known_(known),
        filter_(model.thresholds, model.profile.evd) {
    if (batch.make_alignments_) consensus_.emplace(model.profile);
  }

  void run(std::span<Pair> pairs, unsigned threads) const {
    if (model_.thresholds.forward) {
      run_forward(pairs, threads);
    } else {
      run_viterbi(pairs, threads);
    }
  }

 private:
  void run_viterbi(std::span<Pair> pairs, unsigned threads) const {
    std::vector<AlignmentTask> tasks;
    tasks.reserve(pairs.size());
    for (const Pair& pair : pairs) {
      tasks.push_back({batch_.sequences_.residues(pair.query), pair.rule,
                       filter_.raw_bound(batch_.counted(pair.query, index_, known_))});
    }
    align_batch(model_.profile, *model_.model, tasks, threads,
                [&](std::size_t p, const AlignedSequence& aligned) {
                  settle(pairs[p], bits_of(aligned.score), aligned.trace);
                });
  }

  void run_forward(std::span<Pair> pairs, unsigned threads) const {
    parallel_for(threads, pairs.size(), 1, [&](std::size_t first, std::size_t last) {
      ViterbiMatrix matrix;
      for (Pair& pair : pairs.subspan(first, last - first)) {
        const PairScore scored =
            score_pair(model_.profile, *model_.model, batch_.sequences_.residues(pair.query),
                       model_.thresholds, pair.rule, matrix);
        settle(pair, scored.score, scored.trace);
      }
    });
  }

  void settle(Pair& pair, float score, const std::optional<Trace>& trace) const {
    meter_.aligned(batch_.sequences_.length(pair.query), model_.profile.nodes);
    pair.passed = filter_.decides_for(score, batch_.counted(pair.query, index_, known_));
    if (!pair.passed) return;
    pair.p_value = p_value(score, model_.profile.evd);
    pair.found =
        postprocess(model_.profile, *model_.model, batch_.sequences_[pair.query], trace ? &*trace : nullptr,
                    score, model_.thresholds, Target::Profile, consensus_ ? &*consensus_ : nullptr);
  }

  const ScanBatch& batch_;
  const ScanModel& model_;
  const PairMeter& meter_;
  std::int64_t index_, known_;
  ProvisionalFilter filter_;
  std::optional<Consensus> consensus_;  // if alignments are to be made
};

void ScanBatch::register_pair(Pair& pair, std::int64_t index) {
  PostprocessedPair& found = pair.found;
  if (!pair.passed || (!found.sequence && found.domains.empty())) return;
  const auto target = static_cast<std::uint64_t>(index) + 1;
  if (found.sequence) found.sequence->target_index = target;
  for (DomainHit& domain : found.domains) domain.target_index = target;
  registered_[pair.query].push_back({pair.p_value, std::move(found)});
}

void ScanBatch::add(const ScanGroup& group, std::size_t first, std::span<const QueryCandidates> candidates,
                    std::int64_t known, unsigned threads, WorkMeter* meter) {
  const Chunk chunk = {group, first, candidates};
  // few queries: the threads share the work of each; many: each thread has queries of its own
  const bool many = sequences_.size() >= threads;
  std::vector<std::vector<Pair>> by_query(sequences_.size());
  const std::size_t share = std::max<std::size_t>(1, sequences_.size() / (std::size_t{8} * threads));
  parallel_for(many ? threads : 1, sequences_.size(), share, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      by_query[i] = replay(chunk, static_cast<std::uint32_t>(i), many ? 1 : threads);
    }
  });
  std::vector<std::vector<Pair>> by_model(candidates.size());
  double cells = 0;
  for (std::vector<Pair>& some : by_query) {
    for (Pair& pair : some) {
      cells += static_cast<double>(sequences_.length(pair.query)) * chunk.model(pair.place - first).nodes;
      by_model[pair.place - first].push_back(std::move(pair));
    }
  }
  double nodes = 0;
  for (std::size_t k = 0; k < candidates.size(); ++k) nodes += chunk.model(k).nodes;
  const double amount = search_amount(nodes * static_cast<double>(sequences_.residue_count())).other;
  align(chunk, known, by_model,
        static_cast<unsigned>(std::clamp(cells / kCellsPerThread, 1.0, static_cast<double>(threads))),
        {meter, cells > 0 ? amount / cells : 0});
  for (std::vector<Pair>& pairs : by_model) {
    for (Pair& pair : pairs) register_pair(pair, group.first + static_cast<std::int64_t>(pair.place));
    rescored_ += static_cast<std::int64_t>(pairs.size());
  }
}

void ScanBatch::align(const Chunk& chunk, std::int64_t known, std::span<std::vector<Pair>> by_model,
                      unsigned threads, const PairMeter& meter) const {
  std::vector<std::size_t> models;
  for (std::size_t k = 0; k < by_model.size(); ++k) {
    if (!by_model[k].empty()) models.push_back(k);
  }
  // many profiles: each thread has profiles of its own; few: the threads share the pairs of each
  const bool many = models.size() >= threads;
  parallel_for(many ? threads : 1, models.size(), 1, [&](std::size_t from, std::size_t to) {
    for (std::size_t m = from; m < to; ++m) {
      const std::size_t place = chunk.first + models[m];
      const ProfileAligner aligner(*this, chunk.group.models[place],
                                   chunk.group.first + static_cast<std::int64_t>(place), known, meter);
      aligner.run(by_model[models[m]], many ? 1 : threads);
    }
  });
}

ScanHits ScanBatch::finish(std::size_t i, std::int64_t profiles) {
  const double given = asked_.database_size.value_or(0);
  const double size = given != 0 ? given : static_cast<double>(profiles);
  const double most = asked_.cutoff == CutoffKind::None ? asked_.sequence_e : kNoEvalue;
  ScanHits hits;
  for (Registered& pair : registered_[i]) {
    if (!is_first(i) && !(pair.p_value * size <= most)) continue;
    if (pair.found.sequence) hits.sequences.push_back(std::move(*pair.found.sequence));
    for (DomainHit& domain : pair.found.domains) hits.domains.push_back(std::move(domain));
  }
  registered_[i] = {};
  return hits;
}

}  // namespace gpuhmm
