// Lists the files and build options of each kernel.
#include "filter/opencl/gpu_programs.hpp"

#include "filter/opencl/gpu_layout.hpp"
#include "filter/opencl/gpu_model.hpp"

namespace gpuhmm {

namespace {

std::string define(const std::string& name, std::size_t value) {
  return " -D" + name + "=" + std::to_string(value);
}

// TABLE_STRIDE of a kernel with one table for all work-items.
constexpr std::size_t kSharedTable = 1;

std::string tile_options(const GpuVariant& variant, const GpuTileShape& shape) {
  return gpu_build_options(variant, shape.rows, shape.registers) + define("GROUP", shape.group) +
         define("BLOCK", kGpuBlock) + define("TABLE_STRIDE", kSharedTable);
}

// Of kernels in which 32 work-items share a sequence, each with nodes of its own.
std::string item_options(const GpuVariant& variant, std::size_t table_stride) {
  return gpu_build_options(variant, kGpuLongRows, variant.item_registers) +
         define("TABLE_STRIDE", table_stride);
}

std::string strips(GpuTables tables) { return define("STRIPS", tables == GpuTables::Strips); }

std::string long_options(const GpuVariant& variant, const GpuLongShape& shape) {
  return item_options(variant, kGpuChainItems) + strips(shape.tables) +
         define("GROUP_CHAINS", shape.group_chains) +
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
  return device_.kernel(
      {"gpu_ops.cl", "gpu_exact_pair.cl", "gpu_items.cl", "gpu_long.cl"}, "long_sequences",
      long_options(variant_, shape) + define("PACKED", 0) + pair_options(true, half_words, false));
}

cl::Kernel GpuPrograms::long_packed(const GpuLongShape& shape) const {
  return device_.kernel(
      {"gpu_ops.cl", "gpu_packed_step.cl", "gpu_items.cl", "gpu_long.cl"}, "long_sequences",
      long_options(variant_, shape) + define("PACKED", 1) + step_options(GpuModels::One, 2));
}

cl::Kernel GpuPrograms::listed(bool half_words, bool emissions_local) const {
  return device_.kernel({"gpu_ops.cl", "gpu_exact_pair.cl", "gpu_items.cl", "gpu_list.cl"}, "listed",
                        item_options(variant_, emissions_local ? kGpuChainItems : kSharedTable) +
                            pair_options(emissions_local, half_words, true));
}

}  // namespace gpuhmm
