// Reducers that copy a stack to a device part by part: the device reduces one part while the next is copied.
#include <array>
#include <cstring>

#include "companion/reduce/device_fold.hpp"
#include "companion/reduce/real_summer.hpp"
#include "companion/reduce/reduce.hpp"
#include "companion/reduce/typed_reducer.hpp"
#include "gpuhmm/device.hpp"
#include "opencl/pinned_array.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kPartBytes = std::size_t{32} << 20;  // copied to the device at a time
constexpr std::size_t kPlaces = 2;                         // parts that are copied or reduced at a time

// Copies a stack to a device part by part.
template <class T>
class DeviceParts {
 public:
  /// A part has a multiple of `unit` matrices of `item_size` elements.
  DeviceParts(const Queue& queue, std::size_t item_size, std::size_t unit)
      : queue_(queue),
        size_(item_size),
        items_(std::max<std::size_t>(1, kPartBytes / (item_size * sizeof(T) * unit)) * unit) {
    for (Place& place : places_) {
      place.pinned = PinnedArray<T>(queue, items_ * size_);
      place.stack = queue.device().buffer<T>(items_ * size_, CL_MEM_READ_ONLY);
    }
  }

  /// Copies `items` matrices part by part and calls use(buffer, first matrix, matrices) for each part, which
  /// returns the event after which the buffer may be overwritten.
  template <class Use>
  void bring(const T* values, std::size_t items, const Use& use) {
    for (std::size_t first = 0; first < items; first += items_) {
      const std::size_t count = std::min(items_, items - first);
      Place& place = places_[turn_++ % kPlaces];
      queue_.wait(place.used);
      std::memcpy(place.pinned.data(), values + first * size_, count * size_ * sizeof(T));
      queue_.send(place.stack, place.pinned.data(), count * size_);
      place.used = use(place.stack, first, count);
      queue_.flush();
    }
  }

 private:
  struct Place {
    PinnedArray<T> pinned;
    cl::Buffer stack;
    cl::Event used;
  };

  Queue queue_;
  std::size_t size_, items_;
  std::array<Place, kPlaces> places_;
  std::size_t turn_ = 0;
};

template <class T>
class DeviceFolder : public TypedReducer<T> {
 public:
  DeviceFolder(const DeviceInfo& device, NumberType type, std::size_t item_size, const ReduceOptions& options)
      : TypedReducer<T>(item_size, options),
        device_(device),
        queue_(device_),
        fold_(queue_, type, item_size, options),
        parts_(queue_, item_size, 1) {}

  NumberValues result() override {
    this->require_items();
    return fold_.result(this->items_);
  }

 protected:
  void add_items(const T* values, std::size_t items) override {
    parts_.bring(values, items, [&](const cl::Buffer& stack, std::size_t, std::size_t count) {
      return fold_.add(stack, count);
    });
  }

 private:
  OpenDevice device_;
  Queue queue_;
  DeviceFold fold_;
  DeviceParts<T> parts_;
};

// Adds blocks of the fixed tree (pairwise.hpp) on a device.
template <class T>
struct DeviceBlocks {
  DeviceBlocks(const DeviceInfo& info, NumberType type, std::size_t item_size, const ReduceOptions& options)
      : device(info),
        queue(device),
        tree(queue, type, item_size, options.nan == NanPolicy::Ignore),
        size(item_size),
        rows(tree.block_rows()),
        width(tree_row_items<T>(item_size) * item_size),
        parts(queue, item_size, tree_row_items<T>(item_size) * rows) {}

  void add(const T* values, std::size_t blocks, double* sums) {
    const std::size_t unit = tree_row_items<T>(size) * rows;
    parts.bring(values, blocks * unit, [&](const cl::Buffer& stack, std::size_t first, std::size_t count) {
      return queue.receive(tree.add_blocks(stack, count), sums + first / unit * width, count / unit * width);
    });
    queue.finish();
  }

  OpenDevice device;
  Queue queue;
  DeviceTree tree;
  std::size_t size, rows, width;  // elements of a matrix; rows and columns of a block
  DeviceParts<T> parts;
};

template <class T>
std::unique_ptr<StackReducer> make_reducer(const DeviceInfo& device, NumberType type, std::size_t item_size,
                                           const ReduceOptions& options) {
  if constexpr (std::is_floating_point_v<T>) {
    if (options.operation >= ReduceOperation::Sum) {
      const auto blocks = std::make_shared<DeviceBlocks<T>>(device, type, item_size, options);
      return std::make_unique<RealSummer<T>>(
          item_size, options, blocks->rows,
          [blocks](const T* values, std::size_t count, double* sums) { blocks->add(values, count, sums); });
    }
  }
  return std::make_unique<DeviceFolder<T>>(device, type, item_size, options);
}

}  // namespace

std::unique_ptr<StackReducer> make_device_reducer(const DeviceInfo& device, NumberType type,
                                                  std::size_t item_size, const ReduceOptions& options) {
  if (item_size == 0) return make_host_reducer(type, item_size, options);
  if (item_size > static_cast<std::size_t>(std::numeric_limits<cl_int>::max())) {
    throw EngineFailure(device.name + ": a matrix of 2^31 elements or more", CL_INVALID_VALUE);
  }
  return std::visit(
      [&]<class T>(const std::vector<T>&) { return make_reducer<T>(device, type, item_size, options); },
      no_numbers(type));
}

}  // namespace gpuhmm
