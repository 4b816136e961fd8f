// Computes CRC-32 with zlib.
#include "formats/io/checksum.hpp"

#include <zlib.h>

namespace gpuhmm {

std::uint32_t extend_checksum(std::uint32_t so_far, std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(so_far, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::uint32_t join_checksums(std::uint32_t first, std::uint32_t second, std::size_t second_size) {
  return static_cast<std::uint32_t>(crc32_combine(first, second, static_cast<z_off_t>(second_size)));
}

}  // namespace gpuhmm
