// A score model in 16 bit whose single-hit scores are never below the exact ones: the parameters of
// cl/gpu_packed.cl and, packed, gpu_long.cl.
//
// Scores are re-based with free begins (plan7/rebased_model.hpp), so that B is the same for all nodes and
// scores count from "begin here". Then every parameter is scaled to `units` per bit and rounded up: by
// induction every cell is at least the exact one. The emissions of all inserts are one
// row, that of the node where inserting is easiest, and what another node's row exceeds it by at most is
// added to its M->I and I->I. Deletes take B in, so that no match need. Scores are unsigned above a zero
// point below which no cell can fall; a match score above `peak_limit` tells that 16 bit may not have
// sufficed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "filter/opencl/gpu_model.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm {

/// The kernel's best E where 16 bit may not have sufficed.
inline constexpr std::int32_t kGpuOverflown = std::numeric_limits<std::int32_t>::max();

struct GpuBoundModel {
  /// `model` must satisfy fits_gpu_kernels. Chooses the finest scale at which a sequence of a score below
  /// `pass_mark` (1/1000 bit, the whole score S) is unlikely to leave 16 bit.
  GpuBoundModel(const ScoreModel& model, std::int32_t pass_mark);

  int units;  ///< per bit, 1 to 1000
  /// [pair][32 codes], first node in the low half; padded_pairs(nodes).
  std::vector<std::uint32_t> emissions;
  /// [pair][mi ii md dd, mi ii md dd, es es 0 0]; the first 8 doubled.
  std::vector<std::uint32_t> moves;
  std::vector<std::uint32_t> inserts;  ///< [32 codes], doubled
  std::uint32_t begin;                 ///< B, doubled: the zero point
  std::uint32_t start_p;               ///< "no path yet" of what enters an insert, doubled
  std::uint16_t peak_limit;            ///< match scores up to this prove that no score wrapped around
  std::int32_t constant;               ///< 1/1000 bit: N->B + E->C + C->T
  std::int32_t row;                    ///< N loop
  bool weak;                           ///< inserting random residues gains in the bound: most will pass

  /// The bound of S in 1/1000 bit for the kernel's best E, unless that is kGpuOverflown.
  std::int32_t score(std::int32_t best, std::size_t length) const;
};

}  // namespace gpuhmm
