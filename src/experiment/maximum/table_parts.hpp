// The common parts of the tables of both problems.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "experiment/experiment.hpp"
#include "experiment/maximum/data.hpp"
#include "experiment/maximum/published.hpp"
#include "experiment/maximum/repeated.hpp"

namespace gpuhmm::experiment::maximum {

/// The publication's devices: "1 GPU", "2 GPUs".
inline std::string gpus_text(std::size_t gpus) {
  return std::to_string(gpus) + (gpus == 1 ? " GPU" : " GPUs");
}

/// The run's devices: "1 device", "2 devices".
inline std::string devices_text(std::size_t devices) {
  return std::to_string(devices) + (devices == 1 ? " device" : " devices");
}

/// A plot of lines over the first column with two logarithmic axes.
inline PlotStyle lines_over_size(std::vector<std::size_t> series = {}) {
  return {PlotStyle::Kind::Lines, 0, std::move(series), true, true};
}

/// Published times of the sequential algorithm and of a variant on one or more GPUs, and the times measured.
template <class Row>
class TimesByDevices {
 public:
  /// `letter` of the variants: S or M.
  TimesByDevices(std::string first_column, const std::string& letter, std::string unit)
      : unit_(std::move(unit)), shared_(letter + "-shared") {
    table_.columns = {{std::move(first_column), "", Origin::Setting}};
  }
  /// Leaves sequential times out if `sequential_name` is empty. sequential(size) and shared(size, devices)
  /// return a Cell.
  template <class Sequential, class Shared>
  Table table(std::span<const Row> rows, const std::string& sequential_name, const Sequential& sequential,
              const Shared& shared) && {
    const bool sequential_too = !sequential_name.empty();
    const std::size_t most = rows.front().on_gpus.size();
    const auto column = [&](const std::string& name, Origin origin) {
      table_.columns.push_back({name, unit_, origin});
    };
    if (sequential_too) column("sequential", Origin::Published);
    for (std::size_t d = 1; d <= most; ++d) column(gpus_text(d), Origin::Published);
    if (sequential_too) column(sequential_name, Origin::Measured);
    for (std::size_t d = 1; d <= most; ++d) column(shared_ + ", " + devices_text(d), Origin::Measured);
    for (const Row& row : rows) {
      std::vector<Cell>& cells = table_.rows.emplace_back();
      cells.emplace_back(static_cast<double>(row.size));
      if (sequential_too) cells.emplace_back(row.sequential);
      for (const PublishedTime& time : row.on_gpus) cells.emplace_back(time.mean);
      if (sequential_too) cells.push_back(sequential(row.size));
      for (std::size_t d = 1; d <= most; ++d) cells.push_back(shared(row.size, d));
    }
    table_.plot = lines_over_size();
    return std::move(table_);
  }

 private:
  std::string unit_, shared_;
  Table table_;
};

/// The table on branches: kernels of two shapes with and without branches, and today's engine, on all data
/// sets. `letter`: S or M, as in the names of variants.
template <class Bench, class Task, class Shape>
Table branches_table(Bench& bench, Task task, const Shape& global, const Shape& shared,
                     const std::string& letter, const std::string& unit) {
  Table table;
  table.columns = {{"data", "", Origin::Setting},
                   {letter + "-global", unit, Origin::Measured},
                   {letter + "-global, branch-free", unit, Origin::Measured},
                   {letter + "-shared", unit, Origin::Measured},
                   {letter + "-shared, branch-free", unit, Origin::Measured},
                   {"gpuhmm", unit, Origin::Measured},
                   {letter + "-shared by branch-free", "", Origin::Derived}};
  for (const DataSet set : kDataSets) {
    task.set = set;
    const auto kernel = [&](Shape shape, bool with_branches) {
      shape.branches = with_branches;
      return bench.scan(shape, task).kernel;
    };
    const Cell branches = kernel(shared, true), free = kernel(shared, false);
    table.rows.push_back({data_set_name(set), kernel(global, true), kernel(global, false), branches, free,
                          bench.engine(task).kernel, ratio(branches, free)});
  }
  return table;
}

/// Makes sources of tables from functions of a bench that all of them share.
template <class Bench>
class TableSources {
 public:
  template <class Measure>
  void add(const std::string& id, const std::string& title, const Measure& measure) {
    sources_.push_back({id, title, [shared = shared_, measure](const Request& request) {
                          return measure(shared->serving(request));
                        }});
  }
  std::vector<TableSource> sources() && { return std::move(sources_); }

 private:
  std::shared_ptr<SharedBench<Bench>> shared_ = std::make_shared<SharedBench<Bench>>();
  std::vector<TableSource> sources_;
};

}  // namespace gpuhmm::experiment::maximum
