// Proves that 16 bits hold the scores of a model. The proof holds for most local models, and for short glocal
// models up to a few bits above the scores of random sequences.
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
/// sequence whose E is at or below the mark. All levels are in 1/1000 bit with zero() subtracted.
///
/// High values: a Q~ that saturates makes the next M~ at least 32767 + the lowest match emission, which is
/// above the mark. Low values: M~ never saturates. A D~ that is raised by saturation must be harmless: it
/// stays below the entry from B at this node and all later ones. A raised I~ must stay below the entry, too,
/// so its loop must not gain; where the loop can gain, I~ must not saturate at all.
///
/// With DeleteSums::Fit no sum of a D~ and a transition leaves 16 bits while all M~ are at or below the mark,
/// in a lane that begins with first_delete(). Low values: D~ of a node is at least the lowest M~ of the node
/// before plus md, and first_delete() is harmless at every node; zero() leaves room for another dd below
/// both. High values: D~ is at most delete_gain() above the largest of first_delete() and all M~, and so much
/// is free above the mark. The first M~ above it is thus right, or saturated. The last node passes its M~ and
/// D~ on to the padding, as if md and dd were 0: M~ of padding is 32768 less than what it gets, which is
/// below the largest M~, as no match emission is so low, not even with that gain.
class Exact16Range {
 public:
  Exact16Range(const SingleHitModel& single, const RebasedModel& rebased,
               DeleteSums sums = DeleteSums::Saturate);

  /// The score (1/1000 bit) that the 16-bit value 0 stands for.
  std::int64_t zero() const { return zero_; }
  /// The highest 16-bit E that is exact.
  std::int64_t mark() const { return mark_; }
  /// D~ of node 0, if sums shall fit.
  std::int64_t first_delete() const { return first_delete_; }
  /// Whether the conditions of the proof hold.
  bool exact(const StripedShape& shape, const DeletePaths& deletes) const {
    return scores_fit() && inserts_hold() && deletes_hold(shape, deletes) &&
           (sums_ == DeleteSums::Saturate || delete_sums_fit());
  }

 private:
  /// Upper bound of the gain of one more residue in the insert loop of node k; not above 0 if the loop never
  /// gains.
  std::int64_t loop_gain(int k) const {
    return rebased_.ii[k] + std::max(single_.insert[k].high, std::int64_t{0});
  }
  /// B into M_k, to be compared with Q~ of node k - 1.
  std::int64_t entry(int k) const { return single_.begin + rebased_.begin[k]; }
  /// The lowest M~ of node k.
  std::int64_t lowest_m(int k) const {
    return entry(k) + std::min(single_.match[k].low + rebased_.match_shift[k], std::int64_t{0});
  }
  /// The lowest sum of a D~ that does not come from another lane.
  std::int64_t lowest_delete() const;
  /// How far a D~ may be above the largest M~ and the first D~ of its lane.
  std::int64_t delete_gain() const;
  /// Whether sums of D~ stay below 32768, and the padding below the largest M~.
  bool delete_sums_fit() const;
  bool scores_fit() const;
  bool inserts_hold() const;
  bool deletes_hold(const StripedShape& shape, const DeletePaths& deletes) const;

  const SingleHitModel& single_;
  const RebasedModel& rebased_;
  DeleteSums sums_;
  std::vector<std::int64_t> harmless_;
  std::int64_t lowest_match_ = 0;
  std::int64_t zero_ = 0;
  std::int64_t mark_ = 0;
  std::int64_t first_delete_ = 0;
};

}  // namespace gpuhmm::simd
