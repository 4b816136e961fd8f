// Choice of the instruction set, and how tests and benchmarks override it.
#include "filter/simd/instruction_set.hpp"

#include "filter/simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "filter/simd/instruction_set.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <stdexcept>

#include "filter/simd/dispatch.hpp"

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

// The instruction sets of HWY_TARGETS that this machine has, as Highway's bits. What a set comprises is what
// Highway compiles its copies with.
std::int64_t supported_targets() {
  std::int64_t targets = HWY_STATIC_TARGET;
#if HWY_ARCH_X86
  const bool sse4 = __builtin_cpu_supports("ssse3") && __builtin_cpu_supports("sse4.1") &&
                    __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul") &&
                    __builtin_cpu_supports("aes");
  const bool avx2 = sse4 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("f16c");
  if (sse4) targets |= HWY_SSE4;
  if (avx2) targets |= HWY_AVX2;
#endif
  return targets & HWY_TARGETS;
}

// The instruction set in use, the best one at first.
hwy::ChosenTarget& chosen_target() {
  static hwy::ChosenTarget chosen;
  static const bool initialized = (chosen.Update(supported_targets()), true);
  static_cast<void>(initialized);
  return chosen;
}

// Lowest, that is best, of several instruction sets.
std::int64_t best_of(std::int64_t targets) { return targets & -targets; }

}  // namespace

std::size_t table_place() { return chosen_target().GetIndex(); }

std::string instruction_set() { return GPUHMM_SIMD_CALL(name_of_target)(); }

std::size_t vector_bytes() { return GPUHMM_SIMD_CALL(bytes_of_target)(); }

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (std::int64_t rest = supported_targets(); rest != 0; rest &= ~best_of(rest)) {
    names.emplace_back(hwy::TargetName(best_of(rest)));
  }
  return names;
}

void use_instruction_set(std::string_view name) {
  std::int64_t targets = supported_targets();
  while (!name.empty() && targets != 0 && name != hwy::TargetName(best_of(targets))) {
    targets &= ~best_of(targets);
  }
  if (targets == 0) {
    throw std::invalid_argument("instruction set " + std::string(name) + " is not supported here");
  }
  chosen_target().Update(targets);
}

}  // namespace gpuhmm::simd
#endif
