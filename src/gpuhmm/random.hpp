// The random numbers of HMMER 2.3.2: what is drawn with a given seed is part of its answers
// (docs/spec/calibration.md, 7.2 to 7.5).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "gpuhmm/alphabet.hpp"

namespace gpuhmm {

/// Uniform numbers from two multiplicative congruential generators whose differences are shuffled in a table
/// of 64 places. The draw made last chooses the place of the next one and outlives seeding, so the numbers
/// drawn after seeding depend on place() at that time, and on nothing else of what went before.
///
/// The differences do not depend on the shuffling, so they are made ahead, 16 at a time side by side in
/// vectors: 16 pairs of generators start one step apart and step 16 places at once. They are few so that the
/// processor, which waits for memory while it shuffles, reaches the next ones meanwhile.
class RandomStream {
 public:
  /// Numbers are draws / kRange.
  static constexpr std::uint32_t kRange = 2147483563;
  /// Places of the shuffle table.
  static constexpr std::size_t kPlaces = 64;
  /// Steps of the generators made at once.
  static constexpr std::size_t kAhead = 16;
  using Steps = std::array<std::uint32_t, kAhead>;

  /// Not seeded: call seed() or start_unseeded() before drawing.
  RandomStream() = default;
  RandomStream(const RandomStream&) = delete;
  RandomStream& operator=(const RandomStream&) = delete;
  /// Starts anew from `value` (0 stands for 42, negative values for their magnitude).
  void seed(std::int32_t value);
  /// Starts as HMMER's programs that never seed do: as from 42 at place 0, but no draw is discarded.
  void start_unseeded();

  /// The next draw: 0 to kRange - 1.
  std::uint32_t next() {
    next(
        1, [](std::uint32_t) { return true; }, advance);
    return last_;
  }
  /// Up to `count` draws, each given to take(draw) until that returns false; how many were made. Faster than
  /// next(): the state stays in registers. `make_ahead` is advance() or a copy of it compiled as the caller
  /// is. Inlined, so that it is compiled like that, too.
  template <class Take, class MakeAhead>
  [[gnu::always_inline]] std::size_t next(std::size_t count, const Take& take, const MakeAhead& make_ahead) {
    std::size_t made = 0;
    for (bool more = count > 0; more;) {
      if (used_ == kAhead) {
        make_ahead(first_, second_, ahead_.draws, ahead_.places);
        used_ = 0;
      }
      const std::size_t end = std::min(kAhead, used_ + (count - made));
      std::size_t fresh = used_;
      Place* place = place_;
      std::uint32_t draw = last_;
      while (more && fresh < end) {
        draw = place->draw;
        Place* const next_place = place->next;
        *place = {&table_[ahead_.places[fresh]], ahead_.draws[fresh]};
        place = next_place;
        ++fresh;
        more = take(draw);
      }
      made += fresh - used_;
      more = more && made < count;
      used_ = fresh;
      place_ = place;
      last_ = draw;
    }
    return made;
  }
  /// Makes the differences of the generators' next states, and the places that the draws after these are
  /// taken from, and takes the generators as many steps further.
  static void advance(Steps& first, Steps& second, Steps& draws, Steps& places);
  /// The next draw as a number from 0 to below 1.
  double uniform() { return fraction(next()); }
  /// A normal deviate by the method of Ahrens and Dieter (1973, algorithm FL with 32 intervals).
  double normal(double mean, double deviation);

  /// The place of the table that the next draw is taken from.
  std::size_t place() const { return static_cast<std::size_t>(place_ - table_.data()); }
  /// The draw made last.
  std::uint32_t last() const { return last_; }
  /// Makes `draw` the one made last.
  void set_last(std::uint32_t draw) {
    last_ = draw;
    place_ = &table_[place_after(draw)];
  }

  static double fraction(std::uint32_t draw) { return draw / static_cast<double>(kRange); }
  /// The place that the draw after `draw` is taken from: the integer part of 64 draw / kRange. The first draw
  /// of place p is p 2^25 less p 85 / 64, since kRange = 2^31 - 85.
  static std::uint32_t place_after(std::uint32_t draw) {
    return (draw + ((85 * ((draw >> 25) + 1)) >> 6)) >> 25;
  }

 private:
  // A draw to come and the place that the draw after it is taken from. Found off the chain of dependent steps
  // that shuffling is; a pointer makes that chain as short as it can be.
  struct Place {
    Place* next = nullptr;
    std::uint32_t draw = 0;
  };
  struct Ahead {
    Steps draws{}, places{};
  };

  /// Starts both generators from `value` and fills the table.
  void fill(std::uint64_t value);

  Steps first_{}, second_{};  // the generators' next kAhead states
  Ahead ahead_;
  std::size_t used_ = kAhead;  // of ahead_
  std::array<Place, kPlaces> table_{};
  Place* place_ = table_.data();
  std::uint32_t last_ = 0;
};

/// Draws one of several things by their probabilities, as HMMER 2.3.2 does: the first whose cumulated
/// probability (float) is above a uniform float; if rounding leaves none, one of those possible with equal
/// chances.
class RandomChoice {
 public:
  /// Things to choose among.
  static constexpr std::size_t kMost = 20;

  /// At most kMost probabilities, one of them above 0.
  explicit RandomChoice(std::span<const float> probabilities);

  std::uint8_t draw(RandomStream& stream) const { return settle(first_above(stream.next()), stream); }
  /// The first whose cumulated probability is above the uniform float of a draw; how many there are, if none
  /// is.
  std::uint32_t first_above(std::uint32_t draw) const {
    const auto roll = static_cast<float>(RandomStream::fraction(draw));
    std::uint32_t not_above = 0;
    for (const float sum : sums_) not_above += roll < sum ? 0U : 1U;  // sums do not fall
    return not_above;
  }
  /// What first_above() chose, or one of those possible, drawn from `stream`.
  std::uint8_t settle(std::uint32_t first, RandomStream& stream) const {
    return first < count_ ? static_cast<std::uint8_t>(first) : any_possible(stream);
  }

 private:
  std::uint8_t any_possible(RandomStream& stream) const;

  std::array<float, kMost> sums_;  // of the probabilities up to each; above every roll behind the last one
  std::uint32_t count_;
  std::uint32_t possible_ = 0;  // a bit each
};

/// The same for many draws from one distribution: most of a draw's upper bits settle the choice.
class TabledChoice {
 public:
  /// The bits of a draw that its quick choice does not look at, and the number of no quick choice.
  static constexpr int kQuickShift = 18;
  static constexpr std::uint8_t kNotQuick = 255;

  explicit TabledChoice(std::span<const float> probabilities);

  /// Draws one after the other into `choices`.
  void draw(RandomStream& stream, std::span<std::uint8_t> choices) const;

 private:
  RandomChoice plain_;
  // By the upper bits of a draw: the choice where all such draws agree, else kNotQuick.
  std::array<std::uint8_t, (std::size_t{1} << (31 - kQuickShift))> quick_{};
};

/// The residue frequencies that HMMER 2.3.2 takes for random sequences of an alphabet, whatever a profile's
/// own.
std::span<const float> default_frequencies(AlphabetKind alphabet);

}  // namespace gpuhmm
