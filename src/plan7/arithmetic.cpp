// Implements the number conventions with HMMER 2.3.2's roundings.
#include "plan7/arithmetic.hpp"

#include <cmath>

namespace gpuhmm {

namespace {

constexpr int kLogSumSize = 20000;

// The gain of adding a term to one that is larger by `difference`, 0 to kLogSumSize - 1.
std::int32_t log_gain(std::int32_t difference) {
  return static_cast<std::int32_t>(kUnitsPerBit * kLog2E *
                                   std::log(1.0 + std::exp(kLn2 * -difference / kUnitsPerBit)));
}

}  // namespace

double log2_ratio(float ratio) { return ratio > 0 ? std::log(static_cast<double>(ratio)) * kLog2E : -9999.0; }

std::int32_t rounded_score(double bits) {
  return static_cast<std::int32_t>(std::floor(0.5 + kUnitsPerBit * bits));
}

std::int32_t score_of(float p, float null) {
  return p == 0.0F ? kMinusInfinity : rounded_score(log2_ratio(p / null));
}

float probability_of(std::int32_t score, float null) {
  const double s = static_cast<float>(score);
  return static_cast<float>(null * std::exp((s / kUnitsPerBit) * kLn2));
}

float bits_of(std::int32_t score) {
  return static_cast<float>(static_cast<double>(static_cast<float>(score)) / kUnitsPerBit);
}

std::int32_t log_sum(std::int32_t p, std::int32_t q) {
  const auto difference =
      static_cast<std::int32_t>(static_cast<std::uint32_t>(p) - static_cast<std::uint32_t>(q));
  if (difference >= kLogSumSize) return p;
  if (difference <= -kLogSumSize) return q;
  if (difference > 0) return p + log_gain(difference);
  return q + log_gain(-difference);
}

void normalise(std::span<float> values) {
  float sum = 0;
  for (const float v : values) sum += v;
  for (float& v : values) {
    v = sum != 0.0F ? v / sum : static_cast<float>(1.0 / static_cast<double>(values.size()));
  }
}

}  // namespace gpuhmm
