// Options that `gpuhmm sort` and `gpuhmm kmers` share: device, threads and memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cli/command.hpp"
#include "companion/strings/sorter.hpp"
#include "gpuhmm/device.hpp"

namespace gpuhmm::cli {

/// Adds --device, --cpu and --memory.
void add_sorting_options(OptionTable& all);

/// A sorter and its device.
struct ChosenSorter {
  std::unique_ptr<Sorter> sorter;
  std::optional<DeviceInfo> device;  // none: the host
};

/// The sorter that --device selects. With auto it is the first GPU, if there is one and the file `input` is
/// large enough to be worth its start. Throws UsageError for several devices, DeviceError if the device
/// cannot be used.
ChosenSorter sorter_from(const Arguments& arguments, const std::string& input);

/// --memory in bytes, by default half of the machine's memory. Throws UsageError.
std::uint64_t memory_from(const Arguments& arguments);

}  // namespace gpuhmm::cli
