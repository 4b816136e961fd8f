// The programs of the fast GPU kernels of one device, built when first wanted.
#pragma once

#include <future>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "filter/opencl/gpu_variant.hpp"
#include "opencl/cl.hpp"

namespace gpuhmm {

/// Whether the model's tables fit in local memory.
enum class GpuTables { Whole, Strips };

/// Shape of gpu_long.cl for a model.
struct GpuLongShape {
  int lane_pairs;          ///< pairs of nodes a lane holds at a time
  unsigned group_streams;  ///< streams of a work-group
  GpuTables tables;
};

/// Every call may throw cl::Error, and OpenClError (with the build log) for a program that does not build.
/// Any number of threads may call; each kernel object belongs to its caller.
class GpuPrograms {
 public:
  GpuPrograms(cl::Context context, cl::Device device, const GpuVariant& variant,
              const std::map<std::string, std::string>& sources);

  cl::Kernel tiled(bool half_words);
  cl::Kernel packed(GpuTables tables, unsigned group);
  cl::Kernel long_sequences(bool half_words, const GpuLongShape& shape);
  cl::Kernel long_packed(const GpuLongShape& shape);
  cl::Kernel listed(bool half_words, bool emissions_local);

 private:
  // `before`: files between gpu_ops.cl and `file`.
  cl::Kernel kernel(const std::string& file, const std::string& name, const std::vector<std::string>& before,
                    const std::string& options);
  cl::Program build(const std::string& file, const std::vector<std::string>& before,
                    const std::string& options) const;
  const std::string& source(const std::string& file) const;

  cl::Context context_;
  cl::Device device_;
  GpuVariant variant_;
  const std::map<std::string, std::string>& sources_;
  std::mutex mutex_;
  std::map<std::string, std::shared_future<cl::Program>> programs_;  // by file and options
};

}  // namespace gpuhmm
