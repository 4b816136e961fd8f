// Computes the numbers of tiles (TileSums) on the host's vector units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "companion/segments/blocks.hpp"

namespace gpuhmm {

/// The numbers of a tile of any length. The caller makes sure that the sum of every part fits 64 bits.
TileSums tile_sums(std::span<const std::int32_t> values);
TileSums tile_sums(std::span<const std::int64_t> values);

}  // namespace gpuhmm
