// Strings as places in a text, and their sorted order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "companion/strings/packing.hpp"

namespace gpuhmm {

/// Strings in a text. Each begins at its start and ends before the next kStringEnd, or after `limit`
/// characters if that is sooner. The text holds the kStringEnd of every string that the limit does not end.
struct StringSet {
  std::string_view text;
  std::vector<std::uint64_t> starts;  ///< in input order, each less than 2^63
  CharacterPacking packing;           ///< knows all characters of the strings
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
};

/// A string of the sorted order: where it starts, and whether it equals the one before.
class SortedString {
 public:
  SortedString() = default;
  SortedString(std::uint64_t start, bool repeated) : value_(start | (repeated ? kRepeated : 0)) {}

  std::uint64_t start() const { return value_ & ~kRepeated; }
  bool repeated() const { return (value_ & kRepeated) != 0; }

 private:
  static constexpr std::uint64_t kRepeated = std::uint64_t{1} << 63;
  std::uint64_t value_ = 0;
};

/// The strings in ascending order of their bytes (unsigned; a string comes before those it begins), equal
/// ones in input order.
using SortedStrings = std::vector<SortedString>;

}  // namespace gpuhmm
