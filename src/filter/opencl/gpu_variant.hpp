// Decides how the fast GPU kernels (cl/gpu_*.cl) are built and launched on a device.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "filter/opencl/gpu_layout.hpp"
#include "gpuhmm/device.hpp"

namespace gpuhmm {

/// Shape of one tiled kernel.
struct GpuTileShape {
  unsigned rows = 24;           ///< of a tile, a multiple of 4
  unsigned group = 128;         ///< work-items of a work-group
  unsigned registers = 0;       ///< limit per work-item; 0: the compiler's choice
  unsigned step_nodes = 2;      ///< nodes of an inner step, 2 or 4
  std::size_t table_bytes = 0;  ///< local memory for the model's tables; larger models are split into strips
};

/// The models that a work-item of gpu_packed.cl scores side by side.
enum class GpuModels { One, Two };

/// Shapes and settings of all fast GPU kernels.
struct GpuVariant {
  unsigned models_at_once = 2;  ///< on the device, each with its own GpuStream
  bool nvidia = false;          ///< inline PTX may be used: never true for another vendor's compiler
  GpuTileShape exact;           ///< gpu_tiled.cl
  GpuTileShape packed;          ///< gpu_packed.cl with one model
  GpuTileShape packed_two;      ///< gpu_packed.cl with two models
  bool two_models = false;      ///< models of similar size share launches of gpu_packed.cl
  GpuTileShape ssv;             ///< hmmer3_ssv.cl
  /// If the tables of the packed kernel have more bytes, twice as many work-items share a copy, unless their
  /// sequences would not lie in one block.
  std::size_t packed_shared_table = std::numeric_limits<std::size_t>::max();
  unsigned item_registers = 0;  ///< the same limit for gpu_long.cl and gpu_list.cl
  int list_passes = 40;  ///< most passes of gpu_list.cl over a sequence; the caller scores the remaining ones
  unsigned chains = 64;  ///< of gpu_long.cl; twice as many for small batches
  unsigned long_queues = 5;   ///< launches of gpu_long.cl at the same time; more slow down the tiled kernels
  unsigned group_chains = 4;  ///< chains of a work-group, which share the tables
  int own_item_pairs = 5;  ///< with up to this many pairs for each work-item, a chain has its own work-group
  std::size_t long_sequence = 1500;  ///< residues; longer sequences go to gpu_long.cl
  /// Most pairs of nodes for a work-item of gpu_long.cl; larger models are split into strips.
  int long_item_pairs = 5;
  /// Models with more pairs for each work-item bound only short sequences: scoring a long one again is slow.
  int long_packed_item_pairs = 16;
  std::size_t parallel_items = 0;  ///< work-items that fill the device; 0: unknown
  std::size_t local_bytes = 0;     ///< local memory of a work-group
  std::size_t edge_bytes = 0;      ///< memory for the edges of one launch

  double expected_speed = 1e9;  ///< cells a second, approximately

  /// Of gpu_packed.cl.
  const GpuTileShape& packed_tiles(GpuModels models) const {
    return models == GpuModels::One ? packed : packed_two;
  }
  /// True if a batch has so few residues that all work-items would wait for one with a sequence of
  /// long_sequence residues, even with models_at_once models.
  bool is_small(std::size_t residues) const;
  /// The longest sequence (residues) for the tiled kernels in a batch of `residues` residues.
  std::size_t longest_tiled(std::size_t residues) const;
};

/// Work-items of a work-group whose sequences, so many for each, lie in one block of GpuLayout.
constexpr SettingRange group_range(std::size_t item_sequences) {
  return {8, static_cast<std::int64_t>(kGpuBlock / item_sequences), 1, true};
}

/// Visits the settings that can be tuned (gpuhmm/device.hpp). Files with tuned settings keep older names:
/// models_at_once is "lanes" there, chains is "streams", and the numbers of item pairs are called lane pairs.
template <class Visit>
void visit_settings(GpuVariant& variant, const Visit& visit) {
  visit("lanes", variant.models_at_once, SettingRange{1, 64});
  visit("long_sequence", variant.long_sequence, SettingRange{300, 100'000});
  visit("exact_rows", variant.exact.rows, SettingRange{4, 64, 4});
  visit("exact_group", variant.exact.group, group_range(1));
  visit("exact_registers", variant.exact.registers, SettingRange{0, 255});
  visit("packed_rows", variant.packed.rows, SettingRange{4, 64, 4});
  visit("packed_group", variant.packed.group, group_range(2));
  visit("packed_registers", variant.packed.registers, SettingRange{0, 255});
  visit("packed_two_rows", variant.packed_two.rows, SettingRange{4, 64, 4});
  visit("packed_two_group", variant.packed_two.group, group_range(1));
  visit("packed_two_registers", variant.packed_two.registers, SettingRange{0, 255});
  visit("ssv_rows", variant.ssv.rows, SettingRange{4, 64, 4});
  visit("ssv_group", variant.ssv.group, group_range(1));
  visit("ssv_registers", variant.ssv.registers, SettingRange{0, 255});
  visit("item_registers", variant.item_registers, SettingRange{0, 255});
  visit("streams", variant.chains, SettingRange{4, 65'536, 4});
  visit("long_queues", variant.long_queues, SettingRange{1, 64});
  visit("own_lane_pairs", variant.own_item_pairs, SettingRange{0, 64});
  visit("long_lane_pairs", variant.long_item_pairs, SettingRange{1, 64});
}

/// For NVIDIA GPUs shapes that were tuned on an H100, for all others defaults without inline PTX.
GpuVariant choose_gpu_variant(const DeviceInfo& device);

/// Build options common to all gpu_*.cl files.
std::string gpu_build_options(const GpuVariant& variant, unsigned rows, unsigned registers);

}  // namespace gpuhmm
