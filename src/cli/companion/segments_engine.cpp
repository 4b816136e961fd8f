// Makes the engines of `gpuhmm segments`.
#include "cli/companion/segments_engine.hpp"

#include "cli/message.hpp"
#include "companion/segments/checked_engine.hpp"
#include "companion/segments/opencl_engine.hpp"
#include "gpuhmm/engine.hpp"

namespace gpuhmm::cli {

namespace {

bool is_host(const std::string& device) { return device == "auto" || device == "none"; }

// Makes a T for the OpenCL devices that `device` names. Throws DeviceError.
template <class T>
std::unique_ptr<T> on_devices(const std::string& device, const auto& make) {
  const NamedDevices choice = named_devices(device);
  try {
    return make(choice);
  } catch (const EngineFailure& error) {
    throw DeviceError(error.what());
  }
}

}  // namespace

std::unique_ptr<SegmentEngine> make_engine(const std::string& device, unsigned threads) {
  if (is_host(device)) return make_host_segment_engine(threads);
  return on_devices<SegmentEngine>(device, [&](const NamedDevices& choice) {
    return make_checked_segment_engine(make_opencl_segment_engine(choice.devices, choice.host_too, threads),
                                       make_host_segment_engine(threads),
                                       [](const std::string& message) { warn(message); });
  });
}

void add_engine(RunStatistics& statistics, const std::string& device) {
  if (is_host(device)) return statistics.engine(std::nullopt);
  const NamedDevices choice = named_devices(device);
  statistics.engine(choice.devices, choice.host_too);
}

RegionFinder::RegionFinder(const std::string& device, unsigned threads)
    : threads_(threads), fallback_(HostFallback::After::WrongResult, warn) {
  if (is_host(device)) return;
  devices_ = on_devices<RegionDevices>(device, [&](const NamedDevices& choice) {
    return std::make_unique<RegionDevices>(choice.devices, choice.host_too, threads);
  });
}

std::vector<std::vector<Region>> RegionFinder::find(const SequenceBatch& batch, const ResidueScores& scores,
                                                    const RegionFilter& filter) {
  const auto on_host = [&] { return find_regions(batch, scores, filter, threads_); };
  if (!devices_) return on_host();
  const auto on_devices = [&] {
    auto found = devices_->find(batch, scores, filter);
    check_regions(batch, scores, filter, found, threads_);
    return found;
  };
  return fallback_.run(on_devices, on_host);
}

}  // namespace gpuhmm::cli
