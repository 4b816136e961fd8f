// Sum of two scores for dynamic programming that keeps all cells at or above minus infinity.
#pragma once

#include <algorithm>
#include <cstdint>

#include "plan7/arithmetic.hpp"

namespace gpuhmm {

/// The larger of a + b and kMinusInfinity. Both must be at least kMinusInfinity, so that their sum fits in 32
/// bits.
inline std::int32_t floored_sum(std::int32_t a, std::int32_t b) { return std::max(a + b, kMinusInfinity); }

}  // namespace gpuhmm
