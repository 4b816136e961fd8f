// One row of the matrix of optimal accuracy (docs/spec/hmmer3/domains.md, 9).
#pragma once

#include "hmmer3/float_model.hpp"

namespace gpuhmm::hmmer3 {

/// Fills `row` from the row `before`, both cells of a StripedMatrix, and the posteriors of the row's residue.
/// `begin`: B of the row before. Gives E, the largest cell of a match or delete state.
float fill_accuracy_row(const FloatModel& model, float begin, const float* before, const float* posteriors,
                        float* row);

}  // namespace gpuhmm::hmmer3
