// The programs of the fast GPU kernels of one device, built when first wanted.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "filter/opencl/gpu_variant.hpp"
#include "opencl/cl.hpp"

namespace gpuhmm {

/// Kernels of a tiled family by how the model's tables lie in local memory.
enum class GpuTables { Whole, Strips };

/// Every call may throw cl::Error, and OpenClError (with the build log) for a program that does not build.
class GpuPrograms {
 public:
  GpuPrograms(cl::Context context, cl::Device device, const GpuVariant& variant,
              const std::map<std::string, std::string>& sources);

  cl::Kernel tiled(bool half_words, GpuTables tables);
  cl::Kernel packed(GpuTables tables);
  cl::Kernel long_sequences(bool half_words, GpuTables tables);
  cl::Kernel listed(bool half_words, bool emissions_local);

 private:
  // `before`: files between gpu_ops.cl and `file`.
  cl::Kernel kernel(const std::string& file, const std::string& name, const std::vector<std::string>& before,
                    const std::string& options);
  const std::string& source(const std::string& file) const;

  cl::Context context_;
  cl::Device device_;
  GpuVariant variant_;
  const std::map<std::string, std::string>& sources_;
  std::map<std::string, cl::Program> programs_;  // by file and options
};

}  // namespace gpuhmm
