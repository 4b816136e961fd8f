// Opens the devices that --device names, each in its own thread, and makes their engines.
#include <optional>
#include <utility>

#include "filter/opencl/cpu_engine.hpp"
#include "filter/opencl/gpu_engine.hpp"
#include "filter/opencl/opencl_engine.hpp"
#include "gpuhmm/device.hpp"
#include "gpuhmm/engine.hpp"

namespace gpuhmm {

namespace {

// The work (nodes x residues) that the host does in about the time a GPU needs to start. With less work,
// OpenCL is not loaded.
constexpr double kWorthStarting = 2e10;

std::unique_ptr<ScoreEngine> make_general_engine(const DeviceInfo& device, unsigned threads) {
  OpenClOptions options;
  options.host_threads = threads;
  options.host_engine = make_simd_engine(threads);
  return make_opencl_engine(device, std::move(options));
}

// An engine with the settings from the user's table of devices, if it has any. Throws FileError if the
// settings are not valid for the device.
std::unique_ptr<ScoreEngine> make_tuned_engine(const DeviceInfo& device, unsigned threads) {
  const std::string path = device_table_path();
  const DeviceTable table = read_device_table(path);
  const auto found = table.find(device.name);
  try {
    return make_device_engine(device, threads, found != table.end() ? found->second : DeviceSettings());
  } catch (const std::invalid_argument& error) {
    throw FileError(path + ": device \"" + device.name + "\": " + error.what());
  }
}

}  // namespace

std::unique_ptr<ScoreEngine> make_device_engine(const DeviceInfo& device, unsigned threads,
                                                const DeviceSettings& settings) {
  const auto make_general = [device, threads] { return make_general_engine(device, threads); };
  if (device.type == DeviceType::Cpu) {
    return make_cpu_engine(device, {.make_general_engine = make_general,
                                    .variant = with_settings(choose_striped_variant(device), settings)});
  }
  if (device.type != DeviceType::Gpu) return make_general();
  GpuEngineOptions options;
  options.host_threads = threads;
  options.host_engine = make_simd_engine(threads);
  options.make_general_engine = make_general;
  options.variant = with_settings(choose_gpu_variant(device), settings);
  return make_gpu_engine(device, std::move(options));
}

EngineMaker::EngineMaker(const std::string& device, unsigned threads)
    : automatic_(device == "auto"), none_(device == "none"), threads_(threads) {
  if (automatic_ || none_) return;
  named_ = std::async(std::launch::async, [device] { return named_devices(device); }).share();
}

void EngineMaker::check() const {
  if (named_.valid()) named_.get();
}

bool EngineMaker::worth_starting(double cells) const {
  return named_.valid() || (automatic_ && cells >= kWorthStarting);
}

void EngineMaker::begin(double cells) {
  if (worth_starting(cells)) begun_ = std::async(std::launch::async, [this] { return open_devices(); });
}

EngineMaker::Made EngineMaker::open_devices() const {
  std::vector<DeviceInfo> devices;
  if (named_.valid()) devices = named_.get().devices;
  if (automatic_) {
    if (const std::optional<DeviceInfo> gpu = select_device(list_devices(), "auto")) devices.push_back(*gpu);
  }
  Made made;
  std::vector<std::future<std::unique_ptr<ScoreEngine>>> opening;
  for (const DeviceInfo& device : devices) {
    opening.push_back(
        std::async(std::launch::async, [&device, this] { return make_tuned_engine(device, threads_); }));
  }
  for (std::future<std::unique_ptr<ScoreEngine>>& opened : opening) {
    try {
      made.engines.push_back(opened.get());
    } catch (const EngineFailure& failure) {
      if (!automatic_) throw DeviceError(failure.what());
      made.warnings.emplace_back(failure.what());
    }
  }
  return made;
}

std::vector<std::unique_ptr<ScoreEngine>> EngineMaker::make(const ExpectedWork& work, const Warning& warn) {
  Made made;
  if (begun_.valid()) {
    made = begun_.get();
  } else if (!none_ && (work.more || worth_starting(work.cells))) {
    made = open_devices();
  }
  for (const std::string& warning : made.warnings) warn(warning);
  std::vector<std::unique_ptr<ScoreEngine>> engines = std::move(made.engines);
  if (named_.valid() && named_.get().host_too) engines.push_back(make_simd_engine(threads_));
  engines.push_back(work.small_batches ? make_simd_engine(1, threads_) : make_simd_engine(threads_));
  return engines;
}

}  // namespace gpuhmm
