// Forward and Backward in vectors: several sequences side by side, each in a group of four lanes.
#include <cstddef>
#include <span>

#include "hmmer3/forward_backward.hpp"

#define HWY_TARGET_INCLUDE "hmmer3/vector_sweeps.cpp"
#include "simd/foreach_target.hpp"
// For each instruction set:
#include "hmmer3/backward_sweep-inl.hpp"
#include "hmmer3/forward_sweep-inl.hpp"
#include "hmmer3/vector_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::hmmer3::HWY_NAMESPACE {
void forward(const FloatModel& model, std::span<SequenceTask* const> tasks) {
  ForwardSweep<SideBySide>(model, tasks).run();
}
void backward(const FloatModel& model, std::span<SequenceTask* const> tasks) {
  BackwardSweep<SideBySide>(model, tasks).run();
}

}  // namespace gpuhmm::hmmer3::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm::hmmer3 {

GPUHMM_SIMD_TABLE(forward);
GPUHMM_SIMD_TABLE(backward);

void run_forward(const FloatModel& model, std::span<SequenceTask* const> tasks) {
  GPUHMM_SIMD_CALL(forward)(model, tasks);
}
void run_backward(const FloatModel& model, std::span<SequenceTask* const> tasks) {
  GPUHMM_SIMD_CALL(backward)(model, tasks);
}

}  // namespace gpuhmm::hmmer3
#endif
