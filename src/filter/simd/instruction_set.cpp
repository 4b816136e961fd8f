// Choice of the instruction set, and how tests and benchmarks override it.
#include "filter/simd/instruction_set.hpp"

#include "filter/simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "filter/simd/instruction_set.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "filter/simd/dispatch.hpp"
#include "util/vector_extensions.hpp"

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

// The instruction sets of HWY_TARGETS that this machine has, as Highway's bits.
std::int64_t supported_targets() {
  std::int64_t targets = HWY_STATIC_TARGET;
#if HWY_ARCH_X86
  const VectorExtensions machine = vector_extensions();
  if (machine >= VectorExtensions::kSse4) targets |= HWY_SSE4;
  if (machine >= VectorExtensions::kAvx2) targets |= HWY_AVX2;
  if (machine >= VectorExtensions::kAvx512) targets |= HWY_AVX3;
#endif
  return targets & HWY_TARGETS;
}

// An instruction set, and whether vectors of 64 bytes are used where it has them.
struct Choice {
  std::int64_t target;
  bool wide;

  std::string name() const { return hwy::TargetName(target) + std::string(wide ? "_512" : ""); }
};

// What this machine can choose among, the one taken by default first. AVX-512 is taken with vectors of 32
// bytes: at 64 the kernels are slower on the processors on which they were measured (docs/benchmarks.md).
std::vector<Choice> choices() {
  std::vector<Choice> found;
  for (std::int64_t rest = supported_targets(); rest != 0; rest &= rest - 1) {
    const std::int64_t best = rest & -rest;
    found.push_back({best, false});
    if (best == HWY_AVX3) found.push_back({best, true});
  }
  return found;
}

// The choice of this name.
Choice choice_named(std::string_view name) {
  const std::vector<Choice> all = choices();
  const auto named = std::ranges::find(all, name, &Choice::name);
  if (named != all.end()) return *named;
  std::string known;
  for (const Choice& choice : all) known += (known.empty() ? "" : ", ") + choice.name();
  throw std::invalid_argument("no instruction set '" + std::string(name) + "' on this machine, only " +
                              known);
}

Choice default_choice() {
  const char* const wanted = std::getenv("GPUHMM_SIMD");
  return wanted == nullptr || *wanted == 0 ? choices().front() : choice_named(wanted);
}

// The choice in use as places in Highway's tables, and the width.
struct InUse {
  hwy::ChosenTarget target, target_16;
  bool wide;

  InUse() { use(default_choice()); }
  void use(const Choice& choice) {
    target.Update(choice.target);
    target_16.Update(choice.target == HWY_AVX3 && !choice.wide ? HWY_AVX2 : choice.target);
    wide = choice.wide;
  }
};

InUse& in_use() {
  static InUse instance;
  return instance;
}

}  // namespace

std::size_t table_place() { return in_use().target.GetIndex(); }

std::size_t table_place_16() { return in_use().target_16.GetIndex(); }

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
