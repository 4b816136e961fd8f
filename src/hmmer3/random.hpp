// HMMER3's generator of random numbers (docs/spec/hmmer3/domains.md, 5.1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gpuhmm::hmmer3 {

/// A linear congruential generator.
class Random {
 public:
  explicit Random(std::uint32_t seed);

  /// The next number in [0, 1).
  double uniform() {
    state_ = state_ * 69069U + 1U;
    return static_cast<double>(state_) / 4294967296.0;
  }
  /// The place of one of the values, drawn with a probability proportional to it; all are equally likely if
  /// they sum to 0. Draws one number. The values are normalised.
  std::size_t choose(std::span<float> values);

 private:
  std::uint32_t state_;
};

/// The sum with Kahan's compensation, in float.
float compensated_sum(std::span<const float> values);

}  // namespace gpuhmm::hmmer3
