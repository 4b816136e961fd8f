// Finds the kernel settings with which a device is quickest, by trying them.
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

/// Sequences that keep the device busy long enough to be timed, not much longer.
std::size_t suitable_sequences(const DeviceInfo& device);

/// One choice that was tried.
struct TuningStep {
  std::string setting;  ///< empty for what is built in
  std::int64_t value = 0;
  std::optional<double> cells_per_second;  ///< nothing if the device cannot do it
  bool kept = false;                       ///< it is the quickest so far
  std::string failure;                     ///< why not
};

/// An engine with these settings. Throws EngineFailure.
using TunedEngineMaker = std::function<std::unique_ptr<ScoreEngine>(const DeviceSettings&)>;

/// The settings found, none if nothing is quicker than what is built in, and their speed beside that of the
/// built-in ones, measured in turns.
struct Tuning {
  DeviceSettings settings;
  double cells_per_second = 0, built_in_cells_per_second = 0;
};

/// Tries the values of one setting after the other and keeps what is quickest for exact scores and upper
/// bounds together, over `sequences` random proteins and a few random models. `report` gets every step;
/// settings with which the device fails, or gives other scores than with its built-in ones, are reported and
/// not kept. Throws EngineFailure if it fails with the built-in ones. `make` opens the engine that is timed;
/// usually the device's own.
Tuning tune_device(const DeviceInfo& device, std::size_t sequences, unsigned threads,
                   const std::function<void(const TuningStep&)>& report, const TunedEngineMaker& make = {});

}  // namespace gpuhmm
