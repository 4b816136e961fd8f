// How the fast GPU kernels (cl/gpu_*.cl) are built and launched on a device: the one place that decides it.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "gpuhmm/device.hpp"

namespace gpuhmm {

/// Shape of one tiled kernel.
struct GpuTileShape {
  unsigned rows = 24;           ///< of a tile, a multiple of 4
  unsigned group = 128;         ///< work-items of a work-group
  unsigned registers = 0;       ///< limit per work-item; 0: the compiler's choice
  std::size_t table_bytes = 0;  ///< local memory for the model's tables; models that need more go in strips
};

struct GpuVariant {
  unsigned models_at_once = 2;  ///< on the device, each on a GpuStream
  bool nvidia = false;          ///< inline PTX may be used: never true for another vendor's compiler
  GpuTileShape exact;           ///< gpu_tiled.cl
  GpuTileShape packed;          ///< gpu_packed.cl
  /// Larger tables of the packed kernel are shared by twice as many work-items: copies must leave room.
  std::size_t packed_shared_table = std::numeric_limits<std::size_t>::max();
  int list_passes = 40;       ///< limit of gpu_list.cl over a sequence; the caller does the others
  unsigned chains = 64;       ///< of gpu_long.cl; twice as many for small batches
  unsigned long_queues = 5;   ///< launches of gpu_long.cl at the same time, which crowd out the tiled kernels
  unsigned group_chains = 4;  ///< of a work-group, which share the tables
  int own_item_pairs = 5;     ///< up to so many a chain of long sequences has a group of its own
  std::size_t long_sequence = 1500;  ///< residues; longer sequences go to gpu_long.cl
  int long_item_pairs = 5;           ///< pairs of nodes a work-item of gpu_long.cl at most; more go in strips
  int long_packed_item_pairs =
      16;  ///< larger models bound only short sequences: scoring a long one again is slow
  std::size_t parallel_items = 0;  ///< work-items that fill the device; 0: unknown
  std::size_t local_bytes = 0;     ///< local memory of a work-group
  std::size_t edge_bytes = 0;      ///< memory for the edges of one launch

  double expected_speed = 1e9;  ///< cells a second, roughly

  /// True for a batch of so few residues that, even with as many models at once, one work-item with a
  /// sequence of long_sequence residues would hold up all others.
  bool is_small(std::size_t residues) const;
  /// Longest sequence for the tiled kernels in a batch of so many residues.
  std::size_t longest_tiled(std::size_t residues) const;
};

/// What may be tuned (gpuhmm/device.hpp). In tables of devices models_at_once is "lanes", and chains
/// are "streams".
template <class Visit>
void visit_settings(GpuVariant& variant, const Visit& visit) {
  visit("lanes", variant.models_at_once, SettingRange{1, 64});
  visit("long_sequence", variant.long_sequence, SettingRange{300, 100'000});
  visit("exact_rows", variant.exact.rows, SettingRange{4, 64, 4});
  visit("exact_group", variant.exact.group, SettingRange{8, 1024, 8});
  visit("exact_registers", variant.exact.registers, SettingRange{0, 255});
  visit("packed_rows", variant.packed.rows, SettingRange{4, 64, 4});
  visit("packed_group", variant.packed.group, SettingRange{8, 1024, 8});
  visit("packed_registers", variant.packed.registers, SettingRange{0, 255});
  visit("streams", variant.chains, SettingRange{4, 65'536, 4});
  visit("long_queues", variant.long_queues, SettingRange{1, 64});
  visit("own_lane_pairs", variant.own_item_pairs, SettingRange{0, 64});
  visit("long_lane_pairs", variant.long_item_pairs, SettingRange{1, 64});
}

/// Shapes tuned on an NVIDIA H100 for that vendor's GPUs, plain OpenCL C for all others.
GpuVariant choose_gpu_variant(const DeviceInfo& device);

/// Build options common to all gpu_*.cl files.
std::string gpu_build_options(const GpuVariant& variant, unsigned rows, unsigned registers);

}  // namespace gpuhmm
