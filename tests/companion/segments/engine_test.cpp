// Compares searches in tiles and blocks with the plain algorithms.
#include "companion/segments/engine.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "companion/segments/blocks.hpp"
#include "companion/segments/random_vectors.hpp"
#include "companion/segments/tile_bounds.hpp"
#include "companion/segments/tile_sums.hpp"
#include "companion/segments/vector_segments.hpp"
#include "simd/instruction_set.hpp"

namespace gpuhmm {
namespace {

using test::Ints;
using Narrow = std::vector<std::int32_t>;

template <class T>
std::span<const T> view(const std::vector<T>& x) {
  return x;
}

TileSums plain_sums(const Ints& x) {
  TileSums sums;
  for (const std::int64_t value : x)
    sums = merge(sums, {value, std::max<std::int64_t>(value, 0), std::max<std::int64_t>(value, 0),
                        std::max<std::int64_t>(value, 0)});
  return sums;
}

Ints scaled(Ints x, std::int64_t factor) {
  for (std::int64_t& value : x) value *= factor;
  return x;
}

// Sizes around that of a piece (2,048 elements), with values inside and outside the narrow range.
TEST(TileSumsOf, AllSizesAndRanges) {
  std::mt19937 random(21);
  for (const std::size_t size : {0, 1, 7, 2047, 2048, 2049, 4096, 6151}) {
    for (int kind = 0; kind < test::kVectorKinds; ++kind) {
      for (const std::int64_t factor : {1, 1 << 10, 100'000'000}) {
        if (kind == 6 && factor > 1) continue;
        Ints x = test::random_vector(random, size, kind);
        if (kind == 4) x = test::random_vector(random, size, 1);
        x = scaled(x, factor);
        const Narrow narrow(x.begin(), x.end());
        ASSERT_EQ(tile_sums(view(narrow)), plain_sums(x)) << size << " " << kind << " " << factor;
        ASSERT_EQ(tile_sums(view(x)), plain_sums(x)) << size << " " << kind;
      }
    }
  }
}

TEST(TileSumsOf, BothEndsOfTheNarrowRange) {
  for (const std::int64_t value : {(1LL << 22) - 1, 1LL << 22, -(1LL << 22), -(1LL << 22) - 1,
                                   static_cast<long long>(std::numeric_limits<std::int32_t>::max()),
                                   static_cast<long long>(std::numeric_limits<std::int32_t>::min())}) {
    Ints x(3 * 2048, value);
    EXPECT_EQ(tile_sums(view(Narrow(x.begin(), x.end()))), plain_sums(x)) << value;
    std::fill(x.begin(), x.end(), 1);
    x[2048 + 1000] = value;  // the only large element, in the middle piece
    EXPECT_EQ(tile_sums(view(Narrow(x.begin(), x.end()))), plain_sums(x)) << value;
  }
}

// The exact numbers lie within the bounds, with and without shifted elements, whatever the guess of the
// shift.
TEST(TileBoundsOf, HoldTheNumbers) {
  std::mt19937 random(26);
  for (int kind = 0; kind < test::kVectorKinds; ++kind) {
    for (const std::int64_t factor : {1, 1 << 9, 1 << 15, 200'000'000}) {
      if (kind == 6 && factor > 1) continue;
      Ints x = test::random_vector(random, kBoundTile, kind == 4 && factor > 1 << 15 ? 1 : kind);
      x = scaled(x, factor);
      const Narrow narrow(x.begin(), x.end());
      const TileSums exact = plain_sums(Ints(narrow.begin(), narrow.end()));
      for (const unsigned guess : {0u, 3u, 13u}) {
        unsigned shift = guess;
        const auto [least, slack] = tile_bounds(view(narrow).first<kBoundTile>(), shift);
        SCOPED_TRACE(testing::Message() << "kind " << kind << " times " << factor << ", shift " << guess);
        ASSERT_EQ(least.total, exact.total);
        for (const auto number : {&TileSums::prefix, &TileSums::suffix, &TileSums::best}) {
          ASSERT_LE(least.*number, exact.*number);
          ASSERT_LE(exact.*number, least.*number + slack);
        }
      }
    }
  }
}

TEST(TileBoundsOf, TheLargestElements) {
  constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  for (const std::int32_t value : {kLeast, kMost, 1 << 18, (1 << 18) - 1, -(1 << 18), -(1 << 18) - 1}) {
    const Narrow x(kBoundTile, value);
    unsigned shift = 0;
    const auto [least, slack] = tile_bounds(view(x).first<kBoundTile>(), shift);
    const std::int64_t total = std::int64_t{value} * static_cast<std::int64_t>(kBoundTile);
    EXPECT_EQ(least.total, total) << value;
    EXPECT_LE(least.best, std::max<std::int64_t>(total, 0)) << value;
    EXPECT_GE(least.best + slack, std::max<std::int64_t>(total, 0)) << value;
  }
}

// Best segments that end at any position of a group and tile. Others have the same sum, and tiles with large
// elements lie between them.
TEST(HostEngine, TiesBetweenAndAcrossTiles) {
  std::mt19937 random(27);
  const auto engine = make_host_segment_engine(2);
  for (int round = 0; round < 60; ++round) {
    Narrow x(kBoundTile * (2 + random() % 5) + random() % 3, -1);
    const auto place = [&] {
      const std::size_t near = random() % (x.size() / kBoundGroup) * kBoundGroup;
      return round % 2 == 0 ? std::min(near + random() % 3, x.size() - 1) : random() % x.size();
    };
    if (round % 3 == 0) std::fill(x.begin(), x.end(), 0);
    for (int i = 0; i < 6; ++i) {
      const std::size_t at = place();
      for (std::size_t k = at; k < std::min(at + 1 + random() % 40, x.size()); ++k) x[k] = 1;
      x[place()] = 50;
      if (round % 4 == 0) x[place()] = -2'000'000'000;
    }
    ASSERT_EQ(engine->best(view(x)), best_segment<std::int64_t>(view(x))) << round;
  }
}

// A random walk whose best segment spans many tiles. The bounds exclude nearly all of them.
TEST(UndecidedTiles, AreFewInALongWalk) {
  std::mt19937 random(28);
  for (const int most : {1000, 2'000'000'000}) {
    Narrow x(kBoundTile * 64);
    std::uniform_int_distribution<std::int32_t> value(-most, most);
    for (std::int32_t& element : x) element = value(random);
    std::vector<TileBounds> tiles;
    unsigned shift = 0;
    for (std::size_t at = 0; at < x.size(); at += kBoundTile)
      tiles.push_back(tile_bounds(view(x).subspan(at).first<kBoundTile>(), shift));
    const std::vector<std::size_t> undecided = undecided_tiles(tiles);
    // Without SIMD the numbers of all tiles are exact.
    EXPECT_GE(undecided.size(), simd::vector_bytes() > 0 ? 1u : 0u);
    EXPECT_LE(undecided.size(), 8u) << most;
    const auto engine = make_host_segment_engine(1);
    EXPECT_EQ(engine->best(view(x)), best_segment<std::int64_t>(view(x))) << most;
  }
}

TEST(LocateBest, ReadsThePlacesFromTheTiles) {
  std::mt19937 random(22);
  for (int round = 0; round < 9000; ++round) {
    const Ints x = test::random_vector(random, random() % 40, round % test::kVectorKinds);
    const std::uint64_t size = 1 + random() % 7;
    std::vector<TileSums> tiles;
    for (std::size_t at = 0; at < x.size(); at += size) {
      tiles.push_back(tile_sums(view(x).subspan(at, std::min<std::size_t>(size, x.size() - at))));
    }
    ASSERT_EQ(locate_best(std::span<const TileSums>(tiles), size, view(x)),
              best_segment<std::int64_t>(view(x)))
        << testing::PrintToString(x) << " in tiles of " << size;
  }
}

TEST(JoinBlocks, GivesTheSegmentsOfTheWhole) {
  std::mt19937 random(23);
  for (int round = 0; round < 9000; ++round) {
    const Ints x = test::random_vector(random, random() % 60, round % test::kVectorKinds);
    const auto blocks = segment_blocks<std::int64_t>(view(x), 1 + random() % 9, 1, AsScore<std::int64_t>{});
    ASSERT_EQ(join_blocks<std::int64_t>(blocks), maximal_segments<std::int64_t>(view(x)))
        << testing::PrintToString(x);
  }
}

TEST(HostEngine, GivesThePlainAnswersOnAnyNumberOfThreads) {
  std::mt19937 random(24);
  for (const unsigned threads : {1u, 3u}) {
    const auto engine = make_host_segment_engine(threads);
    for (int kind = 0; kind < test::kVectorKinds; ++kind) {
      for (const std::size_t size : {0, 1, 32767, 32768, 32769, 100'003, 2'200'001}) {
        if (size > 1'000'000 && kind > 1) continue;
        const Ints x = test::random_vector(random, size, kind);
        const auto best = best_segment<std::int64_t>(view(x));
        const auto all = maximal_segments<std::int64_t>(view(x));
        ASSERT_EQ(engine->best(view(x)), best) << size << " " << kind;
        ASSERT_EQ(engine->all(view(x)), all) << size << " " << kind;
        const Narrow narrow(x.begin(), x.end());
        ASSERT_EQ(engine->best(view(narrow)), best) << size << " " << kind;
        ASSERT_EQ(engine->all(view(narrow)), all) << size << " " << kind;
      }
    }
  }
}

template <class T>
VectorSegments search(const std::vector<T>& x, SegmentGoal goal) {
  const auto engine = make_host_segment_engine(2);
  return search_vector(view(x), goal, *engine, 2);
}

TEST(SearchVector, SumsBeyond64BitsAreExact) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const Ints x = {5, -6, kMost, kMost, -1, kMost, std::numeric_limits<std::int64_t>::min(), 7};
  const auto found = std::get<1>(search(x, SegmentGoal::Best).found);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].begin, 2u);
  EXPECT_EQ(found[0].end, 6u);
  EXPECT_EQ(sum_text(found[0].score, 0), "27670116110564327420");
  const auto all = std::get<1>(search(x, SegmentGoal::All).found);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(sum_text(all[2].score, 0), "7");
  // 64 bits suffice at the bound itself.
  EXPECT_EQ(search(Ints{kMost - 1, 1, -kMost}, SegmentGoal::Best).found.index(), 0u);
  EXPECT_EQ(search(Ints{kMost, 1, -kMost}, SegmentGoal::Best).found.index(), 1u);
  EXPECT_EQ(search(Ints{std::numeric_limits<std::int64_t>::min()}, SegmentGoal::Best).found.index(), 1u);
}

// Compares integers with the same numbers multiplied by powers of two.
TEST(SearchVector, FloatingSumsAreThoseOfIntegers) {
  std::mt19937 random(25);
  for (int round = 0; round < 2000; ++round) {
    const Ints x = test::random_vector(random, random() % 60, round % test::kVectorKinds);
    const int exponent = static_cast<int>(random() % 2000) - 1060;
    std::vector<double> scaled_x;
    for (const std::int64_t value : x) scaled_x.push_back(std::ldexp(static_cast<double>(value), exponent));
    const auto found = search(scaled_x, SegmentGoal::All);
    const auto expected = maximal_segments<std::int64_t>(view(x));
    std::visit(
        [&](const auto& segments) {
          ASSERT_EQ(segments.size(), expected.size());
          for (std::size_t i = 0; i < segments.size(); ++i) {
            ASSERT_EQ(segments[i].begin, expected[i].begin);
            ASSERT_EQ(segments[i].end, expected[i].end);
            ASSERT_EQ(std::ldexp(static_cast<double>(segments[i].score), found.exponent),
                      std::ldexp(static_cast<double>(expected[i].score), exponent));
          }
        },
        found.found);
  }
}

TEST(SearchVector, FloatingNumbersOfAnySizeTogether) {
  // 2^-60 decides which of two segments is the best: more than 64 bits are needed.
  const std::vector<double> x = {1e6, -2e6, 1e6, std::ldexp(1.0, -60)};
  const auto best = std::get<1>(search(x, SegmentGoal::Best).found);
  ASSERT_EQ(best.size(), 1u);
  EXPECT_EQ(best[0].begin, 2u);
  // With more than 128 bits the search rounds sums, but the score returned is the segment's sum rounded once.
  const std::vector<double> far = {1e300, -2e300, 3.0, 1e-300};
  const auto all = std::get<2>(search(far, SegmentGoal::All).found);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].score, 1e300);
  EXPECT_EQ(all[1].score, 3.0);
}

TEST(SearchVector, RefusesWhatIsNoNumber) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    try {
      search(std::vector<double>{1, 2, bad}, SegmentGoal::Best);
      FAIL();
    } catch (const std::invalid_argument& error) {
      EXPECT_STREQ(error.what(), "element 2 is not a finite number");
    }
  }
  EXPECT_THROW(search(std::vector<double>{1e308, 1e308}, SegmentGoal::Best), std::invalid_argument);
}

TEST(RoundedSum, RoundsOnce) {
  EXPECT_EQ(rounded_sum(std::vector<double>{1e100, 1.0, -1e100}), 1.0);
  EXPECT_EQ(rounded_sum(std::vector<double>{0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}), 1.0);
  EXPECT_EQ(rounded_sum(std::vector<double>{1.0, 0x1p-53, 0x1p-110}), 1.0 + 0x1p-52);
  EXPECT_EQ(rounded_sum({}), 0.0);
}

TEST(SumText, DecimalAndShortest) {
  EXPECT_EQ(sum_text(0, 0), "0");
  EXPECT_EQ(sum_text(-12, 0), "-12");
  EXPECT_EQ(sum_text(3, -1), "1.5");
}

}  // namespace
}  // namespace gpuhmm
