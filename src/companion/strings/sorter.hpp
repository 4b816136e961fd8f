// The interface of sorters: the host's threads, or an OpenCL device.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "companion/strings/equal_lines.hpp"
#include "companion/strings/string_set.hpp"

namespace gpuhmm {

/// Results are the same on the host and on every device. Not thread-safe.
class Sorter {
 public:
  virtual ~Sorter() = default;

  /// As radix_sort: sorts `keys` with the help of `scratch`, of the same size; returns whichever holds the
  /// result.
  virtual std::span<std::uint64_t> sort_keys(std::span<std::uint64_t> keys,
                                             std::span<std::uint64_t> scratch) = 0;
  /// How often each possible line occurs, indexed by its number; for lines of at most kCountedBits bits.
  virtual std::vector<std::uint32_t> count_lines(const EqualLines& lines) = 0;
  static constexpr unsigned kCountedBits = 20;
  /// As sort_strings.
  virtual SortedStrings sort_strings(const StringSet& set) = 0;
};

std::unique_ptr<Sorter> make_host_sorter(unsigned threads);

}  // namespace gpuhmm
