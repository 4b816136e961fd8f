// Build options and program cache; see the header.
#include "filter/opencl/gpu_programs.hpp"

#include <utility>

#include "filter/opencl/gpu_layout.hpp"
#include "opencl/error.hpp"

namespace gpuhmm {

namespace {

std::string define(const std::string& name, std::size_t value) {
  return " -D" + name + "=" + std::to_string(value);
}

std::string tile_options(const GpuVariant& variant, const GpuTileShape& shape) {
  return gpu_build_options(variant, shape.rows, shape.registers) + define("GROUP", shape.group) +
         define("BLOCK", kGpuBlock);
}

std::string strips(GpuTables tables) { return define("STRIPS", tables == GpuTables::Strips); }

std::string long_options(const GpuLongShape& shape) {
  return strips(shape.tables) + define("GROUP_STREAMS", shape.group_streams) +
         define("LANE_PAIRS", static_cast<std::size_t>(shape.lane_pairs));
}

std::string pair_options(bool table_local, bool half_words, bool multihit) {
  return define("TABLE_LOCAL", table_local) + define("HALF_WORDS", half_words) + define("MULTIHIT", multihit);
}

}  // namespace

GpuPrograms::GpuPrograms(cl::Context context, cl::Device device, const GpuVariant& variant,
                         const std::map<std::string, std::string>& sources)
    : context_(std::move(context)), device_(std::move(device)), variant_(variant), sources_(sources) {}

cl::Kernel GpuPrograms::tiled(bool half_words) {
  return kernel("gpu_tiled.cl", "tiled", {"gpu_exact_pair.cl"},
                tile_options(variant_, variant_.exact) + pair_options(true, half_words, false));
}

cl::Kernel GpuPrograms::packed(GpuTables tables, unsigned group) {
  GpuTileShape shape = variant_.packed;
  shape.group = group;
  return kernel("gpu_packed.cl", "packed", {"gpu_packed_pair.cl"},
                tile_options(variant_, shape) + strips(tables));
}

cl::Kernel GpuPrograms::long_sequences(bool half_words, const GpuLongShape& shape) {
  return kernel("gpu_long.cl", "long_sequences", {"gpu_exact_pair.cl", "gpu_lanes.cl"},
                gpu_build_options(variant_, kGpuLongRows, 0) + long_options(shape) + define("PACKED", 0) +
                    pair_options(true, half_words, false));
}

cl::Kernel GpuPrograms::long_packed(const GpuLongShape& shape) {
  return kernel("gpu_long.cl", "long_sequences", {"gpu_packed_pair.cl", "gpu_lanes.cl"},
                gpu_build_options(variant_, kGpuLongRows, 0) + long_options(shape) + define("PACKED", 1));
}

cl::Kernel GpuPrograms::listed(bool half_words, bool emissions_local) {
  return kernel(
      "gpu_list.cl", "listed", {"gpu_exact_pair.cl", "gpu_lanes.cl"},
      gpu_build_options(variant_, kGpuLongRows, 0) + pair_options(emissions_local, half_words, true));
}

const std::string& GpuPrograms::source(const std::string& file) const {
  const auto found = sources_.find(file);
  if (found == sources_.end()) throw OpenClError("there is no kernel file " + file, CL_INVALID_VALUE);
  return found->second;
}

cl::Kernel GpuPrograms::kernel(const std::string& file, const std::string& name,
                               const std::vector<std::string>& before, const std::string& options) {
  std::promise<cl::Program> built;  // by the first that asks; the others wait for it
  std::shared_future<cl::Program> program;
  bool first = false;
  {
    const std::lock_guard lock(mutex_);
    auto& known = programs_[file + options];
    first = !known.valid();
    if (first) known = built.get_future().share();
    program = known;
  }
  if (first) {
    try {
      built.set_value(build(file, before, options));
    } catch (...) {
      built.set_exception(std::current_exception());
    }
  }
  return cl::Kernel(program.get(), name.c_str());
}

cl::Program GpuPrograms::build(const std::string& file, const std::vector<std::string>& before,
                               const std::string& options) const {
  std::string text = source("gpu_ops.cl");
  for (const std::string& other : before) text += source(other);
  text += source(file);
  cl::Program program(context_, text);
  try {
    program.build({device_}, options.c_str());
  } catch (const cl::Error& error) {
    throw OpenClError(device_.getInfo<CL_DEVICE_NAME>() + ": " + file + " does not build with " + options +
                          " (" + status_name(error.err()) + "):\n" +
                          program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device_),
                      error.err());
  }
  return program;
}

}  // namespace gpuhmm
