// Sum of two scores in the dynamic programming that keeps all cells at or above minus infinity.
#pragma once

#include <algorithm>
#include <cstdint>

#include "plan7/arithmetic.hpp"

namespace gpuhmm {

/// a + b, or kMinusInfinity if that is larger. Both at least kMinusInfinity: their sum fits in 32 bits.
inline std::int32_t floored_sum(std::int32_t a, std::int32_t b) { return std::max(a + b, kMinusInfinity); }

}  // namespace gpuhmm
