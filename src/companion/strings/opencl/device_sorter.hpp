// An OpenCL device behind the interface of Sorter.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "companion/strings/opencl/sort_kernels.hpp"
#include "companion/strings/sorter.hpp"
#include "gpuhmm/device.hpp"

namespace gpuhmm {

struct DeviceSorterOptions {
  unsigned threads = 1;             ///< of the host
  std::size_t smallest = 0;         ///< elements; fewer are sorted on the host
  bool host_after_failure = false;  ///< what the device fails to do is done on the host
  std::function<void(const std::string&)> warn = nullptr;  ///< gets one line when the device is given up
};

/// Sorts on the device what fits its memory, all else on the host; results are checked (checked_sorter.hpp).
/// Throws EngineFailure if the device cannot be used, or fails for another reason than too little memory.
std::unique_ptr<Sorter> make_device_sorter(const DeviceInfo& device, const DeviceSorterOptions& options);

/// A new buffer with the number of times each possible line occurs; `text` holds the lines on the device.
cl::Buffer count_lines_on(SortKernels& kernels, const EqualLines& lines, const cl::Buffer& text);
/// Writes the lines in order to `text`, a buffer of whole 32-bit words, given the counts, which become sums.
void write_lines_on(SortKernels& kernels, const EqualLines& lines, const cl::Buffer& counts,
                    const cl::Buffer& text);

/// Sorts fewer than 2^31 strings with the kernels of a device.
SortedStrings sort_strings_on(SortKernels& kernels, const StringSet& set);
/// Device memory that this takes, in bytes.
std::uint64_t memory_to_sort_strings(const StringSet& set);

}  // namespace gpuhmm
