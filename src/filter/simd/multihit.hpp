// Striped parameters of the full recurrence, with J and all special transitions of the model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "filter/simd/striped_model.hpp"
#include "plan7/raised_scores.hpp"
#include "plan7/score_model.hpp"
#include "plan7/single_hit_model.hpp"

namespace gpuhmm::simd {

/// Transition planes of the multihit kernel: the model's own scores, raised to at least -kImpossible.
/// kMulLazyF is the score from the D that enters a lane through the D of this node to the next match state.
enum MultihitPlane : std::size_t {
  kMulBegin,
  kMulEnd,
  kMulMM,
  kMulMI,
  kMulMD,
  kMulIM,
  kMulII,
  kMulDM,
  kMulDD,
  kMulLazyF,
  kMultihitPlanes
};

/// Where 32-bit scores by the full recurrence with raised parameters are exact.
struct MultihitLimits {
  /// Scores above limit_fixed + L * limit_per_residue are exact: no path with a raised score gets that high.
  std::int64_t limit_fixed = 0;
  std::int64_t limit_per_residue = 0;
  std::int64_t longest = 0;  ///< up to this length (residues) neither 32 bits nor the limit above overflow
  /// Up to this length the limit does not overflow. Whether 32 bits overflow must be checked after every
  /// `stretch` rows: as long as no score is above kHighestBetween then, none has overflowed.
  std::int64_t longest_watched = 0;
  std::int64_t stretch = 0;

  std::int64_t exact_above(std::size_t length) const {
    return limit_fixed + static_cast<std::int64_t>(length) * limit_per_residue;
  }
  bool fits(std::size_t length) const { return static_cast<std::int64_t>(length) <= longest; }
  bool fits_watched(std::size_t length) const { return static_cast<std::int64_t>(length) <= longest_watched; }
};

/// See MultihitLimits::longest_watched.
inline constexpr std::int64_t kHighestBetween = kHighestGain / 2;

/// The limits of a model, from the most that a path can gain with one residue in any state. `single` is the
/// single-hit form, if the model has one; it gives closer limits.
MultihitLimits multihit_limits(const ScoreModel& model, const std::optional<SingleHitModel>& single);

/// The parameters of the multihit kernel. The crossing planes are the scan weights only.
struct MultihitModel : MultihitLimits {
  StripedModel<std::int32_t> striped;
  std::int32_t n_begin, n_loop, e_to_c, e_to_j, c_end, c_loop, j_begin, j_loop;
};

/// Parameters for vectors of `lanes` 32-bit scores; `single` is the single-hit form if the model has one.
MultihitModel stripe_multihit(const ScoreModel& model, const std::optional<SingleHitModel>& single,
                              std::size_t lanes);

}  // namespace gpuhmm::simd
