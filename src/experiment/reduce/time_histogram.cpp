// Counts times in bins.
#include "experiment/reduce/time_histogram.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "util/format.hpp"

namespace gpuhmm::experiment {

Table time_histogram(std::string id, std::string title, const std::vector<TimeSeries>& series,
                     std::size_t bins, const std::string& reason) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const TimeSeries& one : series) {
    for (const double time : one.times) {
      least = std::min(least, time);
      most = std::max(most, time);
    }
  }
  const auto count = static_cast<double>(bins);
  const auto bin_of = [=](double time) {
    const double place = most > least ? count * std::log(time / least) / std::log(most / least) : 0;
    return std::min(static_cast<std::size_t>(std::max(place, 0.0)), bins - 1);
  };
  const auto edge = [=](std::size_t bin) {
    return least * std::pow(most / least, static_cast<double>(bin) / count);
  };

  Table table{.id = std::move(id), .title = std::move(title), .columns = {{"time", "ms", Origin::Setting}}};
  table.rows.resize(bins);
  for (std::size_t bin = 0; bin < bins; ++bin)
    table.rows[bin].emplace_back(format("%.3g to %.3g", edge(bin), edge(bin + 1)));
  for (const TimeSeries& one : series) {
    table.columns.push_back({one.name, "runs", Origin::Measured});
    std::vector<double> runs(bins);
    for (const double time : one.times) ++runs[bin_of(time)];
    for (std::size_t bin = 0; bin < bins; ++bin)
      table.rows[bin].push_back(one.times.empty() ? Cell::absent(reason) : Cell(runs[bin]));
    if (one.times.empty()) continue;
    const Spread spread = spread_of(one.times);
    table.notes.push_back(format("%s: median %.4g ms, mean %.4g, deviation %.2g, %.4g to %.4g.",
                                 one.name.c_str(), spread.median, spread.mean, spread.deviation, spread.least,
                                 spread.most));
  }
  table.plot = {.kind = PlotStyle::Kind::Bars, .along = 0};
  return table;
}

}  // namespace gpuhmm::experiment
