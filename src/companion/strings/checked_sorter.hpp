// A device's sorter whose results are checked before they are used; the host sorts what the device cannot.
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
  /// Whether the device can sort so many elements, which take so many bytes in the largest buffer and in all.
  std::function<bool(std::size_t elements, std::uint64_t largest, std::uint64_t all)> suits;
  std::function<void(const std::string&)> warn;  ///< gets one line when the device is given up
};

/// Sorts with `device` what suits it, all else on the host. `device` must leave the keys as they are and
/// return them sorted in the scratch. Checked are: that keys ascend and are those given (by a checksum); the
/// sum of counts, and the counts of some lines; that strings are those given, and the order of some. After a
/// wrong result, and with host_after_failure after a failure, the host repeats the work and does all that
/// follows. What the device has too little memory for is done on the host, too. Throws EngineFailure for
/// other failures.
std::unique_ptr<Sorter> make_checked_sorter(std::unique_ptr<Sorter> device, CheckedSorterOptions options);

/// The strings of a set in the order that a device returned: numbers of strings, with bit 31 set where a
/// string equals the one before. Throws WrongDeviceResult for numbers out of range.
SortedStrings strings_in_order(const StringSet& set, std::span<const std::uint32_t> order,
                               const std::string& device);

}  // namespace gpuhmm
