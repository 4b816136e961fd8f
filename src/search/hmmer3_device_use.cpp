// Decides for which batches devices are used.
#include "search/hmmer3_device_use.hpp"

#include <utility>

#include "hmmer3/comparison.hpp"

namespace gpuhmm::hmmer3 {

DeviceUse::DeviceUse(const SearchOptions& options, Warning warn) : options_(options), warn_(std::move(warn)) {
  if (options_.devices.empty()) return;
  opening_ = std::async(std::launch::async,
                        [this] { return open_device_stages(options_.devices, options_.threads); });
}

void DeviceUse::begin(std::optional<StageDevices::Pass>& pass, const SequenceBatch& batch,
                      std::vector<const SearchProfile*> profiles) {
  if (opening_.valid()) devices_.emplace(opening_.get(), options_.verification, options_.threads, warn_);
  if (!devices_ || !devices_->any() || profiles.empty()) return;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (batch.length(i) > kLongestSequence) return;  // the comparison will fail
  }
  pass.emplace(*devices_, batch, std::move(profiles), options_.hmmer3);
}

bool DeviceUse::has_stages(const std::optional<StageDevices::Pass>& pass) const {
  return pass && devices_->any_scorer();
}

void DeviceUse::run_stages(const std::optional<StageDevices::Pass>& pass, const SequenceBatch& batch,
                           const StagedComparisons& compared) {
  if (pass) devices_->run_stages(batch, compared);
}

void DeviceUse::describe(SearchStatistics& statistics) const {
  if (!devices_) return;
  statistics.engine = devices_->description();
  statistics.seconds.engine.kernels = devices_->busy_seconds();
}

}  // namespace gpuhmm::hmmer3
