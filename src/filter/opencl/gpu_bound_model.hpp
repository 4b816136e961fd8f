// A score model in 16 bits whose single-hit scores are never below the exact ones: the parameters of
// cl/gpu_packed.cl and of gpu_long.cl with PACKED.
//
// Scores are re-based with free begins (plan7/rebased_model.hpp), so that B is the same for all nodes and
// scores are relative to a begin at the node. Then every parameter is scaled to `units` per bit and rounded
// up: by induction every cell is at least the exact one. All inserts share one row of emissions, that of the
// node where insertions gain most; the largest excess of another node's row over it is added to that node's
// M->I and I->I. Deletes include B, so that matches need not. Scores are unsigned, above a zero point below
// which no cell can fall, not even by what the other half may take (cl/gpu_packed_step.cl). A match score
// above `peak_limit` means that 16 bits may have overflowed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "filter/opencl/gpu_model.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm {

/// The kernel's best E if 16 bits may have overflowed.
inline constexpr std::int32_t kGpuOverflown = std::numeric_limits<std::int32_t>::max();

/// The end score of nodes that do not exist.
inline constexpr std::int32_t kGpuImpossibleEnd = -100'000'000;

/// The place of ii among the moves of a node.
inline constexpr std::size_t kGpuMoveInsertInsert = 1;

/// Two scores that one addition of 32 bits adds to the halves of a word.
constexpr std::uint32_t joined(std::int32_t low, std::int32_t high) {
  return static_cast<std::uint32_t>(low) + (static_cast<std::uint32_t>(high) << 16);
}

/// Tables and constants of the 16-bit upper bound.
struct GpuBoundModel {
  /// `model` must satisfy fits_gpu_kernels. Chooses the finest scale at which a sequence with a score S below
  /// `pass_mark` (1/1000 bit) is unlikely to overflow 16 bits.
  GpuBoundModel(const ScoreModel& model, std::int32_t pass_mark);

  int units;  ///< per bit, 1 to 1000
  /// [pair][32 codes], first node in the low half; padded_pairs(nodes).
  std::vector<std::uint32_t> emissions;
  /// [pair][mi ii md dd, mi ii md dd, es es 0 0]; the first 8 in both halves, ii joined().
  std::vector<std::uint32_t> moves;
  std::vector<std::uint32_t> inserts;  ///< [32 codes]
  std::uint32_t padding;               ///< the emission of nodes behind the last, a half
  std::uint32_t begin;                 ///< B, doubled: the zero point
  std::uint32_t start_p;               ///< P before the first row ("no path yet"), doubled
  std::uint16_t peak_limit;            ///< match scores up to this prove that no score wrapped around
  std::int32_t constant;               ///< 1/1000 bit: N->B + E->C + C->T
  std::int32_t row;                    ///< N loop
  bool weak;  ///< inserted random residues gain in the bound: most sequences will pass

  /// The upper bound of S in 1/1000 bit for the kernel's best E, which must not be kGpuOverflown.
  std::int32_t score(std::int32_t best, std::size_t length) const;
};

}  // namespace gpuhmm
