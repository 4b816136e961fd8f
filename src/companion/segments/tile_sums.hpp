// The four numbers of tiles on the host's vector units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "companion/segments/blocks.hpp"

namespace gpuhmm {

/// Of a tile of any length; all sums of parts within 64 bits.
TileSums tile_sums(std::span<const std::int32_t> values);
TileSums tile_sums(std::span<const std::int64_t> values);

}  // namespace gpuhmm
