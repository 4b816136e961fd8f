// Striped parameters for the glocal kernel with which it comes so close to the exact scores of a glocal model
// that for most sequences the whole bits are certain: fewer operations a cell than exact sums take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "filter/simd/glocal_bound.hpp"

namespace gpuhmm::simd {

/// The exact E of a sequence whose result is at or below the mark lies between the score of the result less
/// `slack` and that score; in 32 bits under the conditions of stripe_exact32.
template <class T>
struct CloseModel {
  LevelledModel<T> levelled;
  std::int64_t slack = 0;  ///< 1/1000 bit
  /// Only for watched inserts: what was said above holds as long as no I~ before its emission, of the nodes
  /// with these indices (from 0), is above the limit in every second row.
  std::vector<std::size_t> watched;
  T insert_limit = 0;
};

/// Who sees to it that an I~ whose loop can gain does not saturate: the mark, or the caller.
enum class GainingInserts { Marked, Watched };

/// Nothing if the model is not glocal, if begins and ends differ from the delete paths by too much to be of
/// use, or, for 16 bits, if the range of its scores is too wide. Only for models without loop scores (t = 0).
template <class T>
std::optional<CloseModel<T>> stripe_glocal_close(const ScoreModel& model, const SingleHitModel& single,
                                                 const StripedShape& shape,
                                                 GainingInserts inserts = GainingInserts::Marked);

}  // namespace gpuhmm::simd
