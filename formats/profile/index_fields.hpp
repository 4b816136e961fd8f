// Fields of SSI indices of either generation: numbers, and keys in order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gpuhmm/profile_index.hpp"

namespace gpuhmm {

/// The lowest `size` bytes of a number, most significant first.
inline std::string big_endian(std::uint64_t value, std::size_t size) {
  std::string bytes;
  for (std::size_t i = size; i-- > 0;) bytes += static_cast<char>(value >> (8 * i) & 0xff);
  return bytes;
}

/// The profiles that have the key, sorted by it; of equal keys the first in the file comes first.
template <class Key>
std::vector<const IndexedProfile*> sorted_by(const std::vector<IndexedProfile>& profiles, Key key) {
  std::vector<const IndexedProfile*> sorted;
  for (const IndexedProfile& profile : profiles) {
    if (!std::invoke(key, profile).empty()) sorted.push_back(&profile);
  }
  std::ranges::stable_sort(sorted, {}, [key](const IndexedProfile* p) { return std::invoke(key, *p); });
  return sorted;
}

/// Bytes of the longest key and its zero; 0 if there is no key.
template <class Key>
std::size_t field_size(const std::vector<const IndexedProfile*>& profiles, Key key) {
  std::size_t size = 0;
  for (const IndexedProfile* p : profiles) size = std::max(size, std::invoke(key, *p).size() + 1);
  return size;
}

}  // namespace gpuhmm
