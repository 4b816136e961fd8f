// A command queue of a device: launches, copies, and their times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "opencl/open_device.hpp"

namespace gpuhmm {

/// Whether the events of a queue have times.
enum class Timing : bool { Off, On };

/// The work-items of a launch: of the launch, of a work-group, and the commands that must end before.
struct WorkItems {
  cl::NDRange all, group;
  std::vector<cl::Event> after = {};
};

/// When the device ran a command, in nanoseconds on the device's clock; or between which times on the host's
/// clock it had commands to run.
struct CommandTime {
  std::uint64_t start = 0, end = 0;

  double seconds() const { return static_cast<double>(end - start) * 1e-9; }
};

/// An in-order command queue. A copy of a Queue is the same queue. Any number of threads may call. Calls
/// return the event of their command and wait for it only if documented. Every call throws EngineFailure.
/// Counts and offsets are in elements of T. The device must outlive the queue.
class Queue {
 public:
  explicit Queue(const OpenDevice& device, Timing timing = Timing::On);

  const OpenDevice& device() const { return *device_; }

  /// Launches a kernel with its arguments in order: buffers, OpenCL numbers and vectors, cl::Local(bytes).
  /// Only one thread at a time may launch a kernel.
  template <class... Arguments>
  cl::Event launch(cl::Kernel kernel, const WorkItems& items, const Arguments&... arguments) const {
    return device_->guarded([&] {
      cl_uint place = 0;
      (kernel.setArg(place++, arguments), ...);
      return enqueue(kernel, items);
    });
  }

  /// Copies values to elements [first, first + count). They must not change until the event is complete.
  template <class T>
  cl::Event send(const cl::Buffer& to, const T* values, std::size_t count, std::size_t first = 0) const {
    return write_bytes(to, CL_FALSE, values, count * sizeof(T), first * sizeof(T));
  }
  /// The same, and waits.
  template <class T>
  cl::Event write(const cl::Buffer& to, const T* values, std::size_t count, std::size_t first = 0) const {
    return write_bytes(to, CL_TRUE, values, count * sizeof(T), first * sizeof(T));
  }
  /// A new buffer with these values. Waits.
  template <class Values>
  cl::Buffer upload(const Values& values, cl_mem_flags flags = CL_MEM_READ_ONLY) const {
    const std::span view(values);
    cl::Buffer buffer = device_->buffer<typename decltype(view)::value_type>(view.size(), flags);
    write(buffer, view.data(), view.size());
    return buffer;
  }
  /// A new buffer of `count` elements that fill(T*) writes in place, which saves a copy if the device uses
  /// the host's memory. Waits.
  template <class T, class Fill>
  cl::Buffer upload_in_place(std::size_t count, const Fill& fill) const {
    cl::Buffer buffer = device_->buffer<T>(count, CL_MEM_READ_ONLY | CL_MEM_ALLOC_HOST_PTR);
    void* const values = map(buffer, CL_MAP_WRITE_INVALIDATE_REGION, count * sizeof(T));
    fill(static_cast<T*>(values));
    unmap(buffer, values);
    return buffer;
  }

  /// Copies elements [first, first + count) to the host; they are there when the event is complete.
  template <class T>
  cl::Event receive(const cl::Buffer& from, T* values, std::size_t count, std::size_t first = 0) const {
    return read_bytes(from, CL_FALSE, values, count * sizeof(T), first * sizeof(T));
  }
  /// The same, and waits.
  template <class T>
  cl::Event read(const cl::Buffer& from, T* values, std::size_t count, std::size_t first = 0) const {
    return read_bytes(from, CL_TRUE, values, count * sizeof(T), first * sizeof(T));
  }
  template <class T>
  std::vector<T> read(const cl::Buffer& from, std::size_t count, std::size_t first = 0) const {
    std::vector<T> values(count);
    read(from, values.data(), count, first);
    return values;
  }

  /// The same as receive(), and waits as wait() does.
  template <class T>
  void fetch(const cl::Buffer& from, T* values, std::size_t count, std::size_t first = 0) const {
    const cl::Event done = receive(from, values, count, first);
    flush();
    wait(done);
  }

  /// Sets the first `count` elements to `value`.
  template <class T>
  cl::Event fill(const cl::Buffer& buffer, const T& value, std::size_t count) const {
    return device_->guarded([&] {
      cl::Event done;
      queue_.enqueueFillBuffer(buffer, value, 0, count * sizeof(T), nullptr, &done);
      return done;
    });
  }
  /// Copies `bytes` bytes from byte `first` of one buffer to the beginning of another.
  cl::Event copy(const cl::Buffer& from, const cl::Buffer& to, std::size_t bytes,
                 std::size_t first = 0) const;

  /// Maps the first `bytes` bytes of a buffer into host memory, until unmap(). Waits.
  void* map(const cl::Buffer& buffer, cl_map_flags flags, std::size_t bytes) const;
  void unmap(const cl::Buffer& buffer, void* values) const;

  /// Makes the device start all enqueued commands.
  void flush() const;
  /// Waits for all enqueued commands.
  void finish() const;
  /// Returns body(). If that throws, waits first for all enqueued commands, which may still use memory that
  /// ends with the exception.
  template <class Body>
  auto finished_if_failed(const Body& body) const {
    try {
      return body();
    } catch (...) {
      try {
        finish();
      } catch (const EngineFailure&) {  // the device is lost, and its commands with it
      }
      throw;
    }
  }
  /// Waits for a command that has been flushed; returns at once for an empty event. Polls, because the
  /// blocking calls of NVIDIA's driver keep all other threads from launching anything.
  void wait(const cl::Event& event) const;
  /// Flushes, and waits for a command. In front of a copy to the host it keeps the driver free for other
  /// threads meanwhile: a copy to memory that is not pinned may wait inside the driver for all commands
  /// before it.
  void wait_flushed(const cl::Event& event) const {
    flush();
    wait(event);
  }
  /// The same; gives the time from `begun`, when the first of the commands awaited was about to be launched,
  /// to now, both by host_time(). Queues with Timing::Off run more side by side: NVIDIA's driver seems to
  /// order commands whose events have times.
  CommandTime wait_timed(const cl::Event& event, std::uint64_t begun) const {
    wait_flushed(event);
    return {begun, host_time()};
  }
  /// Nanoseconds on the host's clock.
  static std::uint64_t host_time();
  /// The times of a command that has ended, of a queue with Timing::On.
  CommandTime time_of(const cl::Event& event) const;

 private:
  cl::Event enqueue(const cl::Kernel& kernel, const WorkItems& items) const;
  cl::Event write_bytes(const cl::Buffer& to, cl_bool blocking, const void* values, std::size_t bytes,
                        std::size_t first) const;
  cl::Event read_bytes(const cl::Buffer& from, cl_bool blocking, void* values, std::size_t bytes,
                       std::size_t first) const;

  const OpenDevice* device_;
  cl::CommandQueue queue_;
};

}  // namespace gpuhmm
