// Makes many steps of the random number generators at once. The functions here are inlined into those of
// random_steps-inl.hpp, so that they are compiled for each instruction set.
#include <algorithm>

#include "gpuhmm/random.hpp"

namespace gpuhmm {

namespace {

// The generators' factors and the second one's modulus; the first one's modulus is kRange.
constexpr std::uint32_t kFirstFactor = 40014;
constexpr std::uint32_t kSecondFactor = 40692;
constexpr std::uint32_t kSecondModulus = 2147483399;

constexpr std::uint32_t power(std::uint64_t factor, std::size_t exponent, std::uint64_t modulus) {
  std::uint64_t result = 1;
  for (std::size_t i = 0; i < exponent; ++i) result = result * factor % modulus;
  return static_cast<std::uint32_t>(result);
}

// state * Factor mod Modulus in 32-bit operations available to SIMD: the quotient from a fixed-point factor
// with 32 fractional bits is at most 1 too low, and 2 * Modulus fits in 32 bits.
template <std::uint32_t Factor, std::uint32_t Modulus>
std::uint32_t product(std::uint32_t state) {
  constexpr auto quotient_factor = static_cast<std::uint32_t>((std::uint64_t{Factor} << 32) / Modulus);
  const auto quotient = static_cast<std::uint32_t>((std::uint64_t{state} * quotient_factor) >> 32);
  const std::uint32_t remainder = state * Factor - quotient * Modulus;
  return std::min(remainder, remainder - Modulus);
}

using Steps = RandomStream::Steps;

// RandomStream::advance.
[[gnu::always_inline]] inline void make_ahead(Steps& first, Steps& second, Steps& draws, Steps& places) {
  constexpr std::uint32_t kRange = RandomStream::kRange;
  constexpr std::size_t kSteps = RandomStream::kAhead;
  for (std::size_t i = 0; i < kSteps; ++i) {
    const std::uint32_t difference = first[i] - second[i];
    const std::uint32_t draw = std::min(difference, difference + kRange);
    draws[i] = draw;
    places[i] = RandomStream::place_after(draw);
  }
  for (std::uint32_t& state : first) state = product<power(kFirstFactor, kSteps, kRange), kRange>(state);
  for (std::uint32_t& state : second)
    state = product<power(kSecondFactor, kSteps, kSecondModulus), kSecondModulus>(state);
}

// Makes choices from the table until a draw that it does not decide, which is stored in `value`; returns the
// number of draws.
[[gnu::always_inline]] inline std::size_t choose_quickly(RandomStream& stream, const std::uint8_t* quick,
                                                         std::span<std::uint8_t> choices,
                                                         std::uint32_t& value) {
  std::uint8_t* choice = choices.data();
  const auto take = [&](std::uint32_t draw) {
    value = draw;
    *choice = quick[draw >> TabledChoice::kQuickShift];
    return *choice++ != TabledChoice::kNotQuick;
  };
  return stream.next(choices.size(), take, [](Steps& first, Steps& second, Steps& draws, Steps& places) {
    make_ahead(first, second, draws, places);
  });
}

}  // namespace

}  // namespace gpuhmm

#define HWY_TARGET_INCLUDE "plan7/random_steps-inl.hpp"
#include "simd/foreach_target.hpp"
// For the last instruction set:
#include "plan7/random_steps-inl.hpp"

namespace gpuhmm {

GPUHMM_SIMD_TABLE(advance);
GPUHMM_SIMD_TABLE(choose);

void RandomStream::fill(std::uint64_t value) {
  std::uint64_t first = value, second = value;
  for (std::size_t i = 0; i < kAhead; ++i) {
    first = first * kFirstFactor % kRange;
    second = second * kSecondFactor % kSecondModulus;
    first_[i] = static_cast<std::uint32_t>(first);
    second_[i] = static_cast<std::uint32_t>(second);
  }
  used_ = kAhead;
  for (Place& place : table_) {
    if (used_ == kAhead) {
      advance(first_, second_, ahead_.draws, ahead_.places);
      used_ = 0;
    }
    place = {&table_[ahead_.places[used_]], ahead_.draws[used_]};
    ++used_;
  }
}

void RandomStream::advance(Steps& first, Steps& second, Steps& draws, Steps& places) {
  GPUHMM_SIMD_CALL_FEW_REGISTERS(advance)(first, second, draws, places);
}

void TabledChoice::draw(RandomStream& stream, std::span<std::uint8_t> choices) const {
  for (std::size_t made = 0; made < choices.size();) {
    std::uint32_t value = 0;
    made += GPUHMM_SIMD_CALL_FEW_REGISTERS(choose)(stream, quick_.data(), choices.subspan(made), value);
    if (choices[made - 1] == kNotQuick) choices[made - 1] = plain_.resolve(plain_.first_above(value), stream);
  }
}

}  // namespace gpuhmm
