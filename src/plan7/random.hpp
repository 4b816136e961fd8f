// The random numbers of HMMER 2.3.2: what is drawn with a given seed is part of its answers (spec:
// calibration 7.2 to 7.5).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "plan7/alphabet.hpp"

namespace gpuhmm {

/// Uniform numbers from two multiplicative congruential generators whose differences are shuffled in a table
/// of 64 places. The draw made last chooses the place of the next one and outlives seeding, so the numbers
/// drawn after seeding depend on place() at that time, and on nothing else of what went before.
class RandomStream {
 public:
  /// Numbers are draws / kRange.
  static constexpr std::uint32_t kRange = 2147483563;
  /// Places of the shuffle table.
  static constexpr std::size_t kPlaces = 64;

  /// Not seeded: call seed() before drawing.
  RandomStream() = default;
  /// Starts anew from `value` (0 stands for 42, negative values for their magnitude).
  void seed(std::int32_t value);

  /// The next draw: 0 to kRange - 1.
  std::uint32_t next() {
    advance();
    const std::size_t at = place();
    last_ = table_[at];
    table_[at] = difference();
    return last_;
  }
  /// The next draw as a number from 0 to below 1.
  double uniform() { return fraction(next()); }
  /// A normal deviate by the method of Ahrens and Dieter (1973, algorithm FL with 32 intervals).
  double normal(double mean, double deviation);

  /// The place of the table that the next draw is taken from.
  std::size_t place() const { return static_cast<std::size_t>(last_ * std::uint64_t{kPlaces} / kRange); }
  /// The draw made last.
  std::uint32_t last() const { return last_; }
  /// Makes `draw` the one made last.
  void set_last(std::uint32_t draw) { last_ = draw; }

  static double fraction(std::uint32_t draw) { return draw / static_cast<double>(kRange); }

 private:
  // A step of a generator modulo 2^31 - Complement. Factors are below 2^16, so that one fold leaves less than
  // twice the modulus.
  template <std::uint64_t Factor, std::uint64_t Complement>
  static std::uint64_t step(std::uint64_t state) {
    constexpr std::uint64_t modulus = (std::uint64_t{1} << 31) - Complement;
    const std::uint64_t product = Factor * state;
    const std::uint64_t folded = (product >> 31) * Complement + (product & 0x7fffffffU);
    return folded >= modulus ? folded - modulus : folded;
  }
  void advance() {
    first_ = step<40014, 85>(first_);
    second_ = step<40692, 249>(second_);
  }
  std::uint32_t difference() const {
    return static_cast<std::uint32_t>(first_ >= second_ ? first_ - second_ : first_ + kRange - second_);
  }

  std::uint64_t first_ = 0, second_ = 0;
  std::uint32_t last_ = 0;
  std::array<std::uint32_t, kPlaces> table_{};
};

/// Draws one of several things by their probabilities, as HMMER 2.3.2 does: the first whose cumulated
/// probability (float) is above a uniform float; if rounding leaves none, one of those possible with equal
/// chances.
class RandomChoice {
 public:
  explicit RandomChoice(std::span<const float> probabilities);

  std::uint8_t draw(RandomStream& stream) const {
    const std::uint32_t value = stream.next();
    const std::uint8_t quick = quick_[value >> kQuickShift];
    return quick != kNotQuick ? quick : draw_slowly(value, stream);
  }

 private:
  static constexpr int kQuickShift = 18;
  static constexpr std::uint8_t kNotQuick = 255;

  std::uint8_t draw_slowly(std::uint32_t value, RandomStream& stream) const;

  std::vector<std::uint32_t> limits_;  // draws below limits_[x] and not below those before choose x
  std::vector<bool> possible_;
  // By the upper bits of a draw: the choice where all such draws agree, else kNotQuick.
  std::array<std::uint8_t, (std::size_t{1} << (31 - kQuickShift))> quick_{};
};

/// The residue frequencies that HMMER 2.3.2 takes for random sequences of an alphabet, whatever a profile's
/// own.
std::span<const float> default_frequencies(AlphabetKind alphabet);

}  // namespace gpuhmm
