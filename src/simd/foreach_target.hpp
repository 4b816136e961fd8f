// Compiles the source that includes this once for each instruction set. Before the include, the source
// defines HWY_TARGET_INCLUDE as its own path; after it, the source includes headers that are also compiled
// for each set (*-inl.hpp). No include guard: Highway's headers must be included again for each instruction
// set.

// Disabled: SSSE3 (no gain over SSE4); AVX3_DL (its additions to AVX-512 are of no use here); and sets with
// vectors of unknown length, which the striped layout cannot use (SVE machines run the NEON code).
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#endif

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/dispatch.hpp"
