// Seeding.
#include "hmmer3/random.hpp"

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

}  // namespace gpuhmm::hmmer3
