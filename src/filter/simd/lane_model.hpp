// Parameters and kernel for scores with one sequence in each SIMD lane, in 16 bits or, for glocal models, in
// 32: no transition crosses lanes, no lane is padding, and one or two vectors hold all emissions of a node.
// Needs vectors of 64 bytes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "filter/simd/glocal_close.hpp"
#include "filter/simd/lane_sequences.hpp"
#include "plan7/raised_scores.hpp"
#include "simd/aligned_buffer.hpp"

namespace gpuhmm::simd {

/// A score as often as it fits into 32 bits, which are quicker to broadcast than 16.
template <class T>
struct ScoreWord {
  ScoreWord(T score = 0) { copies.fill(score); }
  T score() const { return copies[0]; }
  std::array<T, sizeof(std::int32_t) / sizeof(T)> copies;
};

/// Transitions of a node, as in the planes of the glocal and of the single-hit kernel; zero where not used.
template <class T>
struct LaneSteps {
  ScoreWord<T> match_insert, insert_insert;
  ScoreWord<T> delete_match;                        ///< glocal
  ScoreWord<T> match_delete, delete_delete, entry;  ///< single-hit
};

/// Rows that the kernel computes at a time.
inline constexpr std::size_t kLaneRows = kWatchedRows;

/// The parameters of a model, node by node.
template <class T>
struct LaneModel {
  bool glocal = false;        ///< use the glocal recurrence; otherwise the single-hit one
  bool same_inserts = false;  ///< all nodes have the insert emissions of the first one; only if glocal
  /// Of bounds: as long as no M~ of the sequence is above the mark, only sums with a match emission may leave
  /// the range of T. The state before kLaneRows rows whose first one is a separator is then `fresh_q` and
  /// `fresh_insert`.
  bool sums_fit = false;
  T fresh_q = 0, fresh_insert = 0;
  std::size_t nodes = 0, codes = 0;
  std::size_t separators = 0;  ///< rows of separators that clear the state of a lane
  T first_q = 0, first_d = 0;
  std::vector<LaneSteps<T>> steps;   ///< [node]
  AlignedBuffer<T> emissions;        ///< [node][match, insert][code]
  std::vector<std::size_t> watched;  ///< as CloseModel::watched
  T insert_limit = 0;                ///< as CloseModel::insert_limit
  T doubtful = 0;                    ///< a largest M~ up to this may be wrong

  LaneSpacing spacing() const { return {std::max(separators, kLaneRows - 1), kLaneRows}; }
};

/// Parameters from striped ones with a single lane: from a close model, from a glocal bound, or from exact
/// ones for LazyFRule::WhenUseful. Nothing if the model has too many nodes or codes, or needs too many
/// separators. In 32 bits no path of a sequence may gain more than kHighestLaneGain.
template <class T>
std::optional<LaneModel<T>> lane_model(const CloseModel<T>& close);
std::optional<LaneModel<std::int16_t>> bound_lane_model(const LevelledModel<std::int16_t>& bound);
std::optional<LaneModel<std::int16_t>> lane_model(const LevelledModel<std::int16_t>& exact);

/// 1/1000 bit. What a lane has reached with no more than this, separators take back.
inline constexpr std::int64_t kHighestLaneGain = kImpossible / 4;

/// The emission of separators, which is also the state of a lane before its first row.
template <class T>
inline constexpr T kLaneFloor = std::numeric_limits<T>::min();
template <>
inline constexpr std::int32_t kLaneFloor<std::int32_t> = -2 * kImpossible;

/// Whether the kernel exists for the instruction set in use.
bool has_lane_kernel();

/// The state of all lanes between rows.
template <class T>
struct LaneState {
  AlignedBuffer<T> cells;  ///< [node][Q, I before its emission][lane], for one vector of lanes
  alignas(64) std::array<T, kLaneCount> best, highest_insert;
};

/// Writes the largest M~ of each sequence to its element of `best`. Writes the highest value if that M~ may
/// be wrong: if an I~ was above its limit, or if no M~ was above LaneModel::doubtful.
template <class T>
void sweep_lanes(const LaneModel<T>& model, const LaneSequences& dealt, LaneState<T>& state,
                 std::span<T> best);

}  // namespace gpuhmm::simd
