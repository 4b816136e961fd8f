// A macro that standard C++ lacks: it unrolls a loop.
#pragma once

// Put before a loop whose counter takes as many instructions as its vectors.
#if defined(__clang__)
#define GPUHMM_TWO_ITERATIONS_AT_ONCE _Pragma("clang loop unroll_count(2)")
#elif defined(__GNUC__)
#define GPUHMM_TWO_ITERATIONS_AT_ONCE _Pragma("GCC unroll 2")
#else
#define GPUHMM_TWO_ITERATIONS_AT_ONCE
#endif
