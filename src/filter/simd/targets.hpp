// Which of Highway's instruction sets the kernels are compiled for. Include before any Highway header.
#pragma once

// Left out: SSSE3 (nothing to gain over SSE4); AVX3_DL (what it adds to AVX-512 is of no use here); and sets
// with vectors of unknown length, which the striped layout cannot use (SVE machines run the NEON code).
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
