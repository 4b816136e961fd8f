// Streams of a device that take launches in turn.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "hmmer3/opencl/pair_launches.hpp"
#include "opencl/open_device.hpp"
#include "util/parallel.hpp"

namespace gpuhmm::hmmer3 {

/// How many launches run side by side: one ends with its longest pairs, while others can run; a CPU is busy
/// until then (OpenDevice::turn).
inline unsigned streams_of(const DeviceInfo& device) { return device.type == DeviceType::Cpu ? 1 : 8; }

/// Most bytes of one kind of cells in a launch of the domain stage, a power of two.
inline std::size_t most_cell_bytes(const DeviceInfo& device) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 30;
  return std::bit_floor(static_cast<std::size_t>(
      std::min<std::uint64_t>({kMostBytes, device.max_allocation, device.memory / 8 / streams_of(device)})));
}

/// The size of a buffer for so many bytes of them: above an eighth of the most of any launch it is that most,
/// so that the buffers which it outgrows, and GrowingBuffer keeps, take a quarter more at most.
inline std::size_t cell_buffer_bytes(const DeviceInfo& device, std::size_t bytes) {
  const std::size_t most = most_cell_bytes(device);
  return bytes > most / 8 ? std::max(bytes, most) : std::bit_ceil(bytes);
}

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
