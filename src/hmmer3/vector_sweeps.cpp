// Forward and Backward in vectors: several sequences side by side, each in a group of four lanes.
#include <algorithm>
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
std::size_t forward_keeping(const FloatModel& model, std::span<SequenceTask* const> tasks, SharedRows& rows) {
  const std::size_t count = std::min(tasks.size(), SideBySide::kGroups);
  std::size_t length = 0;
  for (const SequenceTask* task : tasks.first(count)) length = std::max(length, task->sequence.size());
  rows.resize(length, model.steps(), SideBySide::kGroups * kStripes, true);
  ForwardSweep<SideBySide>(model, tasks.first(count), &rows).run();
  return count;
}
void backward(const FloatModel& model, std::span<SequenceTask* const> tasks) {
  BackwardSweep<SideBySide>(model, tasks).run();
}

}  // namespace gpuhmm::hmmer3::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm::hmmer3 {

GPUHMM_SIMD_TABLE(forward);
GPUHMM_SIMD_TABLE(forward_keeping);
GPUHMM_SIMD_TABLE(backward);

SharedRows& SharedRows::of_thread() {
  thread_local SharedRows rows;
  return rows;
}

void run_forward(const FloatModel& model, std::span<SequenceTask* const> tasks) {
  GPUHMM_SIMD_CALL(forward)(model, tasks);
}
std::size_t run_forward_keeping(const FloatModel& model, std::span<SequenceTask* const> tasks,
                                SharedRows& rows) {
  return GPUHMM_SIMD_CALL(forward_keeping)(model, tasks, rows);
}
void run_backward(const FloatModel& model, std::span<SequenceTask* const> tasks) {
  GPUHMM_SIMD_CALL(backward)(model, tasks);
}

}  // namespace gpuhmm::hmmer3
#endif
