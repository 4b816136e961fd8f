// Decides how the kernels cl/viterbi.cl and cl/striped*.cl are built and launched on a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "gpuhmm/device.hpp"

namespace gpuhmm {

/// Shape of the exact Viterbi kernel (cl/viterbi.cl).
struct KernelVariant {
  unsigned lanes = 1;       ///< sequences in the vector of one work-item: 1, 8 or 16
  unsigned rows = 4;        ///< residues of a tile, a multiple of 4
  unsigned work_group = 1;  ///< work-items of a work-group
  /// Work-groups of a launch; 0: one for every group of sequences, as far as memory allows.
  std::size_t launch_groups = 0;
  /// A sequence with more than 1/long_share of a batch's residues delays the device.
  std::size_t long_share = 1;

  /// Sequences of a group, which are interleaved in memory.
  unsigned width() const { return lanes * work_group; }
};

/// The shape for a device: on CPUs a vector of sequences in each work-item, elsewhere one sequence in each.
KernelVariant choose_variant(const DeviceInfo& device);

/// Build options of cl/viterbi.cl for a shape; `low` is its minus infinity.
std::string build_options(const KernelVariant& variant, std::int32_t low);

/// Shape of the striped kernels (cl/striped.cl), for devices whose work-items are CPU threads with vectors.
struct StripedVariant {
  std::size_t vector_bytes = 32;  ///< of the vectors of scores: 16 or 32
  /// Between these sizes of a row of scores, in bytes, a vector holds one sequence; outside, two. Vectors of
  /// 16 bytes always hold one.
  std::size_t smallest_whole_row = 0;
  std::size_t largest_whole_row = 0;
  std::size_t work_groups = 1;  ///< of a launch
};

/// Visits the settings that can be tuned (gpuhmm/device.hpp).
template <class Visit>
void visit_settings(StripedVariant& variant, const Visit& visit) {
  visit("vector_bytes", variant.vector_bytes, SettingRange{16, 32, 16});
  visit("smallest_whole_row", variant.smallest_whole_row, SettingRange{0, 1'000'000});
  visit("largest_whole_row", variant.largest_whole_row, SettingRange{0, 1'000'000});
  visit("work_groups", variant.work_groups, SettingRange{1, 1'000'000});
}

/// The shape for a CPU device.
StripedVariant choose_striped_variant(const DeviceInfo& device);

}  // namespace gpuhmm
