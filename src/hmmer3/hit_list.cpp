// Thresholds and sorting.
#include "hmmer3/hit_list.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "hmmer3/arithmetic.hpp"

namespace gpuhmm::hmmer3 {

namespace {

bool passes(const Threshold& threshold, float bits, double log_p, double targets) {
  if (threshold.bits) return static_cast<double>(bits) >= *threshold.bits;
  return std::exp(log_p) * targets <= threshold.e_value;
}

void count_flags(Hit& hit) {
  hit.reported_domains = hit.included_domains = 0;
  for (const Domain& domain : hit.domains) {
    hit.reported_domains += domain.reported;
    hit.included_domains += domain.included;
  }
}

// Of two domains with the same alignment only the better one is shown.
void hide_duplicates(Hit& hit) {
  std::vector<Domain>& domains = hit.domains;
  for (std::size_t d = 0; d < domains.size(); ++d) {
    for (std::size_t e = d + 1; e < domains.size(); ++e) {
      if (domains[d].alignment_from != domains[e].alignment_from) continue;
      if (domains[d].alignment_to != domains[e].alignment_to) continue;
      Domain& hidden = domains[d].bits < domains[e].bits ? domains[d] : domains[e];
      hidden.reported = hidden.included = false;
    }
  }
}

void set_flags(Hit& hit, const Options& options, double targets) {
  hit.reported = passes(options.report, hit.score, hit.log_p, targets);
  hit.included = hit.reported && passes(options.include, hit.score, hit.log_p, targets);
}

void set_domain_flags(Hit& hit, const Options& options, double targets) {
  for (Domain& domain : hit.domains) {
    domain.reported = hit.reported && passes(options.report_domain, domain.bits, domain.log_p, targets);
    domain.included = hit.included && passes(options.include_domain, domain.bits, domain.log_p, targets);
  }
}

}  // namespace

std::optional<Cutoff> cutoff_of(const Profile& profile, CutoffKind kind) {
  switch (kind) {
    case CutoffKind::Gathering:
      return profile.gathering;
    case CutoffKind::Noise:
      return profile.noise;
    case CutoffKind::Trusted:
      return profile.trusted;
    case CutoffKind::None:
      break;
  }
  return std::nullopt;
}

bool store(Hit& hit, const Options& options, double targets, const std::optional<Cutoff>& cutoff) {
  const FlushToZero flush;
  if (!cutoff) return passes(options.report, hit.score, hit.log_p, targets);
  if (!(hit.score >= cutoff->sequence)) return false;
  hit.reported = hit.included = true;
  for (Domain& domain : hit.domains) domain.reported = domain.included = domain.bits >= cutoff->domain;
  return true;
}

void finish_hits(QueryResult& result, const Options& options, double targets) {
  const FlushToZero flush;
  const bool has_cutoffs = options.cutoff != CutoffKind::None;
  result.targets = options.targets.value_or(targets);
  result.reported = 0;
  for (Hit& hit : result.hits) {
    if (!has_cutoffs) set_flags(hit, options, result.targets);
    result.reported += hit.reported;
  }
  result.domain_targets = options.domain_targets.value_or(static_cast<double>(result.reported));
  for (Hit& hit : result.hits) {
    if (!has_cutoffs) set_domain_flags(hit, options, result.domain_targets);
    if (hit.overlaps > 0) hide_duplicates(hit);
    count_flags(hit);
  }
  const bool by_score = options.includes_by_score();
  std::stable_sort(result.hits.begin(), result.hits.end(), [by_score](const Hit& a, const Hit& b) {
    const double x = by_score ? static_cast<double>(a.score) : -a.log_p;
    const double y = by_score ? static_cast<double>(b.score) : -b.log_p;
    if (x != y) return x > y;
    const auto place = [](const Hit& hit) {
      const Domain& first = hit.domains.front();
      return std::tuple(std::string_view(hit.name), !(first.alignment_from < first.alignment_to),
                        first.alignment_from, hit.arrival);
    };
    return place(a) < place(b);
  });
}

}  // namespace gpuhmm::hmmer3
