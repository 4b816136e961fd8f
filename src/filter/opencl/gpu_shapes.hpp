// How the tables of a model are split to fit the local memory of a device, and so which kernels it needs.
#pragma once

#include <cstddef>
#include <optional>

#include "filter/opencl/gpu_model.hpp"
#include "filter/opencl/gpu_programs.hpp"
#include "filter/opencl/gpu_variant.hpp"

namespace gpuhmm {

/// The state of one pair of nodes between tiles, bytes. Kernels address it with 64 bits, work-groups with 32.
inline constexpr std::size_t kGpuEdgeBytes = 4 * sizeof(cl_int);
/// Edges behind those of a model's pairs, which kernels read ahead.
inline constexpr int kGpuEdgesAhead = 2;
/// Local memory for what the chains of a work-group exchange, bytes for each.
inline constexpr std::size_t kGpuExchangeBytes = 2 * kGpuChainItems * sizeof(cl_int);

/// How the pairs of nodes of a model are split into parts whose tables fit.
struct GpuStrips {
  int pairs_each;
  GpuTables tables;
  std::size_t bytes;  ///< of the tables of a part
};

/// For gpu_tiled.cl.
GpuStrips tiled_strips(const GpuVariant& variant, const GpuModel& model);

/// For gpu_packed.cl.
struct GpuPackedShape {
  int pairs;  ///< of nodes, up to a whole number of inner steps
  GpuStrips strips;
  unsigned group;               ///< work-items of a work-group
  std::size_t group_sequences;  ///< that they score
};
/// `pairs`: of the larger model.
GpuPackedShape packed_shape(const GpuVariant& variant, GpuModels models, int pairs);

/// For gpu_long.cl.
struct GpuLongTables {
  GpuLongShape shape;
  std::size_t exchange_bytes, table_bytes;
};
/// `packed`: of the model's bound. Nothing if not even a strip of the model fits.
std::optional<GpuLongTables> long_tables(const GpuVariant& variant, const GpuModel& model, bool packed);
/// Whether long sequences of a batch that is not small are bounded first.
bool bounds_long_sequences(const GpuVariant& variant, int pairs);

/// For gpu_list.cl, which divides the nodes among work-items.
struct GpuItemMemory {
  GpuItemMemory(const GpuModel& model, std::size_t local_bytes);

  cl_int item_pairs;
  std::size_t edge_bytes, table_bytes;
  bool fits, emissions_local;
};

}  // namespace gpuhmm
