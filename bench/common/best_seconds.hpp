// Processor time of a repeated piece of work.
#pragma once

#include <algorithm>
#include <ctime>
#include <limits>

namespace gpuhmm::bench {

/// Processor seconds of this program so far.
inline double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// The least processor seconds of `runs` calls of body().
double best_seconds(int runs, const auto& body) {
  double best = std::numeric_limits<double>::max();
  for (int run = 0; run < runs; ++run) {
    const double start = cpu_seconds();
    body();
    best = std::min(best, cpu_seconds() - start);
  }
  return best;
}

}  // namespace gpuhmm::bench
