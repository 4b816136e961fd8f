// Selects and sorts the hits of a report, in the same way for every report format.
#include <algorithm>
#include <cmath>

#include "gpuhmm/hits.hpp"

namespace gpuhmm {
namespace {

double sort_key(const SequenceHit& hit, ReportKind kind) {
  if (kind == ReportKind::Search) return hit.score;
  // A P-value of 0 has no logarithm: such hits come before all others, by score.
  return hit.p_value > 0 ? -std::log(hit.p_value) : 100000.0 + hit.score;
}

double sort_key(const DomainHit& hit, ReportKind kind) {
  return kind == ReportKind::Search ? hit.score : -static_cast<double>(hit.sequence_from);
}

template <class Hit>
std::vector<const Hit*> ranked(std::span<const Hit> hits, ReportKind kind) {
  using Keyed = std::pair<double, const Hit*>;
  std::vector<Keyed> keyed;
  keyed.reserve(hits.size());
  for (const Hit& hit : hits) keyed.emplace_back(sort_key(hit, kind), &hit);
  std::ranges::stable_sort(keyed, std::ranges::greater(), &Keyed::first);
  std::vector<const Hit*> list;
  list.reserve(hits.size());
  for (const auto& [key, hit] : keyed) list.push_back(hit);
  return list;
}

}  // namespace

HitLists rank_hits(std::span<const SequenceHit> sequences, std::span<const DomainHit> domains,
                   ReportKind kind) {
  return {ranked(sequences, kind), ranked(domains, kind)};
}

HitLists reported_hits(const HitLists& ranked, const Thresholds& thresholds, double database_size) {
  const auto sequence_passes = [&](double p_value, float score) {
    return p_value * database_size <= thresholds.sequence_e && score >= thresholds.sequence_t;
  };
  HitLists reported;
  for (const SequenceHit* hit : ranked.sequences) {
    if (sequence_passes(hit->p_value, hit->score)) reported.sequences.push_back(hit);
  }
  for (const DomainHit* hit : ranked.domains) {
    if (sequence_passes(hit->sequence_p_value, hit->sequence_score) &&
        hit->p_value * database_size <= thresholds.domain_e && hit->score >= thresholds.domain_t) {
      reported.domains.push_back(hit);
    }
  }
  return reported;
}

Thresholds scan_report_thresholds(const Thresholds& last_profile, bool any_profile_registered) {
  Thresholds thresholds = last_profile;
  if (last_profile.cutoff != CutoffKind::None && any_profile_registered) {
    thresholds.sequence_e = thresholds.domain_e = kNoEvalue;
    thresholds.sequence_t = thresholds.domain_t = kNoScore;
  }
  return thresholds;
}

}  // namespace gpuhmm
