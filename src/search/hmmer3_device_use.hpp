// The devices that a search or a scan with HMMER3 profiles was given: opened while it reads its input.
#pragma once

#include <future>
#include <memory>
#include <optional>
#include <vector>

#include "gpuhmm/hmmer3_run.hpp"
#include "search/hmmer3_devices.hpp"

namespace gpuhmm::hmmer3 {

/// Not thread-safe.
class DeviceUse {
 public:
  /// Begins to open options.devices, in other threads. `options` must outlive this; `warn` is called from any
  /// thread.
  DeviceUse(const SearchOptions& options, Warning warn);

  /// Begins a pass of the batch if there is a device left that can compare it with the profiles. Throws
  /// DeviceError if a device could not be opened.
  void begin(std::optional<SsvDevices::Pass>& pass, const SequenceBatch& batch,
             std::vector<const SearchProfile*> profiles);

  /// Adds the devices' names and times; not to be called during a pass.
  void describe(SearchStatistics& statistics) const;

 private:
  const SearchOptions& options_;
  Warning warn_;
  std::future<std::vector<std::unique_ptr<SsvFinder>>> opening_;
  std::optional<SsvDevices> devices_;
};

}  // namespace gpuhmm::hmmer3
