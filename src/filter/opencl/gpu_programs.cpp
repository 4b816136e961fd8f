// Lists the files and build options of each kernel.
#include "filter/opencl/gpu_programs.hpp"

#include "filter/opencl/gpu_layout.hpp"

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
  return strips(shape.tables) + define("GROUP_CHAINS", shape.group_chains) +
         define("ITEM_PAIRS", static_cast<std::size_t>(shape.item_pairs));
}

std::string step_options(GpuModels models, unsigned step_nodes) {
  return define("TWO_MODELS", models == GpuModels::Two) + define("STEP_NODES", step_nodes);
}

std::string pair_options(bool table_local, bool half_words, bool multihit) {
  return define("TABLE_LOCAL", table_local) + define("HALF_WORDS", half_words) + define("MULTIHIT", multihit);
}

}  // namespace

cl::Kernel GpuPrograms::tiled(bool half_words) const {
  return device_.kernel({"gpu_ops.cl", "gpu_exact_pair.cl", "gpu_tiled.cl"}, "tiled",
                        tile_options(variant_, variant_.exact) + pair_options(true, half_words, false));
}

cl::Kernel GpuPrograms::packed(GpuModels models, GpuTables tables, unsigned group) const {
  GpuTileShape shape = variant_.packed_tiles(models);
  shape.group = group;
  return device_.kernel(
      {"gpu_ops.cl", "gpu_packed_step.cl", "gpu_packed.cl"}, "packed",
      tile_options(variant_, shape) + strips(tables) + step_options(models, shape.step_nodes));
}

cl::Kernel GpuPrograms::long_sequences(bool half_words, const GpuLongShape& shape) const {
  return device_.kernel({"gpu_ops.cl", "gpu_exact_pair.cl", "gpu_items.cl", "gpu_long.cl"}, "long_sequences",
                        gpu_build_options(variant_, kGpuLongRows, 0) + long_options(shape) +
                            define("PACKED", 0) + pair_options(true, half_words, false));
}

cl::Kernel GpuPrograms::long_packed(const GpuLongShape& shape) const {
  return device_.kernel({"gpu_ops.cl", "gpu_packed_step.cl", "gpu_items.cl", "gpu_long.cl"}, "long_sequences",
                        gpu_build_options(variant_, kGpuLongRows, 0) + long_options(shape) +
                            define("PACKED", 1) + step_options(GpuModels::One, 2));
}

cl::Kernel GpuPrograms::listed(bool half_words, bool emissions_local) const {
  return device_.kernel(
      {"gpu_ops.cl", "gpu_exact_pair.cl", "gpu_items.cl", "gpu_list.cl"}, "listed",
      gpu_build_options(variant_, kGpuLongRows, 0) + pair_options(emissions_local, half_words, true));
}

}  // namespace gpuhmm
