// The compiler's way to say what standard C++ cannot: that a loop may run on vector units.
#pragma once

// Placed before a loop: no iteration reads what another one writes.
#if defined(__clang__)
#define GPUHMM_INDEPENDENT_ITERATIONS _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define GPUHMM_INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#else
#define GPUHMM_INDEPENDENT_ITERATIONS
#endif
