// Forward and Backward in vectors: several sequences side by side, each in a group of four lanes.
#include <algorithm>
#include <cstddef>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "hmmer3/forward_backward.hpp"
#include "util/kept_memory.hpp"

#define HWY_TARGET_INCLUDE "hmmer3/vector_sweeps.cpp"
#include "simd/foreach_target.hpp"
// For each instruction set:
#include "hmmer3/backward_sweep-inl.hpp"
#include "hmmer3/forward_sweep-inl.hpp"
#include "hmmer3/vector_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::hmmer3::HWY_NAMESPACE {
void forward(const FloatModel& model, std::span<SequenceTask* const> tasks) {
  with_lanes_for(tasks.size(), [&]<class Lanes>(Lanes) { ForwardSweep<Lanes>(model, tasks).run(); });
}
std::size_t forward_keeping(const FloatModel& model, std::span<SequenceTask* const> tasks, SharedRows& rows,
                            std::size_t most_shared) {
  const auto sharing = sharing_rows(tasks, model.steps(), true, most_shared,
                                    [](const SequenceTask* task) { return task->sequence.size(); });
  with_lanes_for(sharing.tasks.size(), [&]<class Lanes>(Lanes) {
    rows.resize(sharing.length, model.steps(), Lanes::kGroups * kStripes, true);
    ForwardSweep<Lanes>(model, sharing.tasks, &rows).run();
  });
  return sharing.tasks.size();
}
void backward(const FloatModel& model, std::span<SequenceTask* const> tasks) {
  with_lanes_for(tasks.size(), [&]<class Lanes>(Lanes) { BackwardSweep<Lanes>(model, tasks).run(); });
}

}  // namespace gpuhmm::hmmer3::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm::hmmer3 {

GPUHMM_SIMD_TABLE(forward);
GPUHMM_SIMD_TABLE(forward_keeping);
GPUHMM_SIMD_TABLE(backward);

namespace {

// Rows that nobody has at the moment.
struct IdleRows {
  std::mutex mutex;
  std::vector<SharedRows> rows;
};

IdleRows& idle_rows() {
  static IdleRows idle;
  return idle;
}

}  // namespace

BorrowedRows::BorrowedRows() {
  const std::lock_guard lock(idle_rows().mutex);
  std::vector<SharedRows>& idle = idle_rows().rows;
  if (idle.empty()) return;
  rows_ = std::move(idle.back());
  idle.pop_back();
}

BorrowedRows::~BorrowedRows() {
  constexpr std::size_t kLarge = std::size_t{32} << 20U, kVeryLarge = std::size_t{128} << 20U;  // bytes
  if (rows_.capacity() > (memory_is_kept() ? kVeryLarge : kLarge)) return;
  const std::lock_guard lock(idle_rows().mutex);
  idle_rows().rows.push_back(std::move(rows_));
}

void run_forward(const FloatModel& model, std::span<SequenceTask* const> tasks) {
  GPUHMM_SIMD_CALL(forward)(model, tasks);
}
std::size_t run_forward_keeping(const FloatModel& model, std::span<SequenceTask* const> tasks,
                                SharedRows& rows, std::size_t most_shared) {
  return GPUHMM_SIMD_CALL(forward_keeping)(model, tasks, rows, most_shared);
}
void run_backward(const FloatModel& model, std::span<SequenceTask* const> tasks) {
  GPUHMM_SIMD_CALL(backward)(model, tasks);
}

}  // namespace gpuhmm::hmmer3
#endif
