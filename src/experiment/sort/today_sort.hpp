// Runs today's sorter on sets of words: it counts words that fit few bits, and sorts others as strings.
#pragma once

#include <optional>
#include <string>

#include "companion/strings/opencl/sort_kernels.hpp"
#include "experiment/sort/word_sets.hpp"

namespace gpuhmm::experiment::sorting {

/// Sorts on the host's threads and returns the words in order.
std::string sort_today_on_host(const WordSet& set, unsigned threads);

/// Seconds of a sort on a device.
struct TodaySeconds {
  double counting = 0, scan = 0, writing = 0;  ///< kernels, by their events; 0 if words are not counted
  double kernels = 0;                          ///< all kernels
  double with_copies = 0;  ///< wall time: buffers, words to the device, kernels, words back
};

/// Sorts the words on the device into `sorted`. Throws EngineFailure.
TodaySeconds sort_today_on(SortKernels& kernels, const WordSet& set, std::string& sorted);

/// One line about the resource that the device lacks for that; nothing if it has all.
std::optional<std::string> lacking_today(const DeviceInfo& device, const WordSet& set);

}  // namespace gpuhmm::experiment::sorting
