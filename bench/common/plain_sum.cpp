// A loop that the compiler turns into vector code.
#include "common/plain_sum.hpp"

#define HWY_TARGET_INCLUDE "common/plain_sum.cpp"
#include "simd/foreach_target.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::bench::HWY_NAMESPACE {
namespace {

std::int64_t sum(std::span<const std::int32_t> values) {
  std::int64_t total = 0;
  for (const std::int32_t value : values) total += value;
  return total;
}

}  // namespace
}  // namespace gpuhmm::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm::bench {

GPUHMM_SIMD_TABLE(sum);

std::int64_t plain_sum(std::span<const std::int32_t> values) {
  return GPUHMM_SIMD_CALL_FEW_REGISTERS(sum)(values);
}

}  // namespace gpuhmm::bench
#endif
