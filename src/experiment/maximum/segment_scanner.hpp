// Runs the publication's kernels for the maximum subsequence on one device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "companion/segments/working_device.hpp"
#include "experiment/resources.hpp"

namespace gpuhmm::experiment::maximum {

/// A variant of the kernels of cl/maximum_segment.cl with its launch.
struct ScanShape {
  bool staged = true;    ///< S-shared: through local memory; else S-global
  bool branches = true;  ///< as published; else maxima and selections
  unsigned groups = 90;  ///< work-groups
  unsigned group = 128;  ///< work-items of a work-group, a multiple of 32
  unsigned pitch = 32;   ///< numbers per work-item in local memory, at least 32; 33 avoids bank conflicts

  std::size_t items() const { return std::size_t{groups} * group; }
  /// Elements of a work-item's run in a vector of `size` elements.
  std::size_t run(std::size_t size) const { return (size + items() - 1) / items(); }
  /// Resources needed for a vector of `size` elements.
  Needs needs(std::size_t size) const {
    return {staged ? std::uint64_t{group} * pitch * sizeof(std::int32_t) : 0, group,
            std::uint64_t{size} * sizeof(std::int32_t)};
  }
  /// Name of the variant: "S-shared, 90 x 128", and its differences from the publication.
  std::string name() const;
  bool operator==(const ScanShape&) const = default;
};

/// A device that holds one vector at a time. Not thread-safe. Calls throw EngineFailure.
class SegmentScanner {
 public:
  explicit SegmentScanner(const DeviceInfo& device);

  /// Copies a vector of at least one element to the device.
  void load(std::span<const std::int32_t> values);
  /// The five numbers of each work-item's run, in order (cl/maximum_segment.cl).
  std::vector<std::int32_t> scan(const ScanShape& shape);
  /// Seconds of the kernel of the last call of scan(), by its event.
  double kernel_seconds() const;

 private:
  WorkingDevice device_;
  std::size_t size_ = 0;
};

}  // namespace gpuhmm::experiment::maximum
