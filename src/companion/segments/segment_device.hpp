// Finds segments of a vector in the memory of one OpenCL device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "companion/segments/blocks.hpp"
#include "companion/segments/working_device.hpp"
#include "gpuhmm/device.hpp"

namespace gpuhmm {

/// Shapes of the kernels of cl/segments*.cl; the defaults suit GPUs and CPUs.
struct SegmentShape {
  unsigned group = 256;       // work-items of a work-group
  unsigned run_bytes = 128;   // read by a work-item for the best segment, a power of two from 32
  unsigned chunk = 8;         // elements that a work-item takes for all segments, a power of two
  unsigned span = 16;         // lists of segments that a work-item joins, at least 2
  unsigned host_lists = 256;  // most lists that are left to the host to join, at least 1
  /// Elements of a tile, that is of a work-group: sum_tile() when the best segment is wanted, segment_tile()
  /// for all.
  std::size_t sum_tile(std::size_t element_size) const {
    return std::size_t{group} * run_bytes / element_size;
  }
  std::size_t segment_tile() const { return std::size_t{group} * chunk; }
};

/// A device that holds one vector at a time. Not thread-safe. All calls throw EngineFailure.
class SegmentDevice {
 public:
  explicit SegmentDevice(const DeviceInfo& info, const SegmentShape& shape = {});

  const DeviceInfo& info() const { return device_.info(); }
  const SegmentShape& shape() const { return shape_; }
  /// Elements of the longest vector that fits the device, when the best segment is wanted and for all
  /// segments.
  std::size_t most_for_best(std::size_t element_size) const;
  std::size_t most_for_all() const;

  /// Copies a vector to the device, where it replaces the one before. T: std::int32_t or std::int64_t.
  template <class T>
  void load(std::span<const T> values);
  /// The numbers of each tile of shape().sum_tile(sizeof(T)) elements.
  std::vector<TileSums> sums();
  /// All maximal segments of the vector, as a block with offset 0. The device joins the tiles' lists until at
  /// most shape().host_lists remain, which `threads` host threads join. Throws std::length_error if the
  /// vector is longer than most_for_all().
  SegmentBlock<std::int64_t> segments(unsigned threads);
  /// The sum of all elements, by a kernel that does nothing else: shows how fast the memory is.
  std::int64_t plain_sum();

  /// Run times of the kernels of the last call of sums(), segments() or plain_sum(), from OpenCL's profiling
  /// events.
  const std::vector<WorkingDevice::KernelTime>& kernel_times() const { return device_.kernel_times(); }
  /// The sum of kernel_times(), in seconds.
  double kernel_seconds() const;
  /// Wall time in seconds of the last call of segments(), up to the moment when all segments are in the
  /// memory of the device: kernels, the host's part and transfers between them.
  double found_seconds() const { return found_seconds_; }

 private:
  struct Tiles;  // results of the kernels for each tile
  struct Nodes;  // one level of joined lists

  std::string options() const;
  std::size_t sum_tile() const {
    return shape_.sum_tile(wide_ ? sizeof(std::int64_t) : sizeof(std::int32_t));
  }
  template <class... Arguments>
  void launch(const char* kernel, std::size_t groups, std::size_t group, const Arguments&... arguments) {
    device_.launch(options(), kernel, groups, group, arguments...);
  }
  template <class... Arguments>
  void launch_items(const char* kernel, std::size_t items, const Arguments&... arguments);
  /// Throws WrongDeviceResult unless `sound`: a number that the device returned is possible.
  void require(bool sound) const;
  Tiles find_in_tiles();
  std::vector<Nodes> join_on_device(const Tiles& tiles);
  std::vector<BlockSegment<std::int64_t>> join_on_host(const Tiles& tiles, const Nodes& top,
                                                       unsigned threads);
  std::uint32_t write_answer(const Tiles& tiles, const std::vector<Nodes>& levels,
                             const std::vector<BlockSegment<std::int64_t>>& crossing);

  WorkingDevice device_;
  SegmentShape shape_;
  cl::Buffer values_;
  std::size_t size_ = 0;  // elements
  bool wide_ = false;     // 64-bit elements
  double found_seconds_ = 0;
};

}  // namespace gpuhmm
