// Compares the queries of a batch with profiles: selects pairs, replays the growth of HMMER's matrices,
// aligns the pairs, and registers hits.
#include "search/scan_batch.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "align/batch_aligner.hpp"
#include "search/reportable.hpp"
#include "search/run.hpp"
#include "util/parallel.hpp"

namespace gpuhmm {

namespace {

// The cells of exact alignments that make another thread worthwhile.
constexpr double kCellsPerThread = 4e5;

}  // namespace

struct ScanBatch::Chunk {
  const ScanGroup& group;
  std::size_t first;  // place in the group
  std::span<const QueryCandidates> candidates;

  std::size_t size() const { return candidates.size(); }
  const RunProfile& profile(std::size_t k) const { return group.models[first + k]; }
  const ScoreModel& model(std::size_t k) const { return *profile(k).model; }
  // The profile's number in the file, from 0.
  std::int64_t index(std::size_t k) const { return group.first + static_cast<std::int64_t>(first + k); }
};

ScanBatch::ScanBatch(const SequenceBlock& queries, const Thresholds& asked, ScanCounting counting,
                     bool make_alignments, HitsWanted wanted)
    : sequences_(queries.sequences),
      asked_(asked),
      holds_first_(queries.counted_before == 0),
      counting_(counting),
      make_alignments_(make_alignments),
      wanted_(wanted),
      rules_(sequences_.size(), MatrixRule::for_scan(1)),
      registered_(sequences_.size()) {}

std::int32_t ScanBatch::filter_threshold(const RunProfile& profile, std::int64_t known) {
  return ProvisionalFilter(profile.thresholds, profile.profile.evd).raw_bound(known);
}

std::int64_t ScanBatch::counted(std::size_t query, std::int64_t index, std::int64_t known) const {
  if (!is_first(query)) return known;
  return counting_ == ScanCounting::Serial ? index : index + 1;
}

QueryCandidates ScanBatch::select(const RunProfile& profile, std::int64_t index, std::int64_t known,
                                  std::span<const std::int32_t> scores) const {
  ProvisionalFilter filter(profile.thresholds, profile.profile.evd);
  QueryCandidates candidates =
      select_candidates(filter, sequences_, scores, [&](std::size_t i) { return counted(i, index, known); });
  const bool has_first = !candidates.empty() && is_first(candidates.front()) && !filter.forward();
  if (has_first && bits_of(scores[0]) < least_in_first(profile, known)) candidates.erase(candidates.begin());
  return candidates;
}

float ScanBatch::least_in_first(const RunProfile& profile, std::int64_t known) const {
  if (wanted_ == HitsWanted::Listed && profile.profile.name.size() > kShortNameBytes) return -FLT_MAX;
  const double given = asked_.database_size.value_or(0);
  const LeastWanted least(profile, wanted_, given != 0 ? given : static_cast<double>(known));
  return least.score(sequences_.length(0));
}

// Finds the domains of a query in the paths of the profiles of a chunk, for pairs that HMMER aligns in small
// memory; for several profiles at a time.
class ScanBatch::SegmentFinder {
 public:
  SegmentFinder(const Chunk& chunk, std::span<const std::uint8_t> residues, unsigned threads)
      : chunk_(chunk), residues_(residues), threads_(threads) {}

