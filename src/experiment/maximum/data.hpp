// The data of the experiment: the publication's random numbers, and data that force or avoid divergent
// branches.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gpuhmm::experiment::maximum {

using Numbers = std::vector<std::int32_t>;

/// Kinds of data by the branches that work-items take.
enum class DataSet : std::uint8_t {
  Random,    ///< the publication's: -999 to 999, 0 twice as often as the others
  Positive,  ///< all take one branch: the best segment grows
  Negative,  ///< all take one branch: the best suffix is empty
  InStep,    ///< random with equal signs for all work-items: all take one branch, which changes
  OutOfStep  ///< neighbours take different branches in each step; each takes all four in turn
};
inline constexpr std::array<DataSet, 5> kDataSets{DataSet::Random, DataSet::Positive, DataSet::Negative,
                                                  DataSet::InStep, DataSet::OutOfStep};

/// The name of a data set: "random", "positive", "negative", "in-step", "out-of-step".
const char* data_set_name(DataSet set);

/// A vector for work-items that scan runs of `run` elements (at least 1).
Numbers subsequence_data(DataSet set, std::size_t size, std::size_t run, std::uint32_t seed,
                         unsigned threads);

/// A square matrix, row by row, for work-items that scan pairs of columns: one (g, h), its neighbour (g, h +
/// 1). Sums of rectangles fit 32 bits for sizes up to 2,048 at least.
Numbers submatrix_data(DataSet set, std::size_t size, std::uint32_t seed, unsigned threads);

}  // namespace gpuhmm::experiment::maximum
