// Runs the publication's sort on an OpenCL device and times its stages (cl/sort_published.cl).
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "experiment/sort/word_sets.hpp"
#include "opencl/kernel_set.hpp"
#include "opencl/queue.hpp"

namespace gpuhmm::experiment::sorting {

/// Distribution of words to work-items.
struct WorkShape {
  unsigned each = 1;        ///< words of a work-item
  std::size_t group = 384;  ///< work-group size

  auto operator<=>(const WorkShape&) const = default;
};

/// Seconds of the stages of one sort, with the publication's names.
struct SortStages {
  double transfer = 0;        ///< words to the device, wall time
  double extra = 0;           ///< allocation of all buffers, and setting the counts to 0, wall time
  double counting = 0;        ///< kernel, by its event
  double transformation = 0;  ///< the scan's kernels, by their events
  double distribution = 0;    ///< kernel, by its event
  double back = 0;            ///< sorted words to the host, wall time

  double kernels() const { return counting + transformation + distribution; }
  /// The time that the publication calls "without initial costs".
  double without_start() const { return extra + kernels(); }
};

/// A device with the publication's programs. Not thread-safe.
class PublishedSort {
 public:
  /// Opens the device and builds the programs: the publication's "GPU selection". Throws EngineFailure.
  PublishedSort(const DeviceInfo& device, const WorkShape& shape);

  /// Sorts the words of a set into `sorted`, which has the size of the set's text. Throws EngineFailure.
  SortStages sort(const WordSet& set, std::string& sorted);

  /// One line about the resource that the device lacks for such a set; nothing if it has all.
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
