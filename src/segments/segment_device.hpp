// Segments of a vector that lies in the memory of one OpenCL device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "opencl/device.hpp"
#include "opencl/session.hpp"
#include "segments/blocks.hpp"

namespace gpuhmm {

/// Shapes of the kernels of cl/segments.cl; the defaults suit GPUs and CPUs.
struct SegmentShape {
  unsigned group = 256;      // work-items of a work-group
  unsigned run_bytes = 128;  // of a work-item for the best segment, a power of two from 32 on
  unsigned chunk = 8;        // elements of a work-item for all segments, a power of two
  /// Elements of a tile, for the best segment and for all of them.
  std::size_t sum_tile(std::size_t element_size) const {
    return std::size_t{group} * run_bytes / element_size;
  }
  std::size_t segment_tile() const { return std::size_t{group} * chunk; }
};

/// One vector at a time. Not thread-safe. Calls throw OpenClError.
class SegmentDevice {
 public:
  explicit SegmentDevice(const DeviceInfo& info, const SegmentShape& shape = {});

  const DeviceInfo& info() const { return session_.info(); }
  const SegmentShape& shape() const { return shape_; }
  /// The longest vectors that are sure to fit, for the best segment and for all of them.
  std::size_t most_for_best(std::size_t element_size) const;
  std::size_t most_for_all() const;

  /// Brings a vector to the device.
  template <class T>
  void load(std::span<const T> values);
  /// The four numbers of each tile of shape().sum_tile(sizeof(T)) elements.
  std::vector<TileSums> sums();
  /// All maximal segments of the vector, which may not be longer than most_for_all(); `threads` of the host
  /// join those of the tiles. The block's offset is 0.
  SegmentBlock<std::int64_t> segments(unsigned threads);
  /// The sum of all elements by a kernel that only reads: what the memory allows.
  std::int64_t plain_sum();

  /// What the kernels of the last call of sums(), segments() or plain_sum() took on the device, by their
  /// events.
  struct KernelTime {
    std::string kernel;
    double seconds = 0;
  };
  const std::vector<KernelTime>& kernel_times() const { return kernel_times_; }
  /// All of them together.
  double kernel_seconds() const;
  /// Seconds of the last call of segments() until all segments lay in the memory of the device: kernels, the
  /// host's part and all between.
  double found_seconds() const { return found_seconds_; }

 private:
  struct Tiles;  // what the kernels found in each tile
  // Memory that is kept for the next call, for it takes long to get.
  struct Space {
    cl::Buffer buffer;
    std::size_t bytes = 0;
  };

  cl::Kernel kernel(const char* name);
  template <class T>
  cl::Buffer buffer(std::size_t count) const;
  template <class T>
  const cl::Buffer& at_least(std::size_t count, Space& space) const;
  template <class T>
  std::vector<T> read(const cl::Buffer& from, std::size_t count) const;
  template <class T>
  cl::Buffer written(const std::vector<T>& values) const;
  void run(const cl::Kernel& kernel, std::size_t groups, std::size_t group);
  void collect_times();
  std::size_t sum_tile() const {
    return shape_.sum_tile(wide_ ? sizeof(std::int64_t) : sizeof(std::int32_t));
  }
  Tiles find_in_tiles(std::size_t tiles);

  Session session_;
  cl::CommandQueue queue_;  // in order, with times
  SegmentShape shape_;
  Space values_, places_, lows_, highs_, slot_joints_, joints_, answer_;
  std::size_t size_ = 0;                                   // elements
  bool wide_ = false;                                      // 64-bit elements
  std::vector<std::pair<std::string, cl::Event>> events_;  // of launches, by the kernel's name
  std::vector<KernelTime> kernel_times_;
  double found_seconds_ = 0;
};

}  // namespace gpuhmm
