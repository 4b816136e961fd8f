// Launches the kernels of cl/maximum_segment.cl.
#include "experiment/maximum/segment_scanner.hpp"

namespace gpuhmm::experiment::maximum {

std::string ScanShape::name() const {
  return std::string(staged ? "S-shared" : "S-global") + ", " + std::to_string(groups) + " x " +
         std::to_string(group) + (staged && pitch > 32 ? ", padded" : "") + (branches ? "" : ", branch-free");
}

SegmentScanner::SegmentScanner(const DeviceInfo& device) : device_(device, {"maximum_segment.cl"}) {}

void SegmentScanner::load(std::span<const std::int32_t> values) {
  size_ = values.size();
  device_.queue().write(device_.memory<std::int32_t>("values", size_), values.data(), size_);
}

std::vector<std::int32_t> SegmentScanner::scan(const ScanShape& shape) {
  const std::string options = "-cl-std=CL1.2 -DGROUP=" + std::to_string(shape.group) +
                              " -DPITCH=" + std::to_string(shape.pitch) +
                              " -DBRANCHES=" + (shape.branches ? "1" : "0");
  const std::size_t count = 5 * shape.items();
  const cl::Buffer& fives = device_.memory<std::int32_t>("fives", count);
  device_.launch(options, shape.staged ? "scan_staged" : "scan_global", shape.groups, shape.group,
                 device_.memory<std::int32_t>("values", size_), static_cast<cl_ulong>(size_),
                 static_cast<cl_ulong>(shape.run(size_)), fives);
  std::vector<std::int32_t> found = device_.queue().read<std::int32_t>(fives, count);
  device_.collect_times();
  return found;
}

double SegmentScanner::kernel_seconds() const { return device_.kernel_times().front().seconds; }

}  // namespace gpuhmm::experiment::maximum
