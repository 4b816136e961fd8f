// Launches the kernels of cl/maximum_submatrix.cl.
#include "experiment/maximum/submatrix_scanner.hpp"

#include <algorithm>
#include <vector>

namespace gpuhmm::experiment::maximum {

namespace {

// Steps of Kadane's algorithm in a launch; a large GPU needs less than a second for them.
constexpr std::size_t kLaunchSteps = std::size_t{1} << 34;

}  // namespace

std::string PairShape::name() const {
  return std::string(staged ? "M-shared" : "M-global") + ", " + std::to_string(groups) + " x " +
         std::to_string(group) + (branches ? "" : ", branch-free");
}

SubmatrixScanner::SubmatrixScanner(const DeviceInfo& device) : device_(device, {"maximum_submatrix.cl"}) {}

void SubmatrixScanner::load(std::span<const std::int32_t> matrix, std::size_t size) {
  size_ = size;
  device_.queue().write(device_.memory<std::int32_t>("matrix", matrix.size()), matrix.data(), matrix.size());
}

std::int32_t SubmatrixScanner::largest(const PairShape& shape, std::size_t first, std::size_t last) {
  const std::string options = "-cl-std=CL1.2 -DGROUP=" + std::to_string(shape.group) +
                              " -DROWS=" + std::to_string(shape.rows) +
                              " -DBRANCHES=" + (shape.branches ? "1" : "0");
  const cl::Buffer& matrix = device_.memory<std::int32_t>("matrix", size_ * size_);
  const cl::Buffer& largest = device_.memory<std::int32_t>("largest", shape.items());
  const auto size = static_cast<cl_uint>(size_);
  device_.queue().fill(largest, std::int32_t{0}, shape.items());
  device_.launch(options, "row_sums", (size_ + shape.group - 1) / shape.group, shape.group, matrix, size);
  const std::size_t step = (kLaunchSteps / size_ + shape.items() - 1) / shape.items() * shape.items();
  for (std::size_t at = first; at < last; at += step) {
    device_.launch(options, shape.staged ? "walk_staged" : "walk_global", shape.groups, shape.group, matrix,
                   size, static_cast<cl_uint>(at), static_cast<cl_uint>(std::min(at + step, last)), largest);
  }
  const std::vector<std::int32_t> found = device_.queue().read<std::int32_t>(largest, shape.items());
  device_.collect_times();
  return *std::max_element(found.begin(), found.end());
}

double SubmatrixScanner::kernel_seconds() const {
  double sum = 0;
  for (const WorkingDevice::KernelTime& kernel : device_.kernel_times()) sum += kernel.seconds;
  return sum;
}

}  // namespace gpuhmm::experiment::maximum
