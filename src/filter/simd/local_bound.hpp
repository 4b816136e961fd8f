// 8-bit parameters and kernel for upper bounds of the scores of local models, with one sequence in each byte
// of a vector. No transition crosses lanes, and a vector holds twice as many cells as with 16 bits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "filter/simd/lane_sequences.hpp"
#include "filter/simd/score_levels.hpp"
#include "plan7/score_model.hpp"
#include "plan7/single_hit_model.hpp"
#include "simd/aligned_buffer.hpp"

namespace gpuhmm::simd {

/// Steps of a node of the local bound: B into its M, and from its states to I and to D of the next node.
enum LocalBoundStep : std::size_t {
  kLocalEntry,
  kLocalMatchInsert,
  kLocalInsertInsert,
  kLocalMatchDelete,
  kLocalDeleteDelete,
  kLocalSteps
};

/// The parameters of a local model in units of a bound.
struct LocalBound {
  static constexpr std::size_t kCopies = 4;
  /// Rows of separators before each sequence. Two are swept with the sequence before, as each takes 128 units
  /// from what is left of it; after two more nothing is left that counts.
  static constexpr LaneSpacing kSpacing = {4, 2};

  ScoreLevels levels;
  std::size_t nodes = 0;
  AlignedBuffer<std::int8_t> steps;      ///< [node][LocalBoundStep][copy]: 32 bits are quicker to broadcast
  AlignedBuffer<std::int8_t> emissions;  ///< [node][code], kTableCodes codes
  /// The insert emissions of the residue codes (SplitUnits).
  alignas(32) std::array<std::int8_t, kTableCodes> insert_whole;
  alignas(32) std::array<std::uint8_t, kTableCodes> insert_fraction;

  std::int8_t step(std::size_t node, LocalBoundStep step) const {
    return steps[(node * kLocalSteps + step) * kCopies];
  }
};

/// Parameters that give upper bounds of E, in the finest scale that reaches from the lowest useful score to
/// `threshold` (1/1000 bit). A result up to the mark is a valid upper bound that is below the threshold, and
/// no second hit can raise the sequence's score. Nothing if the nodes do not have the same insert scores
/// (same_inserts.hpp), if the scale would be too coarse to be of use, or if a score does not fit. Only for
/// models without loop scores (t = 0).
std::optional<LocalBound> local_bound(const ScoreModel& model, const SingleHitModel& single,
                                      std::int32_t threshold);

/// The state of the lanes of one vector; memory that calls share.
struct LocalBoundState {
  AlignedBuffer<std::int8_t> cells;  ///< [node][Q, I before its emission][lane]
};

/// Writes the upper bound of E of each sequence, the largest Q~, to its element of `best`.
void sweep_local_bound(const LocalBound& bound, const LaneSequences& dealt, LocalBoundState& state,
                       std::span<std::int8_t> best);

}  // namespace gpuhmm::simd
