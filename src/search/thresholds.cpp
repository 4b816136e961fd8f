// Applies the cut-offs of profiles, and computes bounds of the scores that pass.
#include "search/thresholds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "plan7/arithmetic.hpp"
#include "plan7/statistics.hpp"

namespace gpuhmm {

Thresholds thresholds_for(const Profile& profile, const Thresholds& asked) {
  if (asked.cutoff == CutoffKind::None) return asked;
  const bool gathering = asked.cutoff == CutoffKind::Gathering;
  const bool trusted = asked.cutoff == CutoffKind::Trusted;
  const std::optional<ScoreCutoff>& cutoff = gathering ? profile.gathering
                                             : trusted ? profile.trusted
                                                       : profile.noise;
  if (!cutoff) {
    const char* name = gathering ? "GA" : trusted ? "TC" : "NC";
    throw SearchError("profile " + profile.name + " has no " + name + " cut-off, which --cut_" +
                      (gathering ? "ga"
                       : trusted ? "tc"
                                 : "nc") +
                      " needs");
  }
  Thresholds result = asked;
  result.sequence_t = cutoff->sequence;
  result.domain_t = cutoff->domain;
  result.sequence_e = kNoEvalue;
  result.domain_e = kNoEvalue;
  return result;
}

void check_masking(const Profile& profile, const Thresholds& asked) {
  if (!asked.xnu || profile.alphabet == AlphabetKind::Amino) return;
  throw SearchError("--xnu masks protein sequences only; profile " + profile.name + " is nucleic");
}

std::int32_t units_below(float bits) {
  const double units = std::floor(static_cast<double>(bits) * kUnitsPerBit) - 1;
  return units < kMinusInfinity ? kMinusInfinity : static_cast<std::int32_t>(units);
}

ProvisionalFilter::ProvisionalFilter(const Thresholds& thresholds, const std::optional<ExtremeValue>& evd)
    : thresholds_(thresholds), evd_(evd) {}

double ProvisionalFilter::size(std::int64_t ordinal) const {
  const double given = thresholds_.database_size.value_or(0);
  return given != 0 ? given : static_cast<double>(ordinal);
}

float ProvisionalFilter::bound(std::int64_t ordinal) const {
  const double z = size(ordinal);
  float bound = std::max(thresholds_.sequence_t, least_);
  if (z > 0) bound = std::max(bound, score_bound_for_p(thresholds_.sequence_e / z, evd_));
  return bound;
}

std::int32_t ProvisionalFilter::raw_bound(std::int64_t ordinal) const { return units_below(bound(ordinal)); }

std::int32_t ProvisionalFilter::raw_enough(std::int64_t ordinal) const {
  constexpr double kMargin = kUnitsPerBit, kLeast = -1e8, kMost = 1e9;
  const double units = std::ceil(static_cast<double>(bound(ordinal)) * kUnitsPerBit) + kMargin;
  const auto enough = static_cast<std::int32_t>(std::clamp(units, kLeast, kMost));
  // With a negative size or lambda, lower scores may pass although higher ones do not.
  const bool monotone = size(ordinal) >= 0 && (!evd_ || evd_->lambda > 0);
  return monotone && decides_for(bits_of(enough), ordinal) ? enough
                                                           : std::numeric_limits<std::int32_t>::max();
}

std::int32_t ProvisionalFilter::recent_raw_bound(std::int64_t ordinal) {
  return units_below(recent_bound(ordinal));
}

float ProvisionalFilter::recent_bound(std::int64_t ordinal) {
  if (ordinal >= next_refresh_) {
    bound_ = bound(ordinal);
    next_refresh_ = ordinal + std::max<std::int64_t>(1, ordinal / 8);
  }
  return bound_;
}

bool ProvisionalFilter::decides_for(float bits, std::int64_t ordinal) const {
  return bits >= least_ && bits >= thresholds_.sequence_t &&
         p_value(bits, evd_) * size(ordinal) <= thresholds_.sequence_e;
}

}  // namespace gpuhmm
