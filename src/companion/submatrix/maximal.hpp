// All maximal submatrices: the best rectangle, then the best one of the cells that it left, and so on. The
// definition and the proofs are in docs/submatrix.md.
#pragma once

#include <vector>

#include "companion/submatrix/matrix.hpp"
#include "companion/submatrix/reference.hpp"
#include "companion/submatrix/search.hpp"

namespace gpuhmm {

/// What maximal_submatrices_reference gives, by a search that keeps upper bounds from one rectangle to the
/// next. Devices, if there are any, compute bounds of all pairs of lines; those that fail are removed from
/// `options`.
std::vector<Pattern> maximal_submatrices(Matrix matrix, const SubmatrixLimits& limits,
                                         SubmatrixOptions& options);

}  // namespace gpuhmm
