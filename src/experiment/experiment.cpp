// Chooses and measures tables.
#include "experiment/experiment.hpp"

#include <algorithm>
#include <tuple>

#include "experiment/reasons.hpp"

namespace gpuhmm::experiment {

std::optional<std::string> Request::leaves_out(std::size_t size) const {
  if (largest > 0 && size > largest) return kAboveLargest;
  if (size < smallest) return kBelowSmallest;
  return std::nullopt;
}

bool Request::measures_as(const Request& other) const {
  const auto settings = [](const Request& of) {
    std::vector<std::size_t> indices;
    for (const DeviceInfo& device : of.devices) indices.push_back(device.index);
    return std::tuple(std::move(indices), of.threads, of.runs, of.full, of.largest, of.smallest, of.limit,
                      of.words_per_item, of.work_group, of.seed, of.profiles, of.sequences);
  };
  return settings(*this) == settings(other);
}

std::vector<TableSource> chosen_tables(const Experiment& experiment, const std::vector<std::string>& ids) {
  for (const std::string& id : ids) {
    const auto has_id = [&id](const TableSource& table) { return table.id == id; };
    if (std::any_of(experiment.tables.begin(), experiment.tables.end(), has_id)) continue;
    std::string known;
    for (const TableSource& table : experiment.tables) known += (known.empty() ? "" : ", ") + table.id;
    throw std::invalid_argument("bench " + experiment.name + " has no table " + id + "; expected one of " +
                                known);
  }
  std::vector<TableSource> chosen;
  for (const TableSource& table : experiment.tables) {
    if (ids.empty() || std::find(ids.begin(), ids.end(), table.id) != ids.end()) chosen.push_back(table);
  }
  return chosen;
}

Table measure(const TableSource& source, const Request& request) {
  Table table = source.measure(request);
  table.id = source.id;
  table.title = source.title;
  for (const std::vector<Cell>& row : table.rows) {
    if (row.size() != table.columns.size()) {
      throw std::logic_error("table " + table.id + ": a row has " + std::to_string(row.size()) +
                             " cells for " + std::to_string(table.columns.size()) + " columns");
    }
  }
  return table;
}

}  // namespace gpuhmm::experiment
