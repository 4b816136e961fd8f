// The publication's sort on an OpenCL device, stage by stage (cl/sort_published.cl).
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "experiment/sort/word_sets.hpp"
#include "opencl/kernel_set.hpp"
#include "opencl/queue.hpp"

namespace gpuhmm::experiment::sorting {

/// How words are given to work-items.
struct WorkShape {
  unsigned each = 1;        ///< words of a work-item
  std::size_t group = 384;  ///< work-group size

  auto operator<=>(const WorkShape&) const = default;
};

/// Seconds of the stages of one sort, in the publication's words.
struct SortStages {
  double transfer = 0;        ///< words to the device, wall time
  double extra = 0;           ///< allocation of all buffers, and setting the counts to 0, wall time
  double counting = 0;        ///< kernel, by its event
  double transformation = 0;  ///< the scan's kernels, by their events
  double distribution = 0;    ///< kernel, by its event
  double back = 0;            ///< sorted words to the host, wall time

  double kernels() const { return counting + transformation + distribution; }
  /// What the publication calls the time without initial costs.
  double without_start() const { return extra + kernels(); }
};

/// Not thread-safe.
class PublishedSort {
 public:
  /// Opens the device and builds the programs: the publication's "GPU selection". Throws EngineFailure.
  PublishedSort(const DeviceInfo& device, const WorkShape& shape);

  /// The words in order, in `sorted`, which has the size of the set's text. Throws EngineFailure.
  SortStages sort(const WordSet& set, std::string& sorted);

  /// What the device lacks to sort such a set, one line; nothing if it can.
  static std::optional<std::string> lacking(const DeviceInfo& device, const WorkShape& work,
                                            const WordShape& words);

 private:
  double scan(const cl::Buffer& numbers, std::size_t size, const cl::Buffer& sums);

  WorkShape shape_;
  OpenDevice device_;
  Queue queue_;
  KernelSet words_, scan_;
};

}  // namespace gpuhmm::experiment::sorting
