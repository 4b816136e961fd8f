// The models of one launch of the SSV kernel in its layout (cl/hmmer3_ssv.cl).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hmmer3/ssv_finder.hpp"

namespace gpuhmm::hmmer3 {

/// Nodes that the kernel computes at a time.
inline constexpr int kSsvStepNodes = 4;
/// Words of local memory for them.
inline constexpr std::size_t kSsvStepWords = std::size_t{kSsvStepNodes} * 32;
/// Added by the kernel to each rise of a cell.
inline constexpr int kSsvBase = 128;

/// Two models that are compared side by side; the second may be null.
using SsvPair = std::array<const SsvQuery*, 2>;

/// Steps of the longer model.
std::size_t steps_of(const SsvPair& pair);

/// Tables of the pairs, one after the other, in that order.
struct SsvTables {
  /// `threads` threads make the tables; `lengths` are the classes of the batch.
  SsvTables(std::span<const SsvPair> pairs, std::span<const LengthTerms> lengths, unsigned threads);

  std::size_t steps = 0;                                 ///< of all pairs
  std::vector<std::array<std::uint32_t, 2>> pair_steps;  ///< first step and number of steps of each pair
  std::vector<std::uint32_t> gains;                      ///< [step][node][32 codes]
  std::vector<std::uint32_t> least;                      ///< [pair][class]
};

}  // namespace gpuhmm::hmmer3
