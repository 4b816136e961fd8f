// Which vector instructions of x86-64 the machine has. The one place that asks.
#pragma once

#include <cstdint>

#if defined(__x86_64__) && defined(__has_include)
#if __has_include(<sys/platform/x86.h>)
// The header uses C's name of the type, which g++ knows and clang++ does not.
#if defined(__clang__) && !defined(_Bool)
#define _Bool bool
#include <sys/platform/x86.h>
#undef _Bool
#else
#include <sys/platform/x86.h>
#endif
#endif
#endif

namespace gpuhmm {

/// Steps of x86-64 that loops are compiled for; each contains the ones before. kSse4 is x86-64-v2 with AES
/// and CLMUL, kAvx2 is x86-64-v3, kAvx512 is x86-64-v4. Other processors have kBase alone.
enum class VectorExtensions : std::uint8_t { kBase, kSse4, kAvx2, kAvx512 };

namespace detail {

// What the C library found when it started the program is read where that is offered. Asking the processor
// again takes 4 us a question in a virtual machine, and the compiler's own look-up asks some fifteen.
#if defined(CPU_FEATURE_ACTIVE)
#define GPUHMM_CPU_HAS(feature, name) CPU_FEATURE_ACTIVE(feature)
#elif defined(__x86_64__)
#define GPUHMM_CPU_HAS(feature, name) __builtin_cpu_supports(name)
#endif

inline VectorExtensions find_vector_extensions() {
#if defined(GPUHMM_CPU_HAS)
  const bool sse4 = GPUHMM_CPU_HAS(SSSE3, "ssse3") && GPUHMM_CPU_HAS(SSE4_1, "sse4.1") &&
                    GPUHMM_CPU_HAS(SSE4_2, "sse4.2") && GPUHMM_CPU_HAS(PCLMULQDQ, "pclmul") &&
                    GPUHMM_CPU_HAS(AES, "aes") && GPUHMM_CPU_HAS(POPCNT, "popcnt");
  if (!sse4) return VectorExtensions::kBase;
  const bool avx2 = GPUHMM_CPU_HAS(AVX2, "avx2") && GPUHMM_CPU_HAS(BMI1, "bmi") &&
                    GPUHMM_CPU_HAS(BMI2, "bmi2") && GPUHMM_CPU_HAS(FMA, "fma") &&
                    GPUHMM_CPU_HAS(F16C, "f16c") && GPUHMM_CPU_HAS(LZCNT, "lzcnt") &&
                    GPUHMM_CPU_HAS(MOVBE, "movbe");
  if (!avx2) return VectorExtensions::kSse4;
  const bool avx512 = GPUHMM_CPU_HAS(AVX512F, "avx512f") && GPUHMM_CPU_HAS(AVX512VL, "avx512vl") &&
                      GPUHMM_CPU_HAS(AVX512DQ, "avx512dq") && GPUHMM_CPU_HAS(AVX512BW, "avx512bw") &&
                      GPUHMM_CPU_HAS(AVX512CD, "avx512cd");
  return avx512 ? VectorExtensions::kAvx512 : VectorExtensions::kAvx2;
#else
  return VectorExtensions::kBase;
#endif
}

#undef GPUHMM_CPU_HAS

}  // namespace detail

/// The highest step that processor and operating system support.
inline VectorExtensions vector_extensions() {
  static const VectorExtensions found = detail::find_vector_extensions();
  return found;
}

}  // namespace gpuhmm