  // The segments for profile `k` of the chunk. `rule` shows for which of the next profiles segments will be
  // needed.
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

// Replays how the query's matrix in HMMER grows with all profiles of the chunk. Returns the pairs to be
// aligned.
std::vector<ScanBatch::Visit> ScanBatch::replay(const Chunk& chunk, std::uint32_t query, unsigned threads) {
  std::vector<Visit> visits;
  MatrixRule& rule = rules_[query];
  const auto length = static_cast<std::int64_t>(sequences_.length(query));
  SegmentFinder segments(chunk, sequences_.residues(query), threads);
  for (std::size_t k = 0; k < chunk.size(); ++k) {
    rule.set_nodes(chunk.model(k).nodes);
    const QueryCandidates& candidates = chunk.candidates[k];
    if (std::binary_search(candidates.begin(), candidates.end(), query)) visits.push_back({k, rule});
    if (rule.full_allowed(length)) {
      rule.visit(length);
    } else if (rule.may_grow(length)) {
      for (const auto [begin, end] : segments.of(k, rule)) rule.visit(end - begin);
    }
  }
  return visits;
}

// If there are few queries, the threads share the work of each; if many, each thread has its own queries.
std::vector<std::vector<ScanBatch::Visit>> ScanBatch::replay_all(const Chunk& chunk, unsigned threads) {
  const std::size_t count = sequences_.size();
  const bool many = count >= threads;
  std::vector<std::vector<Visit>> by_query(count);
  const std::size_t share = std::max<std::size_t>(1, count / (std::size_t{8} * threads));
  parallel_for(many ? threads : 1, count, share, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      by_query[i] = replay(chunk, static_cast<std::uint32_t>(i), many ? 1 : threads);
    }
  });
  return by_query;
}

void ScanBatch::add(const ScanGroup& group, std::size_t first, std::span<const QueryCandidates> candidates,
                    std::int64_t known, unsigned threads, WorkMeter& meter) {
  const Chunk chunk = {group, first, candidates};
  std::vector<std::vector<Pair>> by_profile(chunk.size());
  double cells = 0;
  const std::vector<std::vector<Visit>> by_query = replay_all(chunk, threads);
  for (std::size_t i = 0; i < by_query.size(); ++i) {
    for (const auto& [k, rule] : by_query[i]) {
      cells += static_cast<double>(sequences_.length(i)) * chunk.model(k).nodes;
      Pair& pair = by_profile[k].emplace_back(i, counted(i, chunk.index(k), known), rule);
      if (is_first(i)) pair.least = least_in_first(chunk.profile(k), known);
    }
  }
  rescore(chunk, by_profile, cells, threads, meter);
  for (std::size_t k = 0; k < chunk.size(); ++k) {
    for (Pair& pair : by_profile[k]) register_pair(pair, chunk.index(k));
  }
}

// If there are many profiles, each thread has its own profiles; if few, the threads share the pairs of each.
void ScanBatch::rescore(const Chunk& chunk, std::span<std::vector<Pair>> by_profile, double pair_cells,
                        unsigned threads, WorkMeter& meter) const {
  double nodes = 0;
  std::vector<std::size_t> wanted;
  for (std::size_t k = 0; k < chunk.size(); ++k) {
    nodes += chunk.model(k).nodes;
    if (!by_profile[k].empty()) wanted.push_back(k);
  }
  const PairMeter pair_meter(meter, nodes * static_cast<double>(sequences_.residue_count()), pair_cells);
  const auto worth =
      static_cast<unsigned>(std::clamp(pair_cells / kCellsPerThread, 1.0, static_cast<double>(threads)));
  const bool many = wanted.size() >= worth;
  parallel_for(many ? worth : 1, wanted.size(), 1, [&](std::size_t w, std::size_t) {
    const PairRescorer rescorer(chunk.profile(wanted[w]), Target::Profile, make_alignments_);
    rescorer.rescore(sequences_, by_profile[wanted[w]], many ? 1 : worth, pair_meter);
  });
}

void ScanBatch::register_pair(Pair& pair, std::int64_t index) {
  if (!pair.found.sequence && pair.found.domains.empty()) return;
  registered_[pair.sequence].push_back(
      {pair.p_value, static_cast<std::uint64_t>(index) + 1, std::move(pair.found)});
}

RegisteredHits ScanBatch::finish(std::size_t i, std::int64_t profiles) {
  const double given = asked_.database_size.value_or(0);
  const double size = given != 0 ? given : static_cast<double>(profiles);
  const double most = asked_.cutoff == CutoffKind::None ? asked_.sequence_e : kNoEvalue;
  RegisteredHits hits;
  for (Registered& pair : registered_[i]) {
    if (!is_first(i) && !(pair.p_value * size <= most)) continue;
    add_hits(hits, std::move(pair.found), pair.target);
  }
  registered_[i] = {};
  return hits;
}

}  // namespace gpuhmm
