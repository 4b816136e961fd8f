// A device's sorter whose results are looked at before they are used, with the host behind it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "companion/strings/sorter.hpp"

namespace gpuhmm {

struct CheckedSorterOptions {
  std::string device;               ///< its name, for messages
  unsigned threads = 1;             ///< of the host
  bool host_after_failure = false;  ///< what the device fails to do is done on the host
  /// Whether the device takes so many elements, with so many bytes in the largest buffer and in all.
  std::function<bool(std::size_t elements, std::uint64_t largest, std::uint64_t all)> suits;
  std::function<void(const std::string&)> warn;  ///< gets one line when the device is given up
};

/// Sorts with `device` what suits it, all else on the host. `device` leaves keys as they are and gives them
/// sorted in the scratch. Keys: that they ascend and are those that were given (by a checksum); counts: their
/// sum, and those of some lines; strings: that they are those given, and the order of some. A wrong result is
/// done again on the host, and the device is not used any more; so is a failure, with host_after_failure or
/// for want of memory. Throws EngineFailure for other failures.
std::unique_ptr<Sorter> make_checked_sorter(std::unique_ptr<Sorter> device, CheckedSorterOptions options);

/// The strings of a set in the order that a device gives: numbers of strings, with bit 31 set where a string
/// equals the one before. Throws WrongDeviceResult for numbers that there are not.
SortedStrings strings_in_order(const StringSet& set, std::span<const std::uint32_t> order,
                               const std::string& device);

}  // namespace gpuhmm
