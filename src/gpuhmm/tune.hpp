// Finds the fastest kernel settings of a device by trying them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpuhmm/device.hpp"
#include "gpuhmm/engine.hpp"

namespace gpuhmm {

/// Number of sequences that keeps the device busy just long enough for timing.
std::size_t suitable_sequences(const DeviceInfo& device);

/// The kernels whose settings are tried: the filters for HMMER2 profiles, and the first one for HMMER3's.
enum class TunedKernels { Filters, Ssv };

/// One value of a setting that was tried.
struct TuningStep {
  TunedKernels kernels;
  std::string setting;  ///< empty for the built-in settings
  std::int64_t value = 0;
  std::optional<double> cells_per_second;  ///< nothing if it failed
  bool kept = false;                       ///< it is the fastest so far
  std::string failure;                     ///< the reason, if it failed
};

/// Makes an engine with these settings. Throws EngineFailure.
using TunedEngineMaker = std::function<std::unique_ptr<ScoreEngine>(const DeviceSettings&)>;

/// Cells a second with the settings found and with the built-in ones, measured alternately; equal if none are
/// faster.
struct TunedSpeeds {
  double tuned = 0, built_in = 0;
};

/// The settings that differ from the built-in ones, as they are faster, and the speeds.
struct Tuning {
  DeviceSettings settings;
  TunedSpeeds filters;  ///< for HMMER2 profiles: exact scores and upper bounds together
  TunedSpeeds ssv;      ///< for HMMER3 profiles, by the time of the kernel; 0 for devices other than GPUs
};

/// Tries the values of one setting after another and keeps the fastest, with `sequences` random proteins and
/// some random models. `report` gets every step; settings with which the device fails or gives other scores
/// than with the built-in ones are reported and not kept. Throws EngineFailure if the built-in settings fail.
/// `make` opens the engine to be timed for HMMER2 profiles; by default the device's own.
Tuning tune_device(const DeviceInfo& device, std::size_t sequences, unsigned threads,
                   const std::function<void(const TuningStep&)>& report, const TunedEngineMaker& make = {});

}  // namespace gpuhmm
