// Median, mean and deviation of a sample.
#include "experiment/spread.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gpuhmm::experiment {

Spread spread_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  Spread spread;
  spread.runs = values.size();
  spread.least = values.front();
  spread.most = values.back();
  const std::size_t middle = values.size() / 2;
  spread.median = values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  const double runs = static_cast<double>(values.size());
  spread.mean = std::accumulate(values.begin(), values.end(), 0.0) / runs;
  double squares = 0;
  for (const double value : values) squares += (value - spread.mean) * (value - spread.mean);
  if (values.size() > 1) spread.deviation = std::sqrt(squares / (runs - 1));
  return spread;
}

Spread scaled(Spread spread, double factor) {
  for (double* value : {&spread.median, &spread.mean, &spread.deviation, &spread.least, &spread.most}) {
    *value *= factor;
  }
  return spread;
}

}  // namespace gpuhmm::experiment
