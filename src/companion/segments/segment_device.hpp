// Segments of a vector that lies in the memory of one OpenCL device.
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
  unsigned run_bytes = 128;   // of a work-item for the best segment, a power of two from 32 on
  unsigned chunk = 8;         // elements of a work-item for all segments, a power of two
  unsigned span = 16;         // lists of segments that a work-item joins, at least 2
  unsigned host_lists = 256;  // that the host joins at most, at least 1
  /// Elements of a tile, for the best segment and for all of them.
  std::size_t sum_tile(std::size_t element_size) const {
    return std::size_t{group} * run_bytes / element_size;
  }
  std::size_t segment_tile() const { return std::size_t{group} * chunk; }
};

/// One vector at a time. Not thread-safe. Calls throw EngineFailure.
class SegmentDevice {
 public:
  explicit SegmentDevice(const DeviceInfo& info, const SegmentShape& shape = {});

  const DeviceInfo& info() const { return device_.info(); }
  const SegmentShape& shape() const { return shape_; }
  /// The longest vectors that are sure to fit, for the best segment and for all of them.
  std::size_t most_for_best(std::size_t element_size) const;
  std::size_t most_for_all() const;

  /// Brings a vector to the device.
  template <class T>
  void load(std::span<const T> values);
  /// The four numbers of each tile of shape().sum_tile(sizeof(T)) elements.
  std::vector<TileSums> sums();
  /// All maximal segments of the vector, which may not be longer than most_for_all(). The device joins those
  /// of the tiles until few lists are left, `threads` of the host the rest. The block's offset is 0.
  SegmentBlock<std::int64_t> segments(unsigned threads);
  /// The sum of all elements by a kernel that only reads: what the memory allows.
  std::int64_t plain_sum();

  /// What the kernels of the last call of sums(), segments() or plain_sum() took on the device, by their
  /// events.
  const std::vector<WorkingDevice::KernelTime>& kernel_times() const { return device_.kernel_times(); }
  /// All of them together.
  double kernel_seconds() const;
  /// Seconds of the last call of segments() until all segments lay in the memory of the device: kernels, the
  /// host's part and all between.
  double found_seconds() const { return found_seconds_; }

 private:
  struct Tiles;  // what the kernels found in each tile
  struct Nodes;  // a level of the joined lists

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
  /// Throws WrongDeviceResult unless a number that the device gave is sound.
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
