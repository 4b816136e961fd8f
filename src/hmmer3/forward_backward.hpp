// Forward and Backward of one profile and several sequences (docs/spec/hmmer3/forward-backward.md).
#pragma once

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

/// Fills `forward` and `forward_score` of all tasks, and their cells if wanted. Needs flush to zero
/// (FlushToZero). Tasks of similar length are quickest side by side: their order is kept. Throws
/// ImpossibleComparison.
void run_forward(const FloatModel& model, std::span<SequenceTask* const> tasks);
/// run_forward for the first of the tasks, as many as go side by side, of which `rows` keeps all cells.
/// Returns how many; task t is in group t. `most_shared`: bytes of rows that they may share.
std::size_t run_forward_keeping(const FloatModel& model, std::span<SequenceTask* const> tasks,
                                SharedRows& rows, std::size_t most_shared = SharedRows::kMostShared);
/// Fills `backward` and `own_scales` of all tasks, and their cells if wanted; after Forward.
void run_backward(const FloatModel& model, std::span<SequenceTask* const> tasks);

/// The same, plainly: the references.
void run_forward_plainly(const FloatModel& model, SequenceTask& task);
void run_backward_plainly(const FloatModel& model, SequenceTask& task);

}  // namespace gpuhmm::hmmer3
