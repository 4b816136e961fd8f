// Builds the kernels cl/gpu_*.cl, each with its files and build options.
#pragma once

#include "filter/opencl/gpu_variant.hpp"
#include "opencl/open_device.hpp"

namespace gpuhmm {

/// Whether the model's tables fit in local memory as a whole, or in strips of nodes one after the other.
enum class GpuTables { Whole, Strips };

/// Shape of gpu_long.cl for a model.
struct GpuLongShape {
  int item_pairs;         ///< pairs of nodes of a work-item at a time
  unsigned group_chains;  ///< chains of a work-group
  GpuTables tables;
};

/// Programs are built at their first use, once for a device. Any number of threads may call; a kernel belongs
/// to its caller. Every call throws EngineFailure. `device` must outlive it.
class GpuPrograms {
 public:
  GpuPrograms(const OpenDevice& device, const GpuVariant& variant) : device_(device), variant_(variant) {}

  /// gpu_tiled.cl: exact scores. `half_words`: GpuModel::half_words.
  cl::Kernel tiled(bool half_words) const;
  /// gpu_packed.cl: 16-bit bounds. `group`: work-items of a work-group.
  cl::Kernel packed(GpuModels models, GpuTables tables, unsigned group) const;
  /// gpu_long.cl: exact scores of long sequences.
  cl::Kernel long_sequences(bool half_words, const GpuLongShape& shape) const;
  /// gpu_long.cl: 16-bit bounds of long sequences.
  cl::Kernel long_packed(const GpuLongShape& shape) const;
  /// gpu_list.cl: exact multihit scores. `emissions_local`: the emissions fit in local memory.
  cl::Kernel listed(bool half_words, bool emissions_local) const;

 private:
  const OpenDevice& device_;
  GpuVariant variant_;
};

}  // namespace gpuhmm
