// Bounds the score of a whole sequence, which is the sum of its domains, by the score of its path.
//
// Any domains that do not overlap make a path: N, J and C take the other residues, which costs nothing. A
// best path scores at least as much, so the domains together, without null2, score no more than the path. In
// a best path of several domains none scores below 0, as the path without it would be better: so a path with
// a score below 0 has one domain.
#include "search/reportable.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "plan7/arithmetic.hpp"
#include "plan7/statistics.hpp"
#include "plan7/wings.hpp"

namespace gpuhmm {

namespace {

// The most that paths through D_1 exceed the folded begin scores.
std::int64_t begin_excess(const ScoreModel& model, const Profile& profile) {
  std::int64_t most = 0;
  std::int64_t deletes = score_of(profile.begin_delete, 1);  // up to D_(k-1)
  for (int k = 2; k <= model.nodes; ++k) {
    if (begins_through_deletes(model, profile, k)) {
      most = std::max(most, deletes + model.dm[k - 1] - model.begin[k]);
    }
    deletes += model.dd[k - 1];
  }
  return most;
}

// The most that paths through D_M exceed the folded end scores.
std::int64_t end_excess(const ScoreModel& model, const Profile& profile) {
  std::int64_t most = 0;
  std::int64_t deletes = 0;  // from D_(k+1) on
  for (int k = model.nodes - 1; k >= 1; --k) {
    if (ends_through_deletes(model, profile, k)) most = std::max(most, model.md[k] + deletes - model.end[k]);
    deletes += model.dd[k];
  }
  return most;
}

}  // namespace

std::optional<std::int32_t> domain_excess(const ScoreModel& model, const Profile& profile) {
  if (model.n_loop != 0 || model.c_loop != 0) return std::nullopt;
  const bool one_domain = model.e_to_j == kMinusInfinity || model.j_begin == kMinusInfinity;
  const std::int64_t first = std::int64_t{model.n_begin} + model.e_to_c + model.c_end;
  const std::int64_t next = std::int64_t{model.e_to_j} + model.j_begin;
  if (!one_domain && (model.j_loop != 0 || first != next)) return std::nullopt;
  return static_cast<std::int32_t>(begin_excess(model, profile) + end_excess(model, profile));
}

LeastWanted::LeastWanted(const RunProfile& query, HitsWanted wanted, double size) {
  const Thresholds& thresholds = query.thresholds;
  const std::optional<ExtremeValue>& evd = query.profile.evd;
  if (wanted == HitsWanted::Registered || !(size > 0)) return;
  if (!thresholds.forward) {  // else the score before post-processing is that of the sequence
    const std::optional<std::int32_t> excess = domain_excess(*query.model, query.profile);
    if (!excess) return;
    excess_ = bits_of(*excess);
    if (wanted == HitsWanted::WithDomains) {
      domain_ = std::max(thresholds.domain_t, score_bound_for_p(thresholds.domain_e / size, evd));
    }
  }
  sequence_ = std::max(thresholds.sequence_t, score_bound_for_p(thresholds.sequence_e / size, evd));
}

// From 0 bits on there may be several domains, but no more than residues. Scores are sums of floats.
float LeastWanted::score(std::size_t residues) const {
  constexpr double kUnits = 2.0 / kUnitsPerBit;
  const auto domains = static_cast<double>(residues);
  const double rounding = kUnits + std::abs(sequence_) * FLT_EPSILON * domains;
  const double one_domain = std::min(sequence_ - excess_, 0.0);
  const double least =
      std::max({one_domain - rounding, sequence_ - excess_ * domains - rounding, domain_ - excess_ - kUnits});
  return static_cast<float>(std::max(least, -static_cast<double>(FLT_MAX)));
}

}  // namespace gpuhmm
