// A score model as the exact kernel (cl/viterbi.cl) reads it, and the proof which of its answers are exact.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "plan7/raised_scores.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm {

/// Minus infinity on the device, from which all parameters are clamped below: six of them fit in 32 bits.
inline constexpr std::int32_t kDeviceLow = -350'000'000;

/// Residue code of padding; its emissions are kDeviceLow in every model.
inline constexpr std::uint8_t kPaddingCode = 31;

/// Tables in the kernel's layout; node k of the model is k - 1 here.
struct DeviceModel {
  explicit DeviceModel(const ScoreModel& model);

  std::vector<std::int32_t> parameters;  ///< [node][mm mi md im ii dm dd begin end]
  std::vector<std::uint64_t> emission;   ///< [node][32 codes], match in the low half, insert in the high one
  std::array<std::int32_t, 8> specials;  ///< N->B, N->N, E->C, E->J, C->T, C->C, J->B, J->J
};

/// Tells what a score computed with kDeviceLow for minus infinity is worth.
///
/// The kernel's score is the maximum over all real paths (those that viterbi_score takes without minus
/// infinity) and over false paths, each of which holds kDeviceLow at least once. With G(L) a bound of what
/// any path can gain in L residues, false paths end at kDeviceLow + G(L) or below: a score above that is a
/// real path's, and so exact. A score not above it means "no path" if every real path must score higher.
class ScoreRange {
 public:
  enum class Verdict : std::uint8_t { Exact, NoPath, Unknown };

  explicit ScoreRange(const ScoreModel& model);

  /// Judges the kernel's score of a sequence of `length` residues. Unknown ones must be computed elsewhere:
  /// sequences of more than about 50,000 residues, scores below about -300,000 bits.
  Verdict judge(std::size_t length, std::int32_t score) const;

 private:
  PathGain gain_;
  std::int64_t loss_per_residue_ = 0;  // of a real path with one domain, no less than 0
  std::int64_t loss_at_most_ = 0;      // what such a path loses besides, in deletes and special states
  bool one_domain_suffices_ = false;   // if there is a real path, there is one with one domain
};

}  // namespace gpuhmm
