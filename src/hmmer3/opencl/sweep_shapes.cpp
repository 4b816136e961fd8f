// Shapes by what registers of a GPU hold; kernels by shape.
#include "hmmer3/opencl/sweep_shapes.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "hmmer3/float_model.hpp"

namespace gpuhmm::hmmer3 {

SweepShapes sweep_shapes(const DeviceInfo& device) {
  SweepShapes shapes;
  if (device.type == DeviceType::Cpu) {
    shapes = {{64, 1, 1}, {320, 1, 1}};
  } else {
    shapes = {{32, 1}, {32, 2}, {32, 4}, {32, 8}, {48, 8}};
  }
  std::erase_if(shapes,
                [&](const SweepShape& shape) { return shape.parts * kStripes > device.max_work_group; });
  return shapes;
}

std::size_t most_steps(const SweepShapes& shapes) { return shapes.empty() ? 0 : shapes.back().most_steps(); }

std::vector<std::size_t> size_classes(const SweepShapes& shapes) {
  std::vector<std::size_t> classes;
  for (const SweepShape& shape : shapes) classes.push_back(shape.most_steps());
  return classes;
}

SweepKernels::SweepKernels(const OpenDevice& device, std::vector<std::string> files, std::string options,
                           SweepShapes shapes)
    : device_(&device), files_(std::move(files)), options_(std::move(options)), shapes_(std::move(shapes)) {}

SweepShapes::const_iterator SweepKernels::shape_for(std::size_t steps) const {
  return std::ranges::find_if(shapes_, [&](const SweepShape& tried) { return tried.most_steps() >= steps; });
}

KernelSet& SweepKernels::kernels_of(const SweepShape& shape) {
  const std::string of_shape = " -DSTEPS=" + std::to_string(shape.steps) +
                               " -DSHARED=" + (shape.parts > 1 ? "1" : "0") +
                               " -DBLOCK=" + std::to_string(shape.block);
  return kernels_.try_emplace(of_shape, *device_, files_, options_ + of_shape).first->second;
}

void SweepKernels::begin(std::span<const SearchProfile* const> profiles) {
  std::set<SweepShapes::const_iterator> needed;
  for (const SearchProfile* const profile : profiles) needed.insert(shape_for(profile->floats.steps()));
  for (const auto shape : needed) {
    if (shape != shapes_.end()) kernels_of(*shape).begin();
  }
}

SweepKernels::Use SweepKernels::for_launch(const PairLaunch& launch) {
  const SweepShape& shape = *shape_for(launch.size);
  const std::size_t sequences = std::max<std::size_t>(1, launch.sequences / shape.parts);
  return {kernels_of(shape), sequences, sequences * shape.parts * kStripes,
          static_cast<cl_uint>(shape.parts)};
}

}  // namespace gpuhmm::hmmer3
