// Decides whether a device aligns hits, and how many at a time.
#pragma once

#include <cstddef>

#include "gpuhmm/device.hpp"

namespace gpuhmm::grid {

/// How a device aligns sequences by cl/gpu_paths.cl.
struct PathVariant {
  unsigned streams = 1;        ///< launches side by side
  unsigned scored_beside = 4;  ///< models that filters score meanwhile: launches wait for all of them
  /// The same if other devices align, too, so that each has fewer launches.
  unsigned scored_beside_others = 8;
  std::size_t least_launch = 64;        ///< sequences of a launch, unless there are fewer
  std::size_t most_launch = 1024;       ///< likewise
  std::size_t record_bytes = 1U << 20;  ///< memory for the records of a launch
  std::size_t most_steps = 0;           ///< nodes of a work-item; the host aligns to larger models
  /// Rows times (steps + kRowSteps) of a sequence: the host aligns longer ones, for which a launch would
  /// wait.
  std::size_t most_cost = 0;
  double least_cells = 0;  ///< of the hits of a profile; the host aligns fewer

  /// Whether a sequence of `length` residues is one for this device, if a work-item has `steps` nodes.
  bool takes(std::size_t length, std::size_t steps) const {
    return steps <= most_steps && length * (steps + kRowSteps) <= most_cost &&
           2 * length * steps * kItems <= record_bytes;
  }

  /// Work-items that share a sequence.
  static constexpr std::size_t kItems = 32;
  /// Steps that take about as long as what a row needs besides.
  static constexpr std::size_t kRowSteps = 8;
};

/// The shapes for a device.
PathVariant choose_path_variant(const DeviceInfo& device);

}  // namespace gpuhmm::grid
