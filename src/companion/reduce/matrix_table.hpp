// A reduced matrix as text.
#pragma once

#include <cstdint>
#include <string>

#include "companion/reduce/reduce.hpp"

namespace gpuhmm {

/// A remark that says what was done with how many matrices, then a line a row, parted by tabs; real numbers
/// in their shortest form. `matrix` has two dimensions.
std::string matrix_table(const NumberArray& matrix, ReduceOperation operation, std::uint64_t matrices);

}  // namespace gpuhmm
