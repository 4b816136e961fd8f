// The figures of C. S. F. da Luz, "Implementações de algoritmos paralelos da subsequência máxima e da
// submatriz máxima em GPU", master's dissertation (UFABC, 2013).
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace gpuhmm::experiment::maximum {

/// Mean and deviation of ten runs, and the printed speed-up.
struct PublishedTime {
  double mean, deviation, speed_up;
};

/// A row of tables 6.1 to 6.4, in milliseconds.
struct PublishedSubsequence {
  std::size_t size;  ///< elements
  double sequential, sequential_deviation;
  std::array<PublishedTime, 4> on_gpus;  ///< on 1, 2, 3 and 4 GPUs
};

/// A row of tables 6.5 and 6.6, in seconds.
struct PublishedSubmatrix {
  std::size_t size;  ///< rows and columns
  double sequential, sequential_deviation;
  std::array<PublishedTime, 2> on_gpus;  ///< on 1 and 2 GPUs
};

std::span<const PublishedSubsequence> published_subsequences();
std::span<const PublishedSubmatrix> published_submatrices();

}  // namespace gpuhmm::experiment::maximum
