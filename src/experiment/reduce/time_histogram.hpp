// Times of many runs as a table of bins.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "experiment/table.hpp"

namespace gpuhmm::experiment {

/// The times of one method, in ms.
struct TimeSeries {
  std::string name;
  std::vector<double> times = {};
};

/// A row for each of `bins` bins, each wider than the one before by the same factor, from the least time of
/// all series to the greatest; a column for each series with its number of runs in the bin. The spread of
/// every series is a note. Series without times are absent with `reason`; times must be positive.
Table time_histogram(std::string id, std::string title, const std::vector<TimeSeries>& series,
                     std::size_t bins, const std::string& reason);

}  // namespace gpuhmm::experiment
