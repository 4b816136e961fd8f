// Marks for loops that must run on vector units: the compiler's ways to say what standard C++ cannot.
#pragma once

#include "util/vector_extensions.hpp"

// Defines `RESULT NAME PARAMETERS` compiled for several steps of vector instructions; a call takes the
// highest that the machine has. ARGUMENTS are the parameters' names in parentheses; the body follows the
// macro. Results must not depend on the choice. Functions that the body calls must be inlined to be compiled
// with it.
//
// Not target_clones: its choice is made when the program starts, whatever it is started for, and asks the
// processor anew, which a small search notices (docs/benchmarks.md, small jobs).
#if defined(__x86_64__) && defined(__GNUC__)
#define GPUHMM_VECTOR_COPY(RESULT, NAME, STEP, TARGET, PARAMETERS, ARGUMENTS)     \
  __attribute__((target(TARGET))) static inline RESULT NAME##_##STEP PARAMETERS { \
    return NAME##_loops ARGUMENTS;                                                \
  }
#define GPUHMM_VECTOR_COPIES(RESULT, NAME, PARAMETERS, ARGUMENTS)              \
  __attribute__((always_inline)) static inline RESULT NAME##_loops PARAMETERS; \
  GPUHMM_VECTOR_COPY(RESULT, NAME, sse4, "sse4.1", PARAMETERS, ARGUMENTS)      \
  GPUHMM_VECTOR_COPY(RESULT, NAME, avx2, "avx2", PARAMETERS, ARGUMENTS)
#define GPUHMM_VECTOR_CLONES(RESULT, NAME, PARAMETERS, ARGUMENTS)                                         \
  GPUHMM_VECTOR_COPIES(RESULT, NAME, PARAMETERS, ARGUMENTS)                                               \
  RESULT NAME PARAMETERS {                                                                                \
    const ::gpuhmm::VectorExtensions machine = ::gpuhmm::vector_extensions();                             \
    if (machine >= ::gpuhmm::VectorExtensions::kAvx2) return NAME##_avx2 ARGUMENTS;                       \
    return machine == ::gpuhmm::VectorExtensions::kSse4 ? NAME##_sse4 ARGUMENTS : NAME##_loops ARGUMENTS; \
  }                                                                                                       \
  __attribute__((always_inline)) static inline RESULT NAME##_loops PARAMETERS
// The same for loops that gain from the 32 registers and 64-bit minima of AVX-512.
#define GPUHMM_VECTOR_CLONES_512(RESULT, NAME, PARAMETERS, ARGUMENTS)               \
  GPUHMM_VECTOR_COPIES(RESULT, NAME, PARAMETERS, ARGUMENTS)                         \
  GPUHMM_VECTOR_COPY(RESULT, NAME, avx512, "arch=x86-64-v4", PARAMETERS, ARGUMENTS) \
  RESULT NAME PARAMETERS {                                                          \
    switch (::gpuhmm::vector_extensions()) {                                        \
      case ::gpuhmm::VectorExtensions::kAvx512:                                     \
        return NAME##_avx512 ARGUMENTS;                                             \
      case ::gpuhmm::VectorExtensions::kAvx2:                                       \
        return NAME##_avx2 ARGUMENTS;                                               \
      case ::gpuhmm::VectorExtensions::kSse4:                                       \
        return NAME##_sse4 ARGUMENTS;                                               \
      case ::gpuhmm::VectorExtensions::kBase:                                       \
        break;                                                                      \
    }                                                                               \
    return NAME##_loops ARGUMENTS;                                                  \
  }                                                                                 \
  __attribute__((always_inline)) static inline RESULT NAME##_loops PARAMETERS
#else
#define GPUHMM_VECTOR_CLONES(RESULT, NAME, PARAMETERS, ARGUMENTS) RESULT NAME PARAMETERS
#define GPUHMM_VECTOR_CLONES_512(RESULT, NAME, PARAMETERS, ARGUMENTS) RESULT NAME PARAMETERS
#endif

// Placed before a loop: no iteration reads what another one writes.
#if defined(__clang__)
#define GPUHMM_INDEPENDENT_ITERATIONS _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define GPUHMM_INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#else
#define GPUHMM_INDEPENDENT_ITERATIONS
#endif
