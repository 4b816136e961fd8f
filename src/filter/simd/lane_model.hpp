// Parameters and kernel for 16-bit scores of short models with one sequence in each SIMD lane: no transition
// crosses lanes, no lane is padding, and one vector holds all emissions of a node. Needs vectors of 64 bytes.
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

/// A score twice: 32 bits are quicker to broadcast.
struct TwoScores {
  TwoScores(std::int16_t score = 0) : first(score), second(score) {}
  std::int16_t first, second;
};

/// Transitions of a node, as in the planes of the glocal and of the single-hit kernel; zero where not used.
struct LaneSteps {
  TwoScores match_insert, insert_insert;
  TwoScores delete_match;                        ///< glocal
  TwoScores match_delete, delete_delete, entry;  ///< single-hit
};

/// The parameters of a model, node by node.
struct LaneModel {
  bool glocal = false;        ///< use the glocal recurrence; otherwise the single-hit one
  bool same_inserts = false;  ///< all nodes have the insert emissions of the first one; only if glocal
  std::size_t nodes = 0;
  std::size_t separators = 0;  ///< rows of separators that clear the state of a lane
  std::int16_t first_q = 0, first_d = 0;
  std::vector<LaneSteps> steps;           ///< [node]
  AlignedBuffer<std::int16_t> emissions;  ///< [node][match, insert][code]
  std::vector<std::size_t> watched;       ///< as CloseModel::watched
  std::int16_t insert_limit = 0;          ///< as CloseModel::insert_limit
  std::int16_t doubtful = 0;              ///< a largest M~ up to this may be wrong
};

/// Parameters from striped ones with a single lane: from a close model, from a glocal bound, or from exact
/// ones for LazyFRule::WhenUseful. Nothing if the model has too many nodes or codes, or needs too many
/// separators.
std::optional<LaneModel> lane_model(const CloseModel<std::int16_t>& close);
std::optional<LaneModel> bound_lane_model(const LevelledModel<std::int16_t>& bound);
std::optional<LaneModel> lane_model(const LevelledModel<std::int16_t>& exact);

/// Whether the kernel exists for the instruction set in use.
bool has_lane_kernel();

/// The state of all lanes between rows.
struct LaneState {
  AlignedBuffer<std::int16_t> cells;  ///< [node][Q, I before its emission][lane]
  alignas(64) std::array<std::int16_t, kLaneCount> best, highest_insert;
};

/// Writes the largest M~ of each sequence to its element of `best`. Writes the highest 16-bit value if that
/// M~ may be wrong: if an I~ was above its limit, or if no M~ was above LaneModel::doubtful.
void sweep_lanes(const LaneModel& model, const LaneSequences& dealt, LaneState& state,
                 std::span<std::int16_t> best);

}  // namespace gpuhmm::simd
