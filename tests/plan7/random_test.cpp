// Compares random numbers with a plain implementation of the generator, and random choices with a plain loop.
#include "gpuhmm/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace gpuhmm {
namespace {

/// The generator as specified, in exact integers.
class PlainStream {
 public:
  void seed(std::int64_t value) {
    first_ = second_ = value < 0 ? -value : value == 0 ? 42 : value;
    for (std::int64_t& entry : table_) {
      step();
      entry = difference();
    }
    for (int i = 0; i < 7; ++i) next();
  }
  std::int64_t next() {
    step();
    const auto j = static_cast<std::size_t>(static_cast<double>(last_) / 2147483563.0 * 64.0);
    last_ = table_[j];
    table_[j] = difference();
    return last_;
  }

 private:
  void step() {
    first_ = 40014 * first_ % 2147483563;
    second_ = 40692 * second_ % 2147483399;
  }
  std::int64_t difference() const {
    return first_ < second_ ? first_ - second_ + 2147483563 : first_ - second_;
  }

  std::int64_t first_ = 0, second_ = 0, last_ = 0;
  std::array<std::int64_t, 64> table_{};
};

TEST(RandomStream, IsThePlainGenerator) {
  RandomStream stream;
  PlainStream plain;
  // Seeds repeatedly, as the last draw before seeding influences those after it.
  for (const std::int32_t seed :
       {1, 1, 0, 42, -7, 2147483563, 2147483647, 2147483399, -2147483647, 123456789}) {
    stream.seed(seed);
    plain.seed(seed);
    for (int i = 0; i < 20'000; ++i)
      ASSERT_EQ(stream.next(), plain.next()) << "seed " << seed << ", draw " << i;
  }
}

TEST(RandomStream, ZeroStandsFor42AndSignsDoNotMatter) {
  const auto first = [](std::int32_t seed) {
    RandomStream stream;
    stream.seed(seed);
    return stream.next();
  };
  EXPECT_EQ(first(0), first(42));
  EXPECT_EQ(first(-9), first(9));
  EXPECT_NE(first(9), first(8));
}

/// Draws before seeding matter only through place().
TEST(RandomStream, UnseededDiscardsNothing) {
  RandomStream unseeded, seeded;
  unseeded.start_unseeded();
  EXPECT_EQ(unseeded.place(), 0U);
  EXPECT_EQ(unseeded.last(), 0U);
  seeded.seed(1);
  seeded.set_last(0);
  seeded.seed(42);  // at the same place
  for (int i = 0; i < 7; ++i) unseeded.next();
  for (int i = 0; i < 200; ++i) ASSERT_EQ(unseeded.next(), seeded.next());
}

TEST(RandomStream, DependsOnPlaceAlone) {
  RandomStream one, other;
  one.seed(5);
  other.seed(6);
  for (int i = 0; i < 100; ++i) other.next();
  while (one.place() != other.place()) one.next();
  one.seed(77);
  other.seed(77);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(one.next(), other.next());
}

TEST(RandomStream, NormalDeviatesHaveTheirMoments) {
  RandomStream stream;
  stream.seed(3);
  constexpr int kCount = 200'000;
  double sum = 0, squares = 0;
  int beyond_one = 0, beyond_three = 0;
  for (int i = 0; i < kCount; ++i) {
    const double z = (stream.normal(10, 2) - 10) / 2;
    sum += z;
    squares += z * z;
    beyond_one += std::fabs(z) > 1;
    beyond_three += std::fabs(z) > 3;
  }
  EXPECT_NEAR(sum / kCount, 0, 0.01);
  EXPECT_NEAR(squares / kCount, 1, 0.015);
  EXPECT_NEAR(static_cast<double>(beyond_one) / kCount, 0.3173, 0.005);
  EXPECT_NEAR(static_cast<double>(beyond_three) / kCount, 0.0027, 0.0005);
}

std::uint8_t choose_plainly(std::span<const float> p, RandomStream& stream) {
  const auto roll = static_cast<float>(stream.uniform());
  float sum = 0;
  for (std::size_t x = 0; x < p.size(); ++x) {
    sum += p[x];
    if (roll < sum) return static_cast<std::uint8_t>(x);
  }
  std::size_t x = 0;
  do {
    x = static_cast<std::size_t>(stream.uniform() * static_cast<double>(p.size()));
  } while (p[x] == 0.0F);
  return static_cast<std::uint8_t>(x);
}

TEST(RandomChoice, IsThePlainLoop) {
  const std::vector<std::vector<float>> distributions = {
      {default_frequencies(AlphabetKind::Amino).begin(), default_frequencies(AlphabetKind::Amino).end()},
      {0.25F, 0.25F, 0.25F, 0.25F},
      {0.1F, 0, 0.2F, 0},  // sums to less than 1
      {0, 1, 0},
      {0.5F, 0.6F, 0.2F},  // sums to more
      {1e-9F, 1.0F}};
  for (const std::vector<float>& p : distributions) {
    const RandomChoice choice(p);
    RandomStream one, other;
    one.seed(11);
    other.seed(11);
    for (int i = 0; i < 200'000; ++i) ASSERT_EQ(choice.draw(one), choose_plainly(p, other)) << i;
    EXPECT_EQ(one.next(), other.next());

    std::vector<std::uint8_t> drawn(100'000);
    TabledChoice(p).draw(one, drawn);
    for (const std::uint8_t found : drawn) ASSERT_EQ(found, choose_plainly(p, other));
    EXPECT_EQ(one.next(), other.next());
  }
}

}  // namespace
}  // namespace gpuhmm
