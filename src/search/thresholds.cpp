// Thresholds of a search; see the header.
#include "search/thresholds.hpp"

#include <algorithm>

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

ProvisionalFilter::ProvisionalFilter(const Thresholds& thresholds, const std::optional<ExtremeValue>& evd)
    : thresholds_(thresholds), evd_(evd) {}

double ProvisionalFilter::size(std::int64_t ordinal) const {
  const int given = thresholds_.database_size.value_or(0);
  return given != 0 ? given : static_cast<double>(ordinal);
}

float ProvisionalFilter::bound(std::int64_t ordinal) const {
  const double z = size(ordinal);
  float bound = thresholds_.sequence_t;
  if (z > 0) bound = std::max(bound, score_bound_for_p(thresholds_.sequence_e / z, evd_));
  return bound;
}

float ProvisionalFilter::recent_bound(std::int64_t ordinal) {
  if (ordinal >= next_refresh_) {
    bound_ = bound(ordinal);
    next_refresh_ = ordinal + std::max<std::int64_t>(1, ordinal / 8);
  }
  return bound_;
}

bool ProvisionalFilter::decides_for(float bits, std::int64_t ordinal) const {
  return bits >= thresholds_.sequence_t && p_value(bits, evd_) * size(ordinal) <= thresholds_.sequence_e;
}

}  // namespace gpuhmm
