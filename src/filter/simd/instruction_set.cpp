// Highway's choice of the instruction set, and how tests and benchmarks override it.
#include "filter/simd/instruction_set.hpp"

#include "filter/simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "filter/simd/instruction_set.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <stdexcept>

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

HWY_EXPORT(bytes_of_target);
HWY_EXPORT(name_of_target);

std::string instruction_set() { return HWY_DYNAMIC_DISPATCH(name_of_target)(); }

std::size_t vector_bytes() { return HWY_DYNAMIC_DISPATCH(bytes_of_target)(); }

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    names.emplace_back(hwy::TargetName(target));
  }
  return names;
}

void use_instruction_set(std::string_view name) {
  hwy::SetSupportedTargetsForTest(0);
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    if (name != hwy::TargetName(target)) continue;
    hwy::SetSupportedTargetsForTest(target);
    break;
  }
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  if (!name.empty() && name != instruction_set()) {
    throw std::invalid_argument("instruction set " + std::string(name) + " is not supported here");
  }
}

}  // namespace gpuhmm::simd
#endif
