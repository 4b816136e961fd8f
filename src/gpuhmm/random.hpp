// The random numbers of HMMER 2.3.2. Results drawn with a given seed are part of its exact answers
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
/// of 64 places. The last draw selects the place of the next one and survives seeding. So the numbers after
/// seeding depend on the seed and on place() at that time, and on nothing else.
///
/// The differences do not depend on the shuffling, so they are made ahead, 16 at a time in vectors: 16 pairs
/// of generators start one step apart and advance 16 steps at once. 16 are few enough for the processor to
/// overlap making the next ones with the memory accesses of shuffling.
class RandomStream {
 public:
  /// Uniform numbers are draws / kRange.
  static constexpr std::uint32_t kRange = 2147483563;
  /// Places of the shuffle table.
  static constexpr std::size_t kPlaces = 64;
  /// Steps of the generators made at once.
  static constexpr std::size_t kAhead = 16;
  using Steps = std::array<std::uint32_t, kAhead>;

  /// Call seed() or start_unseeded() before drawing.
  RandomStream() = default;
  RandomStream(const RandomStream&) = delete;
  RandomStream& operator=(const RandomStream&) = delete;
  /// Restarts from `value` (0 stands for 42, negative values for their magnitude).
  void seed(std::int32_t value);
  /// Starts like HMMER's programs that never seed: as with 42 at place 0, but without discarding draws.
  void start_unseeded();

  /// The next draw: 0 to kRange - 1.
  std::uint32_t next() {
    next(
        1, [](std::uint32_t) { return true; }, advance);
    return last_;
  }
  /// Makes up to `count` draws and passes each to take(draw) until that returns false; returns their number.
  /// Faster than next(), as the state stays in registers. `make_ahead` is advance() or a copy of it compiled
  /// for the caller's instruction set. Inlined, so that this is compiled for it as well.
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
  /// Makes the differences of the generators' next states, and the places of the draws after these, and
  /// advances the generators past them.
  static void advance(Steps& first, Steps& second, Steps& draws, Steps& places);
  /// The next draw as a number in [0, 1).
  double uniform() { return fraction(next()); }
  /// A normal deviate by the method of Ahrens and Dieter (1973, algorithm FL with 32 intervals).
  double normal(double mean, double deviation);

  /// The place of the table from which the next draw is taken.
  std::size_t place() const { return static_cast<std::size_t>(place_ - table_.data()); }
  /// The last draw.
  std::uint32_t last() const { return last_; }
  /// Sets the last draw.
  void set_last(std::uint32_t draw) {
    last_ = draw;
    place_ = &table_[place_after(draw)];
  }

  static double fraction(std::uint32_t draw) { return draw / static_cast<double>(kRange); }
  /// The place from which the draw after `draw` is taken: the integer part of 64 draw / kRange. The first
  /// draw of place p is p 2^25 less p 85 / 64, since kRange = 2^31 - 85.
  static std::uint32_t place_after(std::uint32_t draw) {
    return (draw + ((85 * ((draw >> 25) + 1)) >> 6)) >> 25;
  }

 private:
  // A future draw and the place of the draw after it, as a pointer: shuffling is a chain of dependent steps,
  // and this keeps the chain shortest.
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
  std::size_t used_ = kAhead;  // entries of ahead_ already used
  std::array<Place, kPlaces> table_{};
  Place* place_ = table_.data();
  std::uint32_t last_ = 0;
};

/// Draws an index by its probability, as HMMER 2.3.2 does: the first whose cumulative probability (float) is
/// above a uniform float; if rounding leaves none, any index with a probability above 0, with equal chances.
class RandomChoice {
 public:
  /// The largest number of probabilities.
  static constexpr std::size_t kMost = 20;

  /// At most kMost probabilities, one of them above 0.
  explicit RandomChoice(std::span<const float> probabilities);

  std::uint8_t draw(RandomStream& stream) const { return resolve(first_above(stream.next()), stream); }
  /// The first index whose cumulative probability is above the uniform float of `draw`; the number of
  /// probabilities if there is none.
  std::uint32_t first_above(std::uint32_t draw) const {
    const auto roll = static_cast<float>(RandomStream::fraction(draw));
    std::uint32_t not_above = 0;
    for (const float sum : sums_) not_above += roll < sum ? 0U : 1U;  // sums never decrease
    return not_above;
  }
  /// The choice from `first`, the result of first_above(): itself or, if it is no index, a possible index
  /// drawn from `stream`.
  std::uint8_t resolve(std::uint32_t first, RandomStream& stream) const {
    return first < count_ ? static_cast<std::uint8_t>(first) : any_possible(stream);
  }

 private:
  std::uint8_t any_possible(RandomStream& stream) const;

  std::array<float, kMost> sums_;  // cumulative probabilities, then values above every roll
  std::uint32_t count_;
  std::uint32_t possible_ = 0;  // one bit per index with a probability above 0
};

/// The same for many draws from one distribution. A table decides most draws by their upper bits alone.
class TabledChoice {
 public:
  /// The lower bits of a draw that the table ignores, and its entry for "not decided".
  static constexpr int kQuickShift = 18;
  static constexpr std::uint8_t kNotQuick = 255;

  explicit TabledChoice(std::span<const float> probabilities);

  /// Fills `choices` with draws.
  void draw(RandomStream& stream, std::span<std::uint8_t> choices) const;

 private:
  RandomChoice plain_;
  // By the upper bits of a draw: the choice if all such draws agree, else kNotQuick.
  std::array<std::uint8_t, (std::size_t{1} << (31 - kQuickShift))> quick_{};
};

/// The residue frequencies of HMMER 2.3.2's random sequences; it ignores a profile's own.
std::span<const float> default_frequencies(AlphabetKind alphabet);

}  // namespace gpuhmm
