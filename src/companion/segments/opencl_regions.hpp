// Regions of batches of sequences on OpenCL devices that share a batch.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "companion/segments/region_device.hpp"
#include "companion/segments/regions.hpp"
#include "gpuhmm/device.hpp"

namespace gpuhmm {

/// Gives the answers of find_regions. Not thread-safe. Calls throw EngineFailure.
class RegionDevices {
 public:
  /// Each of `devices` gets an equal part of the residues of a batch; with `host_too` `threads` threads of
  /// the host have a part as well. Without `shape` each device has the one that suits it.
  RegionDevices(const std::vector<DeviceInfo>& devices, bool host_too, unsigned threads,
                const std::optional<BatchShape>& shape = {});

  std::vector<std::vector<Region>> find(const SequenceBatch& batch, const ResidueScores& scores,
                                        const RegionFilter& filter);

 private:
  std::vector<std::unique_ptr<RegionDevice>> devices_;
  bool host_too_;
  unsigned threads_;
};

}  // namespace gpuhmm
