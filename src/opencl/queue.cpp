// Enqueues commands, waits for them and reads their times.
#include "opencl/queue.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace gpuhmm {

Queue::Queue(const OpenDevice& device, Timing timing)
    : device_(&device), queue_(device.guarded([&] {
        const cl_command_queue_properties properties = timing == Timing::On ? CL_QUEUE_PROFILING_ENABLE : 0;
        return cl::CommandQueue(device.context(), device.device(), properties);
      })) {}

cl::Event Queue::enqueue(const cl::Kernel& kernel, const WorkItems& items) const {
  cl::Event done;
  queue_.enqueueNDRangeKernel(kernel, cl::NullRange, items.all, items.group,
                              items.after.empty() ? nullptr : &items.after, &done);
  return done;
}

cl::Event Queue::write_bytes(const cl::Buffer& to, cl_bool blocking, const void* values, std::size_t bytes,
                             std::size_t first) const {
  cl::Event done;
  if (bytes == 0) return done;
  device_->guarded([&] { queue_.enqueueWriteBuffer(to, blocking, first, bytes, values, nullptr, &done); });
  return done;
}

cl::Event Queue::read_bytes(const cl::Buffer& from, cl_bool blocking, void* values, std::size_t bytes,
                            std::size_t first) const {
  cl::Event done;
  if (bytes == 0) return done;
  device_->guarded([&] { queue_.enqueueReadBuffer(from, blocking, first, bytes, values, nullptr, &done); });
  return done;
}

cl::Event Queue::copy(const cl::Buffer& from, const cl::Buffer& to, std::size_t bytes,
                      std::size_t first) const {
  return device_->guarded([&] {
    cl::Event done;
    queue_.enqueueCopyBuffer(from, to, first, 0, bytes, nullptr, &done);
    return done;
  });
}

void* Queue::map(const cl::Buffer& buffer, cl_map_flags flags, std::size_t bytes) const {
  return device_->guarded([&] { return queue_.enqueueMapBuffer(buffer, CL_TRUE, flags, 0, bytes); });
}

void Queue::unmap(const cl::Buffer& buffer, void* values) const {
  device_->guarded([&] { queue_.enqueueUnmapMemObject(buffer, values); });
}

void Queue::flush() const {
  device_->guarded([&] { queue_.flush(); });
}

void Queue::finish() const {
  device_->guarded([&] { queue_.finish(); });
}

void Queue::wait(const cl::Event& event) const {
  // Short at first; later a part of the time waited, as each question keeps other threads from the driver.
  constexpr std::chrono::microseconds kShortest(20), kLongest(500);
  if (event() == nullptr) return;
  device_->guarded([&] {
    std::chrono::microseconds pause = kShortest;
    for (;;) {
      const auto status = event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>();
      if (status < 0) throw cl::Error(status, "a command on the device");
      if (status == CL_COMPLETE) return;
      std::this_thread::sleep_for(pause);
      pause = std::min(pause + pause / 8, kLongest);
    }
  });
}

std::uint64_t Queue::host_time() {
  using std::chrono::nanoseconds;
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<nanoseconds>(now).count());
}

CommandTime Queue::time_of(const cl::Event& event) const {
  return device_->guarded([&] {
    return CommandTime{event.getProfilingInfo<CL_PROFILING_COMMAND_START>(),
                       event.getProfilingInfo<CL_PROFILING_COMMAND_END>()};
  });
}

}  // namespace gpuhmm
