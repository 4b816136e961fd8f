// A stream of a device: a command queue with its buffers, which runs SSV of some pairs of models at a time.
#pragma once

#include <cstddef>
#include <vector>

#include "hmmer3/opencl/ssv_batch.hpp"
#include "hmmer3/opencl/ssv_tables.hpp"
#include "hmmer3/opencl/ssv_variant.hpp"
#include "opencl/growing_buffer.hpp"
#include "opencl/kernel_set.hpp"
#include "opencl/open_device.hpp"
#include "opencl/queue.hpp"

namespace gpuhmm::hmmer3 {

/// Pairs of models that go to the device together.
struct SsvLaunch {
  const SsvBatch* batch = nullptr;
  std::vector<SsvPair> pairs;
  /// Where the findings of each model go, two for each pair; null if a pair has no second model.
  std::vector<std::vector<SsvFinding>*> found;
  std::size_t steps = 0;  ///< of all pairs
};

/// Bytes of edges that a sequence needs for a step.
inline constexpr std::size_t kSsvEdgeBytes = kSsvStepNodes * sizeof(cl_uint);

/// Not thread-safe; several streams of a device may run at the same time. Calls throw EngineFailure.
class SsvStream {
 public:
  /// Builds the kernel. All arguments must outlive the stream; `threads` host threads make tables.
  SsvStream(const OpenDevice& device, const SsvVariant& variant, unsigned threads);

  /// Adds the findings, in no order; a sequence in several parts may have several. `sequences`: of the batch.
  /// Returns when the kernel ran.
  std::vector<CommandTime> run(const SsvLaunch& launch, const LengthClasses& classes, std::size_t sequences);

 private:
  CommandTime run_groups(const SsvLaunch& launch, std::size_t first, std::size_t count,
                         std::size_t strip_steps, std::size_t class_count, std::size_t sequences);

  const OpenDevice& device_;
  const SsvVariant& variant_;
  unsigned threads_;
  KernelSet kernels_;
  Queue queue_;
  GrowingBuffer gains_, pairs_, least_, edges_, count_, found_;
  std::size_t found_room_;  // findings that found_ has memory for
};

}  // namespace gpuhmm::hmmer3
