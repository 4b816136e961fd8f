// The data of the experiment: the publication's random numbers, and sets that force or avoid divergence.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gpuhmm::experiment::maximum {

using Numbers = std::vector<std::int32_t>;

/// What decides the branches that work-items take.
enum class DataSet : std::uint8_t {
  Random,    ///< the publication's: -999 to 999, 0 twice as likely as the others
  Positive,  ///< all in the same branch: the best segment grows
  Negative,  ///< all in the same branch: the best suffix is empty
  InStep,    ///< random, but work-items see the same signs: all take the same branch, which changes
  OutOfStep  ///< neighbours take different branches in each step, and each work-item all four in turn
};
inline constexpr std::array<DataSet, 5> kDataSets{DataSet::Random, DataSet::Positive, DataSet::Negative,
                                                  DataSet::InStep, DataSet::OutOfStep};

/// One word: "random", "positive", "negative", "in-step", "out-of-step".
const char* data_set_name(DataSet set);

/// A vector, of which each work-item scans runs of `run` elements (at least 1).
Numbers subsequence_data(DataSet set, std::size_t size, std::size_t run, std::uint32_t seed,
                         unsigned threads);

/// A square matrix, row by row. A work-item scans a pair of columns (g, h), its neighbour (g, h + 1). Sums of
/// rectangles stay in 32 bits up to a size of 2,048 at least.
Numbers submatrix_data(DataSet set, std::size_t size, std::uint32_t seed, unsigned threads);

}  // namespace gpuhmm::experiment::maximum
