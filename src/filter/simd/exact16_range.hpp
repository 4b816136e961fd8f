// The proof that 16 bits hold the scores of a model: of most local ones, and of short glocal ones up to a few
// bits above what random sequences score.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "filter/simd/delete_paths.hpp"
#include "filter/simd/striped_model.hpp"
#include "plan7/rebased_model.hpp"
#include "plan7/single_hit_model.hpp"

namespace gpuhmm::simd {

inline constexpr std::int64_t kLowest16 = -32768;
inline constexpr std::int64_t kHighest16 = 32767;

/// Zero point, mark and checks which prove that 16 bits with saturating sums give the exact E of every
/// sequence whose E stays at or below the mark. All levels are in 16-bit units, zero() taken off.
///
/// Above: a Q~ that saturates makes the next M~ at least 32767 + the lowest match emission, which is above
/// the mark. Below: M~ never saturates. A D~ that is raised by saturation must be harmless: it stays below
/// the entry from B there and all the way down. A raised I~ must stay below the entry, too, so its loop must
/// not gain; where the loop can gain, I~ must not saturate at all.
class Exact16Range {
 public:
  Exact16Range(const SingleHitModel& single, const RebasedModel& rebased);

  std::int64_t zero() const { return zero_; }
  std::int64_t mark() const { return mark_; }
  /// Whether the proof holds.
  bool exact(const StripedShape& shape, const DeletePaths& deletes) const {
    return scores_fit() && inserts_hold() && deletes_hold(shape, deletes);
  }

 private:
  /// Upper bound of what a residue in the insert loop of node k can gain; not above 0 if it always loses.
  std::int64_t loop_gain(int k) const {
    return rebased_.ii[k] + std::max(single_.insert[k].high, std::int64_t{0});
  }
  /// B into M_k, to be compared with Q~ of node k - 1.
  std::int64_t entry(int k) const { return single_.begin + rebased_.begin[k]; }
  bool scores_fit() const;
  bool inserts_hold() const;
  bool deletes_hold(const StripedShape& shape, const DeletePaths& deletes) const;

  const SingleHitModel& single_;
  const RebasedModel& rebased_;
  std::vector<std::int64_t> harmless_;
  std::int64_t lowest_match_ = 0;
  std::int64_t zero_ = 0;
  std::int64_t mark_ = 0;
};

}  // namespace gpuhmm::simd
