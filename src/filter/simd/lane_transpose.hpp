// Turns residue codes lane by lane into codes row by row.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gpuhmm::simd {

/// Rows that are transposed at a time.
inline constexpr std::size_t kRowsTransposed = 16;

/// Transposes the codes of kLaneCount lanes from [lane][row] to [row][lane]. `rows`: a multiple of
/// kRowsTransposed. Only where there are vectors.
void transpose_lanes(const std::uint8_t* lanes, std::size_t rows, std::uint8_t* codes);

}  // namespace gpuhmm::simd
