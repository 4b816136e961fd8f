// Envelopes in vectors: several sequences side by side, each in a group of four lanes.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hmmer3/envelope_task.hpp"
#include "hmmer3/null2.hpp"

#define HWY_TARGET_INCLUDE "hmmer3/score_envelopes.cpp"
#include "simd/foreach_target.hpp"
// For each instruction set:
#include "hmmer3/accuracy_sweep-inl.hpp"
#include "hmmer3/backward_sweep-inl.hpp"
#include "hmmer3/forward_sweep-inl.hpp"
#include "hmmer3/vector_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::hmmer3::HWY_NAMESPACE {

template <class Lanes>
void score_together(const FloatModel& model, std::span<EnvelopeTask> tasks, std::size_t length,
                    SharedRows& rows) {
  std::vector<SequenceTask*> pointers;
  for (EnvelopeTask& task : tasks) pointers.push_back(&task);
  const bool decodes = std::ranges::any_of(
      tasks, [](const EnvelopeTask& task) { return task.wants_null2 || task.wants_alignment(); });
  if (!decodes) {
    ForwardSweep<Lanes>(model, pointers).run();
    BackwardSweep<Lanes>(model, pointers).run();
    return;
  }
  rows.resize(length, model.steps(), Lanes::kGroups * kStripes, false);
  ForwardSweep<Lanes>(model, pointers, &rows).run();
  BackwardSweep<Lanes>(model, pointers, &rows).run();
  AccuracySweep<Lanes>(model, tasks, rows).run();
}

// Scores tasks whose posteriors Backward's own scales do not complicate; the others are left to the caller.
void envelopes(const FloatModel& model, std::span<EnvelopeTask> tasks, std::size_t most_shared) {
  BorrowedRows borrowed;
  SharedRows& rows = borrowed.rows();
  while (!tasks.empty()) {
    const auto sharing = sharing_rows(tasks, model.steps(), false, most_shared,
                                      [](const EnvelopeTask& task) { return task.sequence.size(); });
    with_lanes_for(sharing.tasks.size(), [&]<class Lanes>(Lanes) {
      score_together<Lanes>(model, sharing.tasks, sharing.length, rows);
    });
    tasks = tasks.subspan(sharing.tasks.size());
  }
}

}  // namespace gpuhmm::hmmer3::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm::hmmer3 {

GPUHMM_SIMD_TABLE(envelopes);

void score_envelopes(const FloatModel& model, const Alphabet& alphabet, std::span<EnvelopeTask> tasks,
                     std::size_t most_shared) {
  const auto residues = static_cast<std::size_t>(alphabet.size());
  for (EnvelopeTask& task : tasks) task.odds.assign(residues, 0.0F);
  GPUHMM_SIMD_CALL(envelopes)(model, tasks, most_shared);
  for (EnvelopeTask& task : tasks) {
    const auto scale = static_cast<float>(1.0 / static_cast<double>(task.backward[0].n));
    if (task.own_scales || !std::isfinite(scale)) {
      score_envelope_plainly(model, alphabet, task);
    } else if (task.wants_null2) {
      complete_odds(alphabet, task.outside_share, task.odds);
    }
  }
}

}  // namespace gpuhmm::hmmer3
#endif
