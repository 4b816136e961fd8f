// CRC-32, as zlib computes it, of bytes that come in pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gpuhmm {

/// The checksum of the bytes with checksum `so_far` (0 for no bytes) followed by `bytes`.
std::uint32_t extend_checksum(std::uint32_t so_far, std::string_view bytes);

/// The checksum of two consecutive pieces from the checksum of each; `second_size` is in bytes.
std::uint32_t join_checksums(std::uint32_t first, std::uint32_t second, std::size_t second_size);

/// The bytes of an object, whose type must have no padding.
template <class T>
std::string_view bytes_of(const T& object) {
  return {reinterpret_cast<const char*>(&object), sizeof object};
}

}  // namespace gpuhmm
