// A macro that standard C++ lacks: it marks a loop as safe for SIMD.
#pragma once

// Put before a loop in which no iteration reads what another one writes.
#if defined(__clang__)
#define GPUHMM_INDEPENDENT_ITERATIONS _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define GPUHMM_INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#else
#define GPUHMM_INDEPENDENT_ITERATIONS
#endif
