// A score model in the layout of the exact kernel (cl/viterbi.cl), and the proof that a score of it is exact.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "plan7/raised_scores.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm {

/// Minus infinity on the device; lower parameters are raised to it. A sum of six of them fits in 32 bits.
inline constexpr std::int32_t kDeviceLow = -350'000'000;

/// Residue code of padding; its emissions are kDeviceLow in every model.
inline constexpr std::uint8_t kPaddingCode = 31;

/// Tables in the kernel's layout. Node k of the model has index k - 1.
struct DeviceModel {
  explicit DeviceModel(const ScoreModel& model);

  std::vector<std::int32_t> parameters;  ///< [node][mm mi md im ii dm dd begin end]
  std::vector<std::uint64_t> emission;   ///< [node][32 codes], match in the low half, insert in the high one
  std::array<std::int32_t, 8> specials;  ///< N->B, N->N, E->C, E->J, C->T, C->C, J->B, J->J
};

/// Decides whether a score that was computed with kDeviceLow for minus infinity is exact.
///
/// The kernel's score is the maximum over all real paths (those without minus infinity in viterbi_score) and
/// over false paths, each of which contains kDeviceLow at least once. If G(L) is an upper bound of what any
/// path can gain in L residues, false paths score at most kDeviceLow + G(L): a higher score is that of a real
/// path, and so exact. A score that is not higher means "no path" if every real path must score higher.
class ScoreRange {
 public:
  enum class Verdict : std::uint8_t { Exact, NoPath, Unknown };

  explicit ScoreRange(const ScoreModel& model);

  /// The verdict on the kernel's score of a sequence of `length` residues. If it is Unknown (more than about
  /// 50,000 residues, or a score below about -300,000 bits), the caller computes the score in another way.
  Verdict judge(std::size_t length, std::int32_t score) const;

 private:
  PathGain gain_;
  std::int64_t loss_per_residue_ = 0;  // of a real path with one domain, at least 0
  std::int64_t loss_at_most_ = 0;      // of such a path in deletes and special states
  bool one_domain_suffices_ = false;   // if there is a real path, there is one with one domain
};

}  // namespace gpuhmm
