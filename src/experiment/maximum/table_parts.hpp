// What the tables of both problems share.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "experiment/experiment.hpp"
#include "experiment/maximum/repeated.hpp"

namespace gpuhmm::experiment::maximum {

/// "1 GPU", "2 GPUs": of the publication.
inline std::string gpus_text(std::size_t gpus) {
  return std::to_string(gpus) + (gpus == 1 ? " GPU" : " GPUs");
}

/// "1 device", "2 devices": of the run.
inline std::string devices_text(std::size_t devices) {
  return std::to_string(devices) + (devices == 1 ? " device" : " devices");
}

/// Lines over the first column, both axes logarithmic.
inline PlotStyle lines_over_size(std::vector<std::size_t> series = {}) {
  return {PlotStyle::Kind::Lines, 0, std::move(series), true, true};
}

/// Makes sources of functions of a bench, which all share one.
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
