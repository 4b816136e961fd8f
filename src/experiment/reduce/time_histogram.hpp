// Makes a histogram of the times of many runs as a table.
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

/// The table has a row for each of `bins` bins from the least to the greatest time of all series, each wider
/// than the one before by the same factor, and a column for each series with the number of runs in the bin.
/// Its notes have the spread of every series. Series without times are absent for `reason`. Times must be
/// positive.
Table time_histogram(std::string id, std::string title, const std::vector<TimeSeries>& series,
                     std::size_t bins, const std::string& reason);

}  // namespace gpuhmm::experiment
