// P-values of scores (docs/spec/postprocessing-statistics.md, 5.4).
#pragma once

#include <optional>

#include "gpuhmm/profile.hpp"

namespace gpuhmm {

/// P-value of a bit score: the smaller of 1 / (1 + 2^s) and, for a calibrated profile, its extreme-value
/// tail.
double p_value(float bits, const std::optional<ExtremeValue>& evd);

/// Tail of the extreme-value distribution alone; the expected counts of the histogram use it.
double extreme_value_p(float bits, const ExtremeValue& evd);

/// A score (bits) below which every score has a P-value above `p`, so that a filter may drop them. -FLT_MAX
/// if p >= 1.
float score_bound_for_p(double p, const std::optional<ExtremeValue>& evd);

}  // namespace gpuhmm
