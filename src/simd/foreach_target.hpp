// Compiles the source that includes this once for each instruction set. Before, the source defines
// HWY_TARGET_INCLUDE as its own path; behind, it includes what is itself compiled for each (*-inl.hpp).
// No include guard: Highway's headers have to be met again for each instruction set.

// Left out: SSSE3 (nothing to gain over SSE4); AVX3_DL (what it adds to AVX-512 is of no use here); and sets
// with vectors of unknown length, which the striped layout cannot use (SVE machines run the NEON code).
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#endif

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/dispatch.hpp"
