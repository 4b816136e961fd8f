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
  std::uint32_t next() { return state_.next(table_); }
  /// Up to `count` draws, each given to take(draw) until that returns false; how many were made. Faster than
  /// next(): the state stays in registers.
  template <class Take>
  std::size_t next(std::size_t count, const Take& take) {
    State state = state_;
    std::size_t made = 0;
    while (made < count) {
      ++made;
      if (!take(state.next(table_))) break;
    }
    state_ = state;
    return made;
  }
  /// The next draw as a number from 0 to below 1.
  double uniform() { return fraction(next()); }
  /// A normal deviate by the method of Ahrens and Dieter (1973, algorithm FL with 32 intervals).
  double normal(double mean, double deviation);

  /// The place of the table that the next draw is taken from.
  std::size_t place() const { return state_.last.next_place; }
  /// The draw made last.
  std::uint32_t last() const { return state_.last.value; }
  /// Makes `draw` the one made last.
  void set_last(std::uint32_t draw) { state_.last = draw_of(draw); }

  static double fraction(std::uint32_t draw) { return draw / static_cast<double>(kRange); }

 private:
  // A draw and the place that the draw after it is taken from: computed when it comes into the table, off the
  // chain of dependent steps that draws are.
  struct Draw {
    std::uint32_t value = 0, next_place = 0;
  };
  static Draw draw_of(std::uint32_t value) {
    return {value, static_cast<std::uint32_t>(value * std::uint64_t{kPlaces} / kRange)};
  }

  // A step of a generator modulo 2^31 - Complement. Factors are below 2^16, so that one fold leaves less than
  // twice the modulus.
  template <std::uint64_t Factor, std::uint64_t Complement>
  static std::uint64_t step(std::uint64_t state) {
    constexpr std::uint64_t modulus = (std::uint64_t{1} << 31) - Complement;
    const std::uint64_t product = Factor * state;
    const std::uint64_t folded = (product >> 31) * Complement + (product & 0x7fffffffU);
    return folded >= modulus ? folded - modulus : folded;
  }

  using Table = std::array<Draw, kPlaces>;

  // All but the table.
  struct State {
    std::uint64_t first = 0, second = 0;
    Draw last;

    // A step of both generators; their difference.
    std::uint32_t advance() {
      first = step<40014, 85>(first);
      second = step<40692, 249>(second);
      return static_cast<std::uint32_t>(first >= second ? first - second : first + kRange - second);
    }
    std::uint32_t next(Table& table) {
      const std::uint32_t fresh = advance();
      Draw& place = table[last.next_place];
      last = place;
      place = draw_of(fresh);
      return last.value;
    }
  };

  State state_;
  Table table_{};
};

/// Draws one of several things by their probabilities, as HMMER 2.3.2 does: the first whose cumulated
/// probability (float) is above a uniform float; if rounding leaves none, one of those possible with equal
/// chances.
class RandomChoice {
 public:
  explicit RandomChoice(std::span<const float> probabilities);

  /// Draws one after the other into `choices`.
  void draw(RandomStream& stream, std::span<std::uint8_t> choices) const;
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
