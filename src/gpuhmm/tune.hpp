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

/// One value of a setting that was tried.
struct TuningStep {
  std::string setting;  ///< empty for the built-in settings
  std::int64_t value = 0;
  std::optional<double> cells_per_second;  ///< nothing if it failed
  bool kept = false;                       ///< it is the fastest so far
  std::string failure;                     ///< the reason, if it failed
};

/// Makes an engine with these settings. Throws EngineFailure.
using TunedEngineMaker = std::function<std::unique_ptr<ScoreEngine>(const DeviceSettings&)>;

/// The settings found, empty if none are faster than the built-in ones, and the speeds of both, measured
/// alternately.
struct Tuning {
  DeviceSettings settings;
  double cells_per_second = 0, built_in_cells_per_second = 0;
};

/// Tries the values of one setting after another and keeps the fastest for exact scores and upper bounds
/// together, with `sequences` random proteins and a few random models. `report` gets every step; settings
/// with which the device fails or gives other scores than with the built-in ones are reported and not kept.
/// Throws EngineFailure if the built-in settings fail. `make` opens the engine to be timed; by default the
/// device's own.
Tuning tune_device(const DeviceInfo& device, std::size_t sequences, unsigned threads,
                   const std::function<void(const TuningStep&)>& report, const TunedEngineMaker& make = {});

}  // namespace gpuhmm
