// Regions of batches of sequences on OpenCL devices, which share each batch.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "companion/segments/region_device.hpp"
#include "companion/segments/regions.hpp"
#include "gpuhmm/device.hpp"

namespace gpuhmm {

/// Devices that find regions, with the same results as find_regions (regions.hpp). Not thread-safe. All calls
/// throw EngineFailure.
class RegionDevices {
 public:
  /// Each of `devices` gets about an equal part of the residues of a batch; with `host_too` the host, on
  /// `threads` threads, takes one such part as well. Without `shape` each device uses BatchShape::suiting.
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
