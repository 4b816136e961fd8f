// Makes the engines that --device and --cpu of `gpuhmm segments` select.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/run_statistics.hpp"
#include "companion/segments/engine.hpp"
#include "companion/segments/opencl_regions.hpp"
#include "opencl/host_fallback.hpp"

namespace gpuhmm::cli {

/// The engine for `device`, which is a value of --device. "auto" is the host: it searches a vector in less
/// time than copying the vector to a GPU takes. Throws DeviceError.
std::unique_ptr<SegmentEngine> make_engine(const std::string& device, unsigned threads);

/// Adds the line of --stats that names where `device` computes.
void add_engine(RunStatistics& statistics, const std::string& device);

/// Finds the regions of batches of sequences on the devices that `device` names. After a wrong result it
/// warns and continues on the host.
class RegionFinder {
 public:
  /// Throws DeviceError.
  RegionFinder(const std::string& device, unsigned threads);
  /// The regions of each sequence of the batch.
  std::vector<std::vector<Region>> find(const SequenceBatch& batch, const ResidueScores& scores,
                                        const RegionFilter& filter);

 private:
  unsigned threads_;
  HostFallback fallback_;
  std::unique_ptr<RegionDevices> devices_;  // null: the host computes
};

}  // namespace gpuhmm::cli
