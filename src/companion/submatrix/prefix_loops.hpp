// Vectorised loops that compute bounds of two-dimensional prefix sums (used in planes.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "util/int128.hpp"

namespace gpuhmm {

/// Adds a row to the sums `last` of `columns` columns, and updates their smallest values `low` and largest
/// values `high`. Sum: std::int64_t or Int128.
template <class Sum>
void add_row(std::size_t columns, const Sum* row, Sum* last, Sum* low, Sum* high);

/// The sum of the absolute values of at most 2^31 values.
Int128 sum_of_sizes(const std::int64_t* values, std::size_t count);

}  // namespace gpuhmm
