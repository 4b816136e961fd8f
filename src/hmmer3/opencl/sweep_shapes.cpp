// Shapes by what registers of a GPU hold; kernels by shape.
#include "hmmer3/opencl/sweep_shapes.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "hmmer3/float_model.hpp"

namespace gpuhmm::hmmer3 {

SweepShapes sweep_shapes(const DeviceInfo& device) {
  SweepShapes shapes;
  if (device.type == DeviceType::Cpu) {
    shapes = {{64, 1, 1}, {320, 1, 1}};
  } else {
    // The cells of 48 steps are most of the registers that a work-item of a GPU can have. With fewer steps,
    // more of the work-items of larger models wait while one part of a stripe after the other has its turn.
    shapes = {{48, 1}, {48, 2}, {48, 4}, {48, 8}};
  }
  std::erase_if(shapes,
                [&](const SweepShape& shape) { return shape.parts * kStripes > device.max_work_group; });
  return shapes;
}

std::size_t most_steps(const SweepShapes& shapes) { return shapes.empty() ? 0 : shapes.back().most_steps(); }

std::vector<std::size_t> program_classes(const SweepShapes& shapes) {
  std::vector<std::size_t> classes;
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    if (s > 0 && shapes[s].shares_program(shapes[s - 1])) classes.pop_back();
    classes.push_back(shapes[s].most_steps());
  }
  return classes;
}

std::vector<std::size_t> domain_classes(const SweepShapes& shapes) {
  std::vector<std::size_t> classes = program_classes(shapes);
  if (!shapes.empty() && shapes.front().most_steps() < classes.front())
    classes.insert(classes.begin(), shapes.front().most_steps());
  return classes;
}

namespace {

// The shape for so many steps: the end if there is none.
SweepShapes::const_iterator shape_for(const SweepShapes& shapes, std::size_t steps) {
  return std::ranges::find_if(shapes, [&](const SweepShape& tried) { return tried.most_steps() >= steps; });
}

}  // namespace

SweepKernels::SweepKernels(const OpenDevice& device, std::vector<std::string> files, std::string options,
                           SweepShapes shapes)
    : device_(&device), files_(std::move(files)), options_(std::move(options)), shapes_(std::move(shapes)) {}

KernelSet& SweepKernels::kernels_of(const SweepShape& shape) {
  const bool shared = std::ranges::any_of(
      shapes_, [&](const SweepShape& other) { return other.shares_program(shape) && other.parts > 1; });
  const std::string of_shape = " -DSTEPS=" + std::to_string(shape.steps) +
                               " -DSHARED=" + (shared ? "1" : "0") +
                               " -DBLOCK=" + std::to_string(shape.block);
  return kernels_.try_emplace(of_shape, *device_, files_, options_ + of_shape).first->second;
}

void SweepKernels::begin(std::span<const SearchProfile* const> profiles) {
  std::set<SweepShapes::const_iterator> needed;
  for (const SearchProfile* const profile : profiles)
    needed.insert(shape_for(shapes_, profile->floats.steps()));
  for (const auto shape : needed) {
    if (shape != shapes_.end()) kernels_of(*shape).begin();
  }
}

SweepKernels::Use SweepKernels::for_launch(const PairLaunch& launch) {
  const SweepShape& shape = *shape_for(shapes_, launch.size);
  Use use{kernels_of(shape), std::max(launch.sequences, shape.parts) * kStripes, {}};
  std::ranges::copy_if(shapes_, std::back_inserter(use.shapes),
                       [&](const SweepShape& other) { return other.shares_program(shape); });
  return use;
}

std::vector<Four> SweepKernels::Use::groups(std::span<const Pair> pairs, const LaunchModels& models,
                                            std::span<const std::size_t> sizes) const {
  const auto parts = [&](std::uint32_t query) { return shape_for(shapes, sizes[query])->parts; };
  std::vector<Four> groups = pair_groups(
      pairs, [&](std::uint32_t query) { return items / kStripes / parts(query); }, models, sizes);
  for (Four& group : groups) group[3] = static_cast<cl_uint>(parts(models.queries[group[2]]));
  return groups;
}

}  // namespace gpuhmm::hmmer3
