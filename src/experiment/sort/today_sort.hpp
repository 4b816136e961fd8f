// Today's sorter on sets of words: counts of words where a word fits few bits, string sorting otherwise.
#pragma once

#include <optional>
#include <string>

#include "companion/strings/opencl/sort_kernels.hpp"
#include "experiment/sort/word_sets.hpp"

namespace gpuhmm::experiment::sorting {

/// Sorts with the host's threads; gives the words in order.
std::string sort_today_on_host(const WordSet& set, unsigned threads);

/// Seconds of a sort on a device.
struct TodaySeconds {
  double counting = 0, scan = 0, writing = 0;  ///< kernels, by their events; 0 for words that are not counted
  double kernels = 0;                          ///< all kernels
  double with_copies = 0;  ///< wall time: buffers, words to the device, kernels, words back
};

/// Sorts on the device; gives the words in order in `sorted`. Throws EngineFailure.
TodaySeconds sort_today_on(SortKernels& kernels, const WordSet& set, std::string& sorted);

/// What the device lacks for that, one line; nothing if it can.
std::optional<std::string> lacking_today(const DeviceInfo& device, const WordSet& set);

}  // namespace gpuhmm::experiment::sorting
