// Repeated measurements and their spread.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "util/stopwatch.hpp"

namespace gpuhmm::experiment {

/// Statistics of repeated measurements, in the unit of the measurements.
struct Spread {
  double median = 0, mean = 0;
  double deviation = 0;  ///< of the sample (divisor: runs - 1); 0 for one run
  double least = 0, most = 0;
  std::size_t runs = 0;
};

/// The statistics of at least one value.
Spread spread_of(std::vector<double> values);

/// The statistics in another unit: all members multiplied by `factor`.
Spread scaled(Spread spread, double factor);

/// The spread of `runs` (at least 1) calls of measure(), which returns a measurement. One more call before
/// them is not counted; but it is the only one if one is wanted and it gives `long_run` or more.
template <class Measure>
Spread measured(std::size_t runs, const Measure& measure,
                double long_run = std::numeric_limits<double>::infinity()) {
  const double first = measure();
  if (runs == 1 && first >= long_run) return spread_of({first});
  std::vector<double> values(runs);
  for (double& value : values) value = measure();
  return spread_of(std::move(values));
}

/// The wall time, in seconds, of work().
template <class Work>
double seconds_of(const Work& work) {
  double seconds = 0;
  {
    const Stopwatch watch(seconds);
    work();
  }
  return seconds;
}

}  // namespace gpuhmm::experiment
