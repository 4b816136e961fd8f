// Buffers and launches of the published recurrence.
#include "experiment/subsequence/element_kernels.hpp"

#include "experiment/resources.hpp"

namespace gpuhmm::experiment {

namespace {

using Memory = ElementLaunch::Memory;
using Pace = ElementLaunch::Pace;

// Local memory of a work-group: values, sums, maxima.
std::size_t local_bytes(std::size_t group, std::size_t k) { return (group + group * k + k) * sizeof(cl_int); }

}  // namespace

ElementKernels::ElementKernels(const DeviceInfo& device)
    : device_(device), queue_(device_), kernels_(device_, {"subsequence_elements.cl"}, "") {}

std::string ElementKernels::obstacle(std::size_t n, std::size_t k, const ElementLaunch& launch) const {
  const bool local = launch.memory == Memory::Local;
  const Needs needs{.local_memory = local ? local_bytes(launch.group, k) : 0,
                    .group = launch.group,
                    .buffer = n * k * sizeof(cl_int)};
  return lacking(device_.info(), needs).value_or("");
}

std::size_t ElementKernels::fitting_group(std::size_t k) const {
  std::size_t group = 64;
  while (group > 1 && local_bytes(group, k) > device_.info().local_memory) group /= 2;
  return group;
}

ElementRun ElementKernels::run(std::span<const std::int32_t> values, std::size_t k,
                               const ElementLaunch& launch) {
  const std::size_t n = values.size();
  const cl::Buffer elements = queue_.upload(values);
  const cl::Buffer sums = queue_.upload(single_elements(values, k), CL_MEM_READ_WRITE);
  const bool local = launch.memory == Memory::Local;
  const cl::Kernel kernel = kernels_[local ? "add_element_by_blocks" : "add_element"];
  const auto add = [&](std::size_t i) {
    const std::size_t items = launch.pace == Pace::Waiting ? n : i;
    const WorkItems all{cl::NDRange((items + launch.group - 1) / launch.group * launch.group),
                        cl::NDRange(launch.group)};
    const auto element = static_cast<cl_int>(i), lengths = static_cast<cl_int>(k);
    if (!local) return queue_.launch(kernel, all, elements, sums, element, lengths);
    return queue_.launch(kernel, all, elements, sums, element, lengths,
                         cl::Local(launch.group * sizeof(cl_int)),
                         cl::Local(launch.group * k * sizeof(cl_int)), cl::Local(k * sizeof(cl_int)));
  };
  cl::Event first, last;
  for (std::size_t i = 1; i < n; ++i) {
    last = add(i);
    if (i == 1) first = last;
    if (launch.pace == Pace::Waiting) queue_.finish();
  }
  queue_.finish();
  const CommandTime whole{queue_.time_of(first).start, queue_.time_of(last).end};
  return {queue_.read<cl_int>(sums, n * k), whole.seconds()};
}

}  // namespace gpuhmm::experiment
