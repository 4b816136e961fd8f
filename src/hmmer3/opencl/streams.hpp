// Streams of a device that take launches in turn.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <vector>

#include "hmmer3/opencl/pair_launches.hpp"
#include "opencl/open_device.hpp"
#include "util/parallel.hpp"

namespace gpuhmm::hmmer3 {

/// How many launches run side by side: one ends with its longest pairs, while others can run; a CPU is busy
/// until then (OpenDevice::turn).
inline unsigned streams_of(const DeviceInfo& device) { return device.type == DeviceType::Cpu ? 1 : 8; }

/// Shares launches among streams: run(stream, launch), each stream in a thread.
template <class Run>
void share(const OpenDevice& device, const std::vector<PairLaunch>& launches, const Run& run) {
  const std::unique_lock turn = device.turn();
  std::atomic<std::size_t> next = 0;
  const unsigned streams = streams_of(device.info());
  parallel_for(streams, streams, 1, [&](std::size_t stream, std::size_t) {
    for (std::size_t l = next++; l < launches.size(); l = next++) run(stream, launches[l]);
  });
}

}  // namespace gpuhmm::hmmer3
