// Significance of scores (docs/spec/postprocessing-statistics.md, 5.4).
#pragma once

#include <optional>

#include "gpuhmm/profile.hpp"

namespace gpuhmm {

/// P-value of a bit score: the smaller of 1 / (1 + 2^s) and, for a calibrated profile, its extreme-value
/// tail.
double p_value(float bits, const std::optional<ExtremeValue>& evd);

/// Tail of the extreme-value distribution alone, as the histogram's expected counts use it.
double extreme_value_p(float bits, const ExtremeValue& evd);

/// A score (bits) such that every score below it has a P-value above `p`: what a filter may drop. -FLT_MAX if
/// p >= 1.
float score_bound_for_p(double p, const std::optional<ExtremeValue>& evd);

}  // namespace gpuhmm
