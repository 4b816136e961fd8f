// Marks for loops that must run on vector units: the compiler's ways to say what standard C++ cannot.
#pragma once

// A function compiled for several instruction sets; the loader takes the best one that the machine has.
// Integer code only: results do not depend on the choice.
#if defined(__x86_64__) && defined(__GNUC__) && defined(__linux__) && !defined(__SANITIZE_THREAD__) && \
    !defined(__SANITIZE_ADDRESS__)
#define GPUHMM_VECTOR_CLONES __attribute__((target_clones("avx2", "sse4.1", "default")))
// The same for loops that gain from the 32 registers and 64-bit minima of AVX-512.
#define GPUHMM_VECTOR_CLONES_512 __attribute__((target_clones("arch=x86-64-v4", "avx2", "sse4.1", "default")))
#else
#define GPUHMM_VECTOR_CLONES
#define GPUHMM_VECTOR_CLONES_512
#endif

// Placed before a loop: no iteration reads what another one writes.
#if defined(__clang__)
#define GPUHMM_INDEPENDENT_ITERATIONS _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define GPUHMM_INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#else
#define GPUHMM_INDEPENDENT_ITERATIONS
#endif
