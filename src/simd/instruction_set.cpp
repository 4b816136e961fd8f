// Chooses the instruction set; tests and benchmarks can override it.
#include "simd/instruction_set.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#if defined(__x86_64__) && __has_include(<sys/platform/x86.h>)
// The header uses C's name _Bool, which g++ knows and clang++ does not.
#if defined(__clang__) && !defined(_Bool)
#define _Bool bool
#include <sys/platform/x86.h>
#undef _Bool
#else
#include <sys/platform/x86.h>
#endif
#endif

#define HWY_TARGET_INCLUDE "simd/instruction_set.cpp"
#include "simd/foreach_target.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::simd::HWY_NAMESPACE {

std::size_t bytes_of_target() {
#if HWY_TARGET == HWY_SCALAR
  return 0;
#else
  return hwy::HWY_NAMESPACE::MaxLanes(hwy::HWY_NAMESPACE::CappedTag<std::uint8_t, 32>());
#endif
}

const char* name_of_target() { return hwy::TargetName(HWY_TARGET); }

}  // namespace gpuhmm::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm::simd {

GPUHMM_SIMD_TABLE(bytes_of_target);
GPUHMM_SIMD_TABLE(name_of_target);

namespace {

#if HWY_ARCH_X86
// Reads what the C library found at program start, if it offers that. Asking the processor again takes 4 us
// per feature in a virtual machine, and the compiler's own detection asks about fifteen times.
#if defined(CPU_FEATURE_ACTIVE)
#define GPUHMM_CPU_HAS(feature, name) CPU_FEATURE_ACTIVE(feature)
#else
#define GPUHMM_CPU_HAS(feature, name) __builtin_cpu_supports(name)
#endif

bool has_sse4() {
  return GPUHMM_CPU_HAS(SSSE3, "ssse3") && GPUHMM_CPU_HAS(SSE4_1, "sse4.1") &&
         GPUHMM_CPU_HAS(SSE4_2, "sse4.2") && GPUHMM_CPU_HAS(PCLMULQDQ, "pclmul") &&
         GPUHMM_CPU_HAS(AES, "aes") && GPUHMM_CPU_HAS(POPCNT, "popcnt");
}

// Given SSE4.
bool has_avx2() {
  return GPUHMM_CPU_HAS(AVX2, "avx2") && GPUHMM_CPU_HAS(BMI1, "bmi") && GPUHMM_CPU_HAS(BMI2, "bmi2") &&
         GPUHMM_CPU_HAS(FMA, "fma") && GPUHMM_CPU_HAS(F16C, "f16c") && GPUHMM_CPU_HAS(LZCNT, "lzcnt") &&
         GPUHMM_CPU_HAS(MOVBE, "movbe");
}

// Given AVX2.
bool has_avx512() {
  return GPUHMM_CPU_HAS(AVX512F, "avx512f") && GPUHMM_CPU_HAS(AVX512VL, "avx512vl") &&
         GPUHMM_CPU_HAS(AVX512DQ, "avx512dq") && GPUHMM_CPU_HAS(AVX512BW, "avx512bw") &&
         GPUHMM_CPU_HAS(AVX512CD, "avx512cd");
}

// The instruction sets that processor and operating system support, as Highway's bits.
std::int64_t machine_targets() {
  if (!has_sse4()) return 0;
  if (!has_avx2()) return HWY_SSE4;
  return HWY_SSE4 | HWY_AVX2 | (has_avx512() ? HWY_AVX3 : 0);
}
#else
std::int64_t machine_targets() { return 0; }
#endif

// The instruction sets of HWY_TARGETS that this machine has, as Highway's bits.
std::int64_t supported_targets() { return (HWY_STATIC_TARGET | machine_targets()) & HWY_TARGETS; }

// An instruction set, and whether its 64-byte vectors are used.
struct Choice {
  std::int64_t target;
  bool wide;

  std::string name() const { return hwy::TargetName(target) + std::string(wide ? "_512" : ""); }
};

// The choices of this machine, the default first. AVX-512 is preferred with vectors of 32 bytes: with 64 the
// kernels were slower on all processors measured (docs/benchmarks.md).
std::vector<Choice> choices() {
  std::vector<Choice> found;
  for (std::int64_t rest = supported_targets(); rest != 0; rest &= rest - 1) {
    const std::int64_t best = rest & -rest;
    found.push_back({best, false});
    if (best == HWY_AVX3) found.push_back({best, true});
  }
  return found;
}

// The choice with this name. Throws std::invalid_argument.
Choice choice_named(std::string_view name) {
  const std::vector<Choice> all = choices();
  const auto named = std::ranges::find(all, name, &Choice::name);
  if (named != all.end()) return *named;
  std::string known;
  for (const Choice& choice : all) known += (known.empty() ? "" : ", ") + choice.name();
  throw std::invalid_argument("no instruction set '" + std::string(name) + "' on this machine; expected " +
                              known);
}

Choice default_choice() {
  const char* const wanted = std::getenv("GPUHMM_SIMD");
  return wanted == nullptr || *wanted == 0 ? choices().front() : choice_named(wanted);
}

// The choice in use, as indices into Highway's tables, and its width.
struct InUse {
  hwy::ChosenTarget target, few_registers;
  bool wide;

  InUse() { use(default_choice()); }
  void use(const Choice& choice) {
    target.Update(choice.target);
    few_registers.Update(choice.target == HWY_AVX3 && !choice.wide ? HWY_AVX2 : choice.target);
    wide = choice.wide;
  }
};

InUse& in_use() {
  static InUse instance;
  return instance;
}

}  // namespace

std::size_t table_place() { return in_use().target.GetIndex(); }

std::size_t few_registers_place() { return in_use().few_registers.GetIndex(); }

std::string instruction_set() {
  return GPUHMM_SIMD_CALL(name_of_target)() + std::string(in_use().wide ? "_512" : "");
}

std::size_t vector_bytes() { return in_use().wide ? 64 : usual_vector_bytes(); }

std::size_t usual_vector_bytes() { return GPUHMM_SIMD_CALL(bytes_of_target)(); }

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (const Choice& choice : choices()) names.push_back(choice.name());
  return names;
}

void use_instruction_set(std::string_view name) {
  in_use().use(name.empty() ? default_choice() : choice_named(name));
}

}  // namespace gpuhmm::simd
#endif
