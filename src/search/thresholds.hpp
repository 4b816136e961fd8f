// Thresholds in force for one profile, and the provisional filter of a search
// (docs/spec/postprocessing-statistics.md, 5.1, 5.7).
#pragma once

#include <cfloat>
#include <cstdint>
#include <optional>

#include "gpuhmm/hits.hpp"
#include "gpuhmm/profile.hpp"
#include "gpuhmm/run.hpp"

namespace gpuhmm {

/// `asked`, or with --cut_ga, --cut_nc or --cut_tc the profile's own score cut-offs and no E-value
/// thresholds. Throws SearchError if the profile lacks that cut-off.
Thresholds thresholds_for(const Profile& profile, const Thresholds& asked);

/// Throws SearchError if sequences shall be masked for a profile that is not of proteins.
void check_masking(const Profile& profile, const Thresholds& asked);

/// Decides which raw scores deserve post-processing: score >= T and P-value times the number of sequences
/// counted so far (or -Z) <= E. Sequences must be asked for in input order.
class ProvisionalFilter {
 public:
  ProvisionalFilter(const Thresholds& thresholds, const std::optional<ExtremeValue>& evd);

  /// True with --forward: sequences have no score before they are aligned.
  bool forward() const { return thresholds_.forward; }

  /// `bits`: score of a sequence; `ordinal`: sequences counted so far, this one included.
  bool passes(float bits, std::int64_t ordinal) {
    return bits >= recent_bound(ordinal) && decides_for(bits, ordinal);
  }
  /// The same for sequences in any order, by the two conditions alone: slower where few pass.
  bool decides_for(float bits, std::int64_t ordinal) const;
  /// A score (bits) below which no sequence from `ordinal` on passes, hardly lower than bound() and much
  /// cheaper.
  float recent_bound(std::int64_t ordinal);
  /// A score (bits) below which no sequence with an ordinal of at least `ordinal` passes; -FLT_MAX if there
  /// is none.
  float bound(std::int64_t ordinal) const;
  /// The same as a raw score (1/1000 bit), for engines.
  std::int32_t raw_bound(std::int64_t ordinal) const;
  /// A raw score that passes at all ordinals up to `ordinal`, little above the lowest; the largest number if
  /// there is none.
  std::int32_t raw_enough(std::int64_t ordinal) const;
  /// recent_bound() likewise.
  std::int32_t recent_raw_bound(std::int64_t ordinal);

 private:
  double size(std::int64_t ordinal) const;

  Thresholds thresholds_;
  std::optional<ExtremeValue> evd_;
  float bound_ = -FLT_MAX;         // holds from bound_ordinal_ on
  std::int64_t next_refresh_ = 1;  // ordinal from which a new bound pays
};

}  // namespace gpuhmm
