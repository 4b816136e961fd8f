// The thresholds of one profile, and the provisional filter of a search
// (docs/spec/postprocessing-statistics.md, 5.1, 5.7).
#pragma once

#include <cfloat>
#include <cstdint>
#include <optional>

#include "gpuhmm/hits.hpp"
#include "gpuhmm/profile.hpp"
#include "gpuhmm/run.hpp"

namespace gpuhmm {

/// `asked`, or with --cut_ga, --cut_nc or --cut_tc the profile's own score cut-offs without E-value
/// thresholds. Throws SearchError if the profile lacks that cut-off.
Thresholds thresholds_for(const Profile& profile, const Thresholds& asked);

/// Throws SearchError if sequences are to be masked (--xnu) for a profile that is not of proteins.
void check_masking(const Profile& profile, const Thresholds& asked);

/// A raw score (1/1000 bit) such that all lower ones are below `bits`.
std::int32_t units_below(float bits);

/// Decides which raw scores need post-processing: score >= T, and P-value times the number of sequences
/// counted so far (or -Z) <= E. Except where noted, calls must be in input order.
class ProvisionalFilter {
 public:
  ProvisionalFilter(const Thresholds& thresholds, const std::optional<ExtremeValue>& evd);

  /// From now on scores below `bits` do not pass.
  void skip_below(float bits) {
    least_ = bits;
    next_refresh_ = 0;
  }

  /// True with --forward: sequences have no score before they are aligned.
  bool forward() const { return thresholds_.forward; }

  /// Whether a sequence passes. `bits`: its score; `ordinal`: sequences counted so far, including this one.
  bool passes(float bits, std::int64_t ordinal) {
    return bits >= recent_bound(ordinal) && decides_for(bits, ordinal);
  }
  /// The same for sequences in any order; slower if few pass.
  bool decides_for(float bits, std::int64_t ordinal) const;
  /// A score (bits) below which no sequence from `ordinal` on passes: slightly lower than bound(), but much
  /// faster.
  float recent_bound(std::int64_t ordinal);
  /// A score (bits) below which no sequence from `ordinal` on passes; -FLT_MAX if there is none. In any
  /// order.
  float bound(std::int64_t ordinal) const;
  /// bound() as a raw score (1/1000 bit), for engines.
  std::int32_t raw_bound(std::int64_t ordinal) const;
  /// A raw score (1/1000 bit) that passes at all ordinals up to `ordinal`, little above the lowest such
  /// score; the largest number if there is none.
  std::int32_t raw_enough(std::int64_t ordinal) const;
  /// recent_bound() as a raw score (1/1000 bit).
  std::int32_t recent_raw_bound(std::int64_t ordinal);

 private:
  double size(std::int64_t ordinal) const;

  Thresholds thresholds_;
  std::optional<ExtremeValue> evd_;
  float least_ = -FLT_MAX;         // of skip_below()
  float bound_ = -FLT_MAX;         // of recent_bound()
  std::int64_t next_refresh_ = 1;  // the ordinal at which bound_ is computed again
};

}  // namespace gpuhmm
