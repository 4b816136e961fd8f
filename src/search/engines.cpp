// Opens those devices that --device names and the work is worth, each in its own thread, and makes their
// engines.
#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "filter/opencl/cpu_engine.hpp"
#include "filter/opencl/gpu_engine.hpp"
#include "filter/opencl/gpu_variant.hpp"
#include "filter/opencl/opencl_engine.hpp"
#include "gpuhmm/device.hpp"
#include "gpuhmm/engine_maker.hpp"
#include "search/tuned_settings.hpp"

namespace gpuhmm {

namespace {

// The work (nodes x residues) that the host does in about the time a GPU needs to start. With less work,
// OpenCL is not loaded.
constexpr double kWorthStarting = 2e10;

// Opening one device more takes so many seconds, also in a thread of its own: drivers open one after the
// other (four H200s in 1.7 to 2.0 s).
constexpr double kSecondsToOpen = 0.45;

// Cells a second of a mid-range GPU, one of 60 compute units.
constexpr double kMidRangeSpeed = 1.2e12;

// True if opening one device more takes longer than it saves. `speed`: of those before; `more`: its own.
bool is_enough(double cells, double speed, double more) {
  return cells * more <= kSecondsToOpen * speed * (speed + more);
}

double expected_speed(const DeviceInfo& device) {
  return device.type == DeviceType::Cpu ? expected_cpu_speed(device)
                                        : choose_gpu_variant(device).expected_speed;
}

std::unique_ptr<ScoreEngine> make_general_engine(const DeviceInfo& device, unsigned threads) {
  OpenClOptions options;
  options.host_threads = threads;
  options.host_engine = make_simd_engine(threads);
  return make_opencl_engine(device, std::move(options));
}

// Calls that the host serves at the same time: some, as each is done by one thread at times. Each takes
// memory for all threads.
unsigned host_calls(unsigned threads) {
  constexpr unsigned kThreadsOfOne = 4, kMost = 4;
  return std::clamp(threads / kThreadsOfOne, 1U, kMost);
}

std::unique_ptr<ScoreEngine> make_tuned_engine(const DeviceInfo& device, unsigned threads) {
  return with_tuned_settings(
      device, [&](const DeviceSettings& settings) { return make_device_engine(device, threads, settings); });
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

std::vector<std::size_t> worth_opening(const std::vector<DeviceInfo>& devices, double cells) {
  std::vector<std::size_t> fastest_first(devices.size());
  std::iota(fastest_first.begin(), fastest_first.end(), std::size_t{0});
  std::ranges::stable_sort(fastest_first, std::ranges::greater(),
                           [&](std::size_t d) { return expected_speed(devices[d]); });
  std::vector<std::size_t> opened;
  double speed = 0;  // of those
  for (const std::size_t d : fastest_first) {
    const double more = expected_speed(devices[d]);
    if (!opened.empty() && is_enough(cells, speed, more)) break;
    opened.push_back(d);
    speed += more;
  }
  std::ranges::sort(opened);
  return opened;
}

bool one_device_suffices(double cells) {
  return cells > 0 && is_enough(cells, kMidRangeSpeed, kMidRangeSpeed);
}

EngineMaker::EngineMaker(const std::string& device, unsigned threads)
    : automatic_(device == "auto"), none_(device == "none"), threads_(threads) {
  if (automatic_ || none_) return;
  named_ = std::async(std::launch::async, [device] { return named_devices(device); }).share();
}

void EngineMaker::check() const {
  if (named_.valid()) named_.get();
}

std::size_t EngineMaker::preferred_batch() const {
  if (!named_.valid()) return 0;
  const auto is_gpu = [](const DeviceInfo& device) { return device.type == DeviceType::Gpu; };
  return std::ranges::any_of(named_.get().devices, is_gpu) ? ScoreEngine::kLargeBatch : 0;
}

bool EngineMaker::worth_starting(double cells) const {
  return named_.valid() || (automatic_ && cells >= kWorthStarting);
}

void EngineMaker::begin(double cells) {
  expected_ = cells;
  if (!worth_starting(cells)) return;
  begun_ = std::async(std::launch::async, [this] {
    Opening opening;
    open(expected_, opening);
    return opening;
  });
}

// Begins to open the devices that so many cells are worth and that are not among those being opened.
void EngineMaker::open(double cells, Opening& opening) const {
  std::vector<DeviceInfo> devices;
  if (named_.valid()) devices = named_.get().devices;
  if (automatic_) {
    if (const std::optional<DeviceInfo> gpu = select_device(list_devices(), "auto")) devices.push_back(*gpu);
  }
  for (const std::size_t d : worth_opening(devices, cells)) {
    if (opening.contains(d)) continue;
    opening[d] = std::async(std::launch::async, [device = devices[d], threads = threads_] {
      return make_tuned_engine(device, threads);
    });
  }
}

std::vector<std::unique_ptr<ScoreEngine>> EngineMaker::make(const ExpectedWork& work, const Warning& warn,
                                                            const EngineOpened& opened) {
  constexpr double kNoLimit = std::numeric_limits<double>::infinity();
  const double unknown = expected_ > 0 ? std::max(expected_, work.cells) : kNoLimit;
  const bool begun = begun_.valid();
  Opening opening;
  if (begun) opening = begun_.get();
  if (begun ? named() : !none_ && (work.more || worth_starting(work.cells))) {
    open(work.more ? unknown : work.cells, opening);
  }
  const std::size_t devices = opening.size();
  if (opened && devices > 1) {
    for (auto& [d, engine] : opening) {
      engine = std::async(std::launch::async, [opening_one = std::move(engine), &opened, devices]() mutable {
        std::unique_ptr<ScoreEngine> one = opening_one.get();
        opened(*one, devices);
        return one;
      });
    }
  }
  std::vector<std::unique_ptr<ScoreEngine>> engines;
  for (auto& [d, engine] : opening) {
    try {
      engines.push_back(engine.get());
    } catch (const EngineFailure& failure) {
      if (!automatic_) throw DeviceError(failure.what());
      warn(failure.what());
    }
  }
  if (named_.valid() && named_.get().host_too) engines.push_back(make_simd_engine(threads_));
  engines.push_back(work.small_batches ? make_simd_engine(1, threads_)
                                       : make_simd_engine(threads_, host_calls(threads_), threads_));
  return engines;
}

}  // namespace gpuhmm
