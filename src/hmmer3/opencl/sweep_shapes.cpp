// Shapes by what registers of a GPU hold; kernels by shape.
#include "hmmer3/opencl/sweep_shapes.hpp"

#include <algorithm>
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

SweepKernels::Use SweepKernels::for_launch(const PairLaunch& launch) {
  const auto shape = std::ranges::find_if(
      shapes_, [&](const SweepShape& tried) { return tried.most_steps() >= launch.size; });
  const std::string of_shape = " -DSTEPS=" + std::to_string(shape->steps) +
                               " -DSHARED=" + (shape->parts > 1 ? "1" : "0") +
                               " -DBLOCK=" + std::to_string(shape->block);
  const auto [kernels, added] = kernels_.try_emplace(of_shape, *device_, files_, options_ + of_shape);
  const std::size_t sequences = std::max<std::size_t>(1, launch.sequences / shape->parts);
  return {kernels->second, sequences, sequences * shape->parts * kStripes,
          static_cast<cl_uint>(shape->parts)};
}

}  // namespace gpuhmm::hmmer3
