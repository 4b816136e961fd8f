// Striped parameters with which the glocal kernel comes so close to the exact scores of a glocal model that
// the whole bits of most scores are certain. This takes fewer operations a cell than exact scores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "filter/simd/glocal_bound.hpp"

namespace gpuhmm::simd {

/// If the result of a sequence is at or below the mark and stands for score s, the exact E is between s -
/// slack and s; in 32 bits under the conditions of stripe_exact32.
template <class T>
struct CloseModel {
  LevelledModel<T> levelled;
  std::int64_t slack = 0;  ///< 1/1000 bit
  /// Only for GainingInserts::Watched: indices (from 0) of nodes whose I~ before its emission must not be
  /// above insert_limit behind each kWatchedRows-th row, or the result is not valid.
  std::vector<std::size_t> watched;
  T insert_limit = 0;
};

/// How often the caller watches.
inline constexpr std::size_t kWatchedRows = 4;

/// How an I~ that saturates because its loop gains is detected: by the mark, or by the caller, who watches
/// the I~.
enum class GainingInserts { Marked, Watched };

/// The parameters of a model. Nothing if the model is not glocal, if begins and ends differ too much from the
/// delete paths, or, for 16 bits, if the range of its scores is too wide. Only for models without loop scores
/// (t = 0).
template <class T>
std::optional<CloseModel<T>> stripe_glocal_close(const ScoreModel& model, const SingleHitModel& single,
                                                 const StripedShape& shape,
                                                 GainingInserts inserts = GainingInserts::Marked);

}  // namespace gpuhmm::simd
