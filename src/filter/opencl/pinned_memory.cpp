// Waiting by asking; see the header.
#include "filter/opencl/pinned_memory.hpp"

#include <chrono>
#include <thread>

namespace gpuhmm {

void wait_for(const cl::Event& event) {
  constexpr std::chrono::microseconds kPause(20);
  for (;;) {
    const auto status = event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>();
    if (status < 0) throw cl::Error(status, "a command on the device");
    if (status == CL_COMPLETE) return;
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace gpuhmm
