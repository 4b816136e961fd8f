// Writes a reduced matrix as text.
#pragma once

#include <cstdint>
#include <string>

#include "companion/reduce/reduce.hpp"

namespace gpuhmm {

/// A remark with the operation and the number of matrices, then a line for each row, with values separated by
/// tabs. Real numbers have their shortest form. `matrix` must have two dimensions.
std::string matrix_table(const NumberArray& matrix, ReduceOperation operation, std::uint64_t matrices);

}  // namespace gpuhmm
