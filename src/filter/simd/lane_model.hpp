// Parameters and kernel for 16-bit scores of short models with a sequence in each lane: no step from lane to
// lane, no lane without a node, and a table of a node's emissions in one vector. Needs vectors of 64 bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "filter/simd/glocal_close.hpp"
#include "filter/simd/lane_sequences.hpp"
#include "simd/aligned_buffer.hpp"

namespace gpuhmm::simd {

/// Residue codes that a table holds.
inline constexpr std::size_t kTableCodes = 32;

/// Transitions of a node, as in the planes of the glocal and of the single-hit kernel; zero where not used.
struct LaneSteps {
  std::int16_t match_insert, insert_insert;
  std::int16_t delete_match;                        ///< glocal
  std::int16_t match_delete, delete_delete, entry;  ///< single-hit
};

/// The parameters of a model, node by node.
struct LaneModel {
  bool glocal = false;  ///< the glocal recurrence, or the single-hit one
  std::size_t nodes = 0;
  std::size_t separators = 0;  ///< rows that make a lane forget its last sequence
  std::int16_t first_q = 0, first_d = 0;
  std::vector<LaneSteps> steps;           ///< [node]
  AlignedBuffer<std::int16_t> emissions;  ///< [node][match, insert][code]
  std::vector<std::size_t> watched;       ///< indices of nodes whose I~ ...
  std::int16_t insert_limit = 0;          ///< ... is in doubt above
};

/// Out of striped parameters with a single lane: those of a close model, or exact ones for
/// LazyFRule::WhenUseful. Nothing if the model has too many nodes or codes or if no few separators make a
/// lane forget.
std::optional<LaneModel> lane_model(const CloseModel<std::int16_t>& close);
std::optional<LaneModel> lane_model(const LevelledModel<std::int16_t>& exact);

/// Whether this machine and the instruction set in use have the kernel.
bool has_lane_kernel();

/// Rows that are transposed at a time.
inline constexpr std::size_t kRowsTransposed = 16;

/// Codes lane by lane, `rows` of each, into codes row by row.
void transpose_lanes(const std::uint8_t* lanes, std::size_t rows, std::uint8_t* codes);

/// The state of all lanes between rows.
struct LaneState {
  AlignedBuffer<std::int16_t> cells;  ///< [node][Q, I before its emission][lane]
  alignas(64) std::array<std::int16_t, kLaneCount> best, highest_insert;
};

/// Writes the largest M~ of each sequence to `best`, by its number; the highest value for what is in doubt:
/// an I~ that was above its limit, or no M~ above what deletes from B give.
void sweep_lanes(const LaneModel& model, const LaneSequences& dealt, LaneState& state,
                 std::span<std::int16_t> best);

}  // namespace gpuhmm::simd
