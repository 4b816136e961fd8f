// Where `gpuhmm segments` computes: --device and --cpu turned into engines.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "companion/segments/engine.hpp"
#include "companion/segments/opencl_regions.hpp"
#include "opencl/host_fallback.hpp"

namespace gpuhmm::cli {

/// The engine for `device` as of EngineMaker. auto is the host: a vector is searched in less time than it
/// takes to bring it to a GPU. Throws DeviceError.
std::unique_ptr<SegmentEngine> make_engine(const std::string& device, unsigned threads);

/// Finds the regions of batches of sequences where `device` says; after a wrong result of a device, and a
/// warning, on the host.
class RegionFinder {
 public:
  /// Throws DeviceError.
  RegionFinder(const std::string& device, unsigned threads);
  std::vector<std::vector<Region>> find(const SequenceBatch& batch, const ResidueScores& scores,
                                        const RegionFilter& filter);

 private:
  unsigned threads_;
  HostFallback fallback_;
  std::unique_ptr<RegionDevices> devices_;  // null: the host's threads
};

}  // namespace gpuhmm::cli
