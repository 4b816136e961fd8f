// Exponentials, P-values and the state of the floating-point unit.
#include "hmmer3/arithmetic.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace gpuhmm::hmmer3 {

#if defined(__x86_64__)
FlushToZero::FlushToZero() : before_(_mm_getcsr()) { _mm_setcsr(static_cast<unsigned>(before_) | 0x8000U); }
FlushToZero::~FlushToZero() { _mm_setcsr(static_cast<unsigned>(before_)); }
#elif defined(__aarch64__)
FlushToZero::FlushToZero() {
  asm volatile("mrs %0, fpcr" : "=r"(before_));
  asm volatile("msr fpcr, %0" : : "r"(before_ | (1ULL << 24U)));
}
FlushToZero::~FlushToZero() { asm volatile("msr fpcr, %0" : : "r"(before_)); }
#else
#error "how to flush subnormal results to zero on this processor is not known"
#endif

float polynomial_exp(float x) {
  constexpr float kMost = 88.3762626647949F;
  if (x > kMost) return std::numeric_limits<float>::infinity();
  if (x <= -kMost) return 0;
  const float y = x * 1.44269504F + 0.5F;
  auto n = static_cast<std::int32_t>(y);
  if (static_cast<float>(n) > y) --n;
  const auto power = static_cast<float>(n);
  x = x - power * 0.693359375F;
  x = x - power * -2.12194440e-4F;
  const float square = x * x;
  float p = 1.9875691500e-4F;
  for (const float coefficient :
       {1.3981999507e-3F, 8.3334519073e-3F, 4.1665795894e-2F, 1.6666665459e-1F, 5.0000001201e-1F}) {
    p = p * x + coefficient;
  }
  p = p * square;
  p = p + x;
  p = p + 1.0F;
  return p * std::bit_cast<float>((n + 127) << 23);
}

double gumbel_survival(float bits, float mu, float lambda) {
  constexpr double kLinear = 5e-9;  // below it 1 - exp(e) is -e
  const double y = static_cast<double>(lambda) * (static_cast<double>(bits) - static_cast<double>(mu));
  const double e = -std::exp(-y);
  return std::fabs(e) < kLinear ? -e : 1.0 - std::exp(e);
}

// P = 1 - exp(-exp(-y)), y = lambda (bits - mu)
double gumbel_bits(double p_value, float mu, float lambda) {
  return static_cast<double>(mu) - std::log(-std::log1p(-p_value)) / static_cast<double>(lambda);
}

double exponential_survival(float bits, float tau, float lambda) {
  if (bits < tau) return 1.0;
  return std::exp(-static_cast<double>(lambda) * (static_cast<double>(bits) - static_cast<double>(tau)));
}

double log_exponential_survival(float bits, float tau, float lambda) {
  if (bits < tau) return 0.0;
  return -static_cast<double>(lambda) * (static_cast<double>(bits) - static_cast<double>(tau));
}

float table_log_sum(float a, float b) {
  constexpr std::size_t kSize = 16000;
  constexpr float kScale = 1000;
  static const std::array<float, kSize> table = [] {
    std::array<float, kSize> sums{};
    for (std::size_t z = 0; z < kSize; ++z) {
      sums[z] =
          static_cast<float>(std::log(1.0 + std::exp(static_cast<double>(-static_cast<double>(z)) / 1000.0)));
    }
    return sums;
  }();
  const float most = a > b ? a : b, least = a > b ? b : a;
  if (least == -std::numeric_limits<float>::infinity() || most - least >= 15.7F) return most;
  return most + table[static_cast<std::size_t>((most - least) * kScale)];
}

}  // namespace gpuhmm::hmmer3
