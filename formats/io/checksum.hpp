// CRC-32 (zlib's) of memory of any size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gpuhmm {

/// The checksum of the bytes checked so far followed by `bytes`; `so_far` of nothing is 0.
std::uint32_t extend_checksum(std::uint32_t so_far, std::string_view bytes);

/// The checksum of two runs of bytes, one after the other, from those of each.
std::uint32_t join_checksums(std::uint32_t first, std::uint32_t second, std::size_t second_size);

/// The bytes of an object without padding.
template <class T>
std::string_view bytes_of(const T& object) {
  return {reinterpret_cast<const char*>(&object), sizeof object};
}

}  // namespace gpuhmm
