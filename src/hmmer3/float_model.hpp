// The odds and probabilities of Forward and Backward for one profile, in stripes of four
// (docs/spec/hmmer3/profile-and-configuration.md, 9 to 11).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hmmer3/log_odds.hpp"
#include "simd/aligned_buffer.hpp"

namespace gpuhmm::hmmer3 {

/// Nodes that one stripe step holds side by side: sums depend on it.
inline constexpr std::size_t kStripes = 4;

/// Probabilities that depend on the length of the target and on whether it may have several domains.
struct LengthModel {
  static LengthModel multihit(std::int64_t length);
  static LengthModel unihit(std::int64_t length);

  float move = 0, loop = 0;  ///< of N, C and J
  float end_to_c = 0.5F, end_to_j = 0.5F;
};

/// Node k lies at step (k - 1) % steps of stripe (k - 1) / steps. Nodes behind the last have zeros.
class FloatModel {
 public:
  explicit FloatModel(const LogOdds& scores);
  /// All zeros.
  FloatModel(int nodes, std::size_t codes);

  int nodes() const { return nodes_; }
  std::size_t steps() const { return steps_; }
  std::size_t codes() const { return codes_; }
  /// kSteps vectors of kStripes values for each stripe step: [step][Step][stripe].
  const float* transitions() const { return transitions_.data(); }
  float* transitions() { return transitions_.data(); }
  /// kStripes values for each step of a residue code: [step][stripe].
  const float* emissions(std::size_t code) const { return emissions_.data() + code * steps_ * kStripes; }
  float* emissions(std::size_t code) { return emissions_.data() + code * steps_ * kStripes; }

  float transition(Step step, int k) const {
    const std::size_t place = place_of(k), stripe = place % kStripes;
    return transitions_[(place - stripe) * kSteps + step * kStripes + stripe];
  }
  float emission(std::size_t code, int k) const { return emissions(code)[place_of(k)]; }

  std::size_t step_of(int k) const { return static_cast<std::size_t>(k - 1) % steps_; }
  std::size_t stripe_of(int k) const { return static_cast<std::size_t>(k - 1) / steps_; }
  /// Place of node k, 1 to nodes(), in a row of single values: [step][stripe].
  std::size_t place_of(int k) const { return places_[static_cast<std::size_t>(k)]; }

 private:
  int nodes_;
  std::size_t steps_, codes_;
  std::vector<std::uint32_t> places_;
  simd::AlignedBuffer<float> transitions_, emissions_;
};

}  // namespace gpuhmm::hmmer3
