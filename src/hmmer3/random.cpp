// Seeding and choice.
#include "hmmer3/random.hpp"

#include <stdexcept>

namespace gpuhmm::hmmer3 {

namespace {

std::uint32_t mixed(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  constexpr std::uint32_t kShifts[3][3] = {{13, 8, 13}, {12, 16, 5}, {3, 10, 15}};
  for (const auto& shift : kShifts) {
    a = (a - b - c) ^ (c >> shift[0]);
    b = (b - c - a) ^ (a << shift[1]);
    c = (c - a - b) ^ (b >> shift[2]);
  }
  return c;
}

}  // namespace

Random::Random(std::uint32_t seed) : state_(mixed(seed, 87654321U, 12345678U)) {
  if (state_ == 0) state_ = 42;
}

float compensated_sum(std::span<const float> values) {
  float sum = 0, lost = 0;
  for (const float value : values) {
    const float next = value - lost;
    const float total = sum + next;
    lost = (total - sum) - next;
    sum = total;
  }
  return sum;
}

std::size_t Random::choose(std::span<float> values) {
  const float sum = compensated_sum(values);
  double norm = 0;
  for (float& value : values) {
    value = sum != 0.0F ? value / sum : 1.0F / static_cast<float>(values.size());
    norm += static_cast<double>(value);
  }
  // u < c / norm, without the division where rounding cannot matter.
  constexpr double kSure = 1e-9;
  const double drawn = uniform(), scaled = drawn * norm;
  double cumulated = 0;
  for (std::size_t z = 0; z < values.size(); ++z) {
    cumulated += static_cast<double>(values[z]);
    const double beyond = cumulated - scaled;
    if (beyond > kSure || (beyond > -kSure && drawn < cumulated / norm)) return z;
  }
  throw std::domain_error("probabilities that are no numbers");
}

}  // namespace gpuhmm::hmmer3
