// The kernels cl/gpu_*.cl by what they are for: their files and build options.
#pragma once

#include "filter/opencl/gpu_variant.hpp"
#include "opencl/open_device.hpp"

namespace gpuhmm {

/// Whether the model's tables fit in local memory.
enum class GpuTables { Whole, Strips };

/// Shape of gpu_long.cl for a model.
struct GpuLongShape {
  int item_pairs;         ///< pairs of nodes a work-item holds at a time
  unsigned group_chains;  ///< chains of a work-group
  GpuTables tables;
};

/// Programs are built when first wanted, once for a device. Any number of threads may call; each kernel
/// belongs to its caller. Every call throws EngineFailure. `device` must outlive it.
class GpuPrograms {
 public:
  GpuPrograms(const OpenDevice& device, const GpuVariant& variant) : device_(device), variant_(variant) {}

  cl::Kernel tiled(bool half_words) const;
  cl::Kernel packed(GpuTables tables, unsigned group) const;
  cl::Kernel long_sequences(bool half_words, const GpuLongShape& shape) const;
  cl::Kernel long_packed(const GpuLongShape& shape) const;
  cl::Kernel listed(bool half_words, bool emissions_local) const;

 private:
  const OpenDevice& device_;
  GpuVariant variant_;
};

}  // namespace gpuhmm
