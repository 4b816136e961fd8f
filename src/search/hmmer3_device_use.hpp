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
  void begin(std::optional<StageDevices::Pass>& pass, const SequenceBatch& batch,
             std::vector<const SearchProfile*> profiles);

  /// Whether run_stages() can run the stages behind SSV and MSV for the batch of this pass.
  bool has_stages(const std::optional<StageDevices::Pass>& pass) const;
  /// Runs them for comparisons that have run MSV. Throws WrongScore.
  void run_stages(const std::optional<StageDevices::Pass>& pass, const SequenceBatch& batch,
                  const StagedComparisons& compared);

  /// Adds the devices' names and times; not to be called during a pass.
  void describe(SearchStatistics& statistics) const;

 private:
  const SearchOptions& options_;
  Warning warn_;
  std::future<std::vector<DeviceStages>> opening_;
  std::optional<StageDevices> devices_;
};

}  // namespace gpuhmm::hmmer3
