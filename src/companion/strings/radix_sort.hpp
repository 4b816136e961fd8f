// Sorting 64-bit keys on the host: least significant digit first, stable, over the bits that differ.
#pragma once

#include <cstdint>
#include <span>

namespace gpuhmm {

/// Sorts `keys` ascending with `threads` threads. `scratch` has the same size and is overwritten.
/// Returns whichever of the two holds the result.
std::span<std::uint64_t> radix_sort(std::span<std::uint64_t> keys, std::span<std::uint64_t> scratch,
                                    unsigned threads);

}  // namespace gpuhmm
