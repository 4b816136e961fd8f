// Choice of engines; see the header.
#include "search/engines.hpp"

#include "filter/opencl/opencl_engine.hpp"

namespace gpuhmm {

namespace {

// Work (nodes x residues) that the host does in about the time a GPU needs to start: below it, OpenCL is not
// touched.
constexpr double kWorthStarting = 2e10;

}  // namespace

EngineMaker::EngineMaker(const std::string& device, unsigned threads)
    : automatic_(device == "auto"), threads_(threads) {
  if (automatic_ || device == "none") return;
  try {
    device_ = select_device(list_devices(), device);
  } catch (const std::invalid_argument& error) {
    throw DeviceError(error.what());
  }
}

std::vector<std::unique_ptr<ScoreEngine>> EngineMaker::make(double cells, bool more,
                                                            const Warning& warn) const {
  std::optional<DeviceInfo> device = device_;
  if (automatic_ && (more || cells >= kWorthStarting)) device = select_device(list_devices(), "auto");
  std::vector<std::unique_ptr<ScoreEngine>> engines;
  if (device) {
    try {
      OpenClOptions options;
      options.host_threads = threads_;
      options.host_engine = make_simd_engine(threads_);
      engines.push_back(make_opencl_engine(*device, std::move(options)));
    } catch (const EngineFailure& failure) {
      if (!automatic_) throw DeviceError(failure.what());
      warn(failure.what());
    }
  }
  engines.push_back(make_simd_engine(threads_));
  return engines;
}

}  // namespace gpuhmm
