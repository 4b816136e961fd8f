// Forward and Backward of one profile and several sequences (docs/spec/hmmer3/forward-backward.md).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "gpuhmm/hmmer3_hits.hpp"
#include "hmmer3/filters.hpp"
#include "hmmer3/float_model.hpp"
#include "hmmer3/shared_rows.hpp"
#include "hmmer3/striped_matrix.hpp"

namespace gpuhmm::hmmer3 {

/// One sequence, or a part of one, on its way through Forward and Backward.
struct SequenceTask {
  Residues sequence;                          ///< at least one residue
  LengthModel lengths;                        ///< of the target as a whole
  std::vector<SpecialRow> forward, backward;  ///< of rows 0 to length
  float forward_score = 0;                    ///< nats
  bool own_scales = false;                    ///< Backward has scaled otherwise than Forward from some row on
  /// Cells, if they are wanted.
  StripedMatrix* forward_cells = nullptr;
  StripedMatrix* backward_cells = nullptr;
};

/// The rows that Forward and Backward leave of a pair.
struct SweptRows {
  std::span<const SpecialRow> forward, backward;  ///< rows 0 to length
  LengthModel lengths;                            ///< of the target as a whole
  bool own_scales = false;                        ///< as in SequenceTask
};

/// The rows of a task, which must live and stay as they are.
inline SweptRows rows_of(const SequenceTask& task) {
  return {task.forward, task.backward, task.lengths, task.own_scales};
}

/// The logarithm of Forward's scale factors, nats: of those before and one more.
inline float with_scale(float total, float scale) {
  return static_cast<float>(static_cast<double>(total) + std::log(static_cast<double>(scale)));
}
/// Forward's score, nats, from the logarithm of all scale factors and C of the last row.
inline float forward_score(float total, float last_c, float move) {
  return static_cast<float>(static_cast<double>(total) + std::log(static_cast<double>(last_c * move)));
}

/// Fills `forward` and `forward_score` of all tasks, and their cells if wanted. Needs flush to zero
/// (FlushToZero). Tasks of similar length are quickest side by side: their order is kept. Throws
/// ImpossibleComparison.
void run_forward(const FloatModel& model, std::span<SequenceTask* const> tasks);
/// run_forward for the first of the tasks, of which `rows` keeps all cells: as many as go side by side, or
/// fewer, so that rows take at most `most_shared` bytes, but at least one. Returns how many; task t is in
/// group t.
std::size_t run_forward_keeping(const FloatModel& model, std::span<SequenceTask* const> tasks,
                                SharedRows& rows, std::size_t most_shared = SharedRows::kMostShared);
/// Fills `backward` and `own_scales` of all tasks, and their cells if wanted; after Forward.
void run_backward(const FloatModel& model, std::span<SequenceTask* const> tasks);

/// The same, plainly: the references.
void run_forward_plainly(const FloatModel& model, SequenceTask& task);
void run_backward_plainly(const FloatModel& model, SequenceTask& task);

}  // namespace gpuhmm::hmmer3
