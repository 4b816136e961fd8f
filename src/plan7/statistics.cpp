// Computes P-values with HMMER 2.3.2's cut-offs, and safe score bounds for them.
#include "plan7/statistics.hpp"

#include <cfloat>
#include <cmath>
#include <limits>

#include "plan7/arithmetic.hpp"

namespace gpuhmm {

namespace {

// 1 / (1 + 2^s), clamped where 2^s leaves the range of double.
double bound_p(float bits) {
  static const double limit = std::log(DBL_MAX) * kLog2E;
  if (bits >= limit) return 0;
  if (bits <= -limit) return 1;
  return 1.0 / (1.0 + std::exp(bits * kLn2));
}

}  // namespace

double extreme_value_p(float bits, const ExtremeValue& evd) {
  static const double certain = -std::log(-std::log(DBL_EPSILON));
  const float distance = bits - evd.mu;
  const float reduced = evd.lambda * distance;
  if (reduced <= certain) return 1;
  if (reduced >= 2.3 * 308) return 0;
  const double y = std::exp(-1.0 * evd.lambda * distance);
  return y < 1e-7 ? y : 1.0 - std::exp(-y);
}

double p_value(float bits, const std::optional<ExtremeValue>& evd) {
  const double bound = bound_p(bits);
  if (!evd) return bound;
  const double tail = extreme_value_p(bits, *evd);
  return tail < bound ? tail : bound;
}

float score_bound_for_p(double p, const std::optional<ExtremeValue>& evd) {
  if (std::isnan(p)) return -FLT_MAX;
  if (p < 0) return FLT_MAX;
  // P-values decrease with the score only if the slope is positive.
  if (evd && !(evd->lambda > 0 && std::isfinite(evd->lambda) && std::isfinite(evd->mu))) return -FLT_MAX;
  // Computed P-values decrease only up to rounding, about 5e-8 where the tail formula changes (y = 1e-7).
  constexpr double kRoundingAllowance = 1e-6;
  const double limit = p * (1.0 + kRoundingAllowance);
  if (limit >= 1) return -FLT_MAX;
  float above = -FLT_MAX;  // P above limit
  float within = 2000;     // P = 0
  for (;;) {
    const float middle = above / 2 + within / 2;
    if (!(above < middle && middle < within)) return within;
    (p_value(middle, evd) > limit ? above : within) = middle;
  }
}

}  // namespace gpuhmm
