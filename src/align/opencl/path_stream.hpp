// A stream of a device: a command queue with its buffers, which aligns some sequences at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "align/opencl/path_model.hpp"
#include "opencl/growing_buffer.hpp"
#include "opencl/open_device.hpp"
#include "opencl/queue.hpp"

namespace gpuhmm::grid {

/// A sequence to be aligned by a device.
struct PathTask {
  std::span<const std::uint8_t> residues;
  std::int32_t lowest_traced;  ///< as AlignmentTask::lowest_traced
};

/// What a device has found: S, 1/1000 bit, unless the model does not prove it, and the words of a path
/// (path_words.hpp).
struct FoundPath {
  std::int32_t score;
  std::optional<std::span<const std::int32_t>> words;  ///< none if there is no room for them
};

/// Not thread-safe; several streams of a device may run at the same time. Calls throw EngineFailure.
class PathStream {
 public:
  /// Builds the kernel unless another stream has, and takes memory for `record_bytes` of records, since
  /// larger buffers would wait for all queues. `device` must outlive it.
  explicit PathStream(const OpenDevice& device, std::size_t record_bytes = 0);

  const OpenDevice& device() const { return device_; }

  /// Aligns the sequences, none of them empty. Their paths stay valid until the next call.
  std::vector<FoundPath> run(const PathModel& model, std::span<const PathTask> tasks);

 private:
  const OpenDevice& device_;
  cl::Kernel kernel_;
  Queue queue_;
  GrowingBuffer residues_, pairs_, deletes_, inserts_, begins_, emissions_, crossings_, specials_, record_,
      rows_, words_, found_;
  std::vector<std::int32_t> words_found_;
  std::vector<cl_int2> scores_found_;
};

}  // namespace gpuhmm::grid
