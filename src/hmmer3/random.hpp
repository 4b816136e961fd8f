// HMMER3's generator of random numbers (docs/spec/hmmer3/domains.md, 5.1).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>

namespace gpuhmm::hmmer3 {

/// The sum with Kahan's compensation, in float.
inline float compensated_sum(std::span<const float> values) {
  float sum = 0, lost = 0;
  for (const float value : values) {
    const float next = value - lost;
    const float total = sum + next;
    lost = (total - sum) - next;
    sum = total;
  }
  return sum;
}

/// A linear congruential generator.
class Random {
 public:
  explicit Random(std::uint32_t seed);

  /// What the next number is made of.
  std::uint32_t state() const { return state_; }
  /// The next number in [0, 1).
  double uniform() {
    state_ = state_ * 69069U + 1U;
    return static_cast<double>(state_) / 4294967296.0;
  }
  /// The place of one of the values, drawn with a probability proportional to it; all are equally likely if
  /// they sum to 0. Draws one number. Throws std::domain_error for values that are no numbers.
  template <std::size_t n>
  std::size_t choose(std::array<float, n> values) {
    const double drawn = uniform();
    if (const std::optional<std::size_t> sure = surely_chosen(values, drawn)) return *sure;
    const float sum = compensated_sum(values);
    double norm = 0;
    for (float& value : values) {
      value = sum != 0.0F ? value / sum : 1.0F / static_cast<float>(n);
      norm += static_cast<double>(value);
    }
    double cumulated = 0;
    for (std::size_t z = 0; z < n; ++z) {
      cumulated += static_cast<double>(values[z]);
      if (drawn < cumulated / norm) return z;
    }
    throw std::domain_error("probabilities that are no numbers");
  }

 private:
  // The choice where rounding, of some 1e-7 of the sum, cannot change it.
  template <std::size_t n>
  static std::optional<std::size_t> surely_chosen(const std::array<float, n>& values, double drawn) {
    constexpr double kMargin = 1e-5;
    double sum = 0;
    for (const float value : values) sum += static_cast<double>(value);
    if (!(sum > 1e-30) || !(sum < 1e30)) return std::nullopt;
    double left = drawn * sum;
    for (std::size_t z = 0; z < n; ++z) {
      left -= static_cast<double>(values[z]);
      if (left < -kMargin * sum) return z;
      if (left < kMargin * sum) return std::nullopt;
    }
    return std::nullopt;
  }

  std::uint32_t state_;
};

}  // namespace gpuhmm::hmmer3
