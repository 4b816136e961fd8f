// Striped parameters of the full recurrence, with J and with whatever special transitions a model has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "filter/simd/striped_model.hpp"
#include "plan7/raised_scores.hpp"
#include "plan7/score_model.hpp"
#include "plan7/single_hit_model.hpp"

namespace gpuhmm::simd {

/// Transition planes of the multihit kernel: the model's own scores, raised to -kImpossible. kMulLazyF
/// leads from the D that enters a lane through D of this node to the next match.
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
  std::int64_t limit_fixed = 0;        ///< scores above limit_fixed + L * limit_per_residue are exact ...
  std::int64_t limit_per_residue = 0;  ///< ... as no path with a raised score gets that far
  std::int64_t longest = 0;            ///< sequences up to here cannot overflow 32 bits or the bound above
  /// Sequences up to here do not overflow the bound. Whether they overflow 32 bits has to be asked after
  /// every `stretch` rows: as long as no score is above kHighestBetween there, none has.
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

/// Limits of a model, by what a path can gain with one residue, whichever states surround it: no path with a
/// raised score gets above exact_above(length). `single` is the single-hit form if the model has one, which
/// gives closer limits.
MultihitLimits multihit_limits(const ScoreModel& model, const std::optional<SingleHitModel>& single);

/// Crossing planes are the scan weights only.
struct MultihitModel : MultihitLimits {
  StripedModel<std::int32_t> striped;
  std::int32_t n_begin, n_loop, e_to_c, e_to_j, c_end, c_loop, j_begin, j_loop;
};

/// Parameters for vectors of `lanes` 32-bit scores; `single` is the single-hit form if the model has one.
MultihitModel stripe_multihit(const ScoreModel& model, const std::optional<SingleHitModel>& single,
                              std::size_t lanes);

}  // namespace gpuhmm::simd
