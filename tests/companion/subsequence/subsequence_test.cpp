// Compares subsequences found on the host with those by enumeration, and the methods with each other.
#include "companion/subsequence/subsequence.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "companion/subsequence/random_vectors.hpp"

namespace gpuhmm {
namespace {

using Length = SubsequenceQuery::Length;
using testing::enumerate_best;
using testing::random_vector;
using Positions = std::vector<std::size_t>;

template <class T>
Subsequence solve(const std::vector<T>& values, const SubsequenceQuery& query,
                  SubsequenceMethod method = SubsequenceMethod::Auto, std::size_t memory = 1 << 20) {
  return best_subsequence(std::span<const T>(values), query,
                          {.method = method, .device = std::nullopt, .memory = memory});
}

SubsequenceQuery exactly(std::uint64_t elements) { return {Length::Exactly, elements, false}; }

const std::vector<std::int32_t> kExample = {4, 6, 1, 3, 8, 4, 6};

TEST(Subsequence, AnswersTheWorkedExample) {
  EXPECT_EQ(solve(kExample, exactly(1)).positions, (Positions{4}));
  EXPECT_EQ(solve(kExample, exactly(2)).positions, (Positions{1, 4}));
  const Subsequence three = solve(kExample, exactly(3));
  EXPECT_EQ(three.positions, (Positions{0, 1, 4}));
  EXPECT_EQ(std::get<Int128>(three.sum), 18);
  EXPECT_EQ(solve(kExample, exactly(4)).positions, (Positions{2, 3, 5, 6}));
  EXPECT_EQ(solve(std::vector<std::int64_t>{1, 2, 1, 2, 3}, exactly(3)).positions, (Positions{0, 1, 4}));
}

TEST(Subsequence, ReportsTheLongestLengthWhereThereIsNoAnswer) {
  const Subsequence none = solve(kExample, exactly(5));
  EXPECT_TRUE(none.positions.empty());
  EXPECT_EQ(none.longest, 4U);
  EXPECT_EQ(solve(kExample, exactly(std::uint64_t{1} << 40)).longest, 4U);
  EXPECT_TRUE(solve(std::vector<double>{}, {}).positions.empty());
  EXPECT_TRUE(solve(std::vector<double>{}, exactly(1)).positions.empty());
}

TEST(Subsequence, RefusesNoElements) {
  EXPECT_THROW(solve(kExample, exactly(0)), std::invalid_argument);
  EXPECT_THROW(solve(kExample, {Length::AtMost, 0, false}), std::invalid_argument);
}

TEST(Subsequence, FindsSumsOfEitherSign) {
  EXPECT_EQ(std::get<Int128>(solve(std::vector<std::int32_t>{-1}, exactly(1)).sum), -1);
  const std::vector<std::int32_t> values = {-5, -2, -7, -1};
  EXPECT_EQ(solve(values, exactly(2)).positions, (Positions{1, 3}));
  EXPECT_EQ(solve(values, {}).positions, (Positions{3}));
}

template <class T>
void expect_the_same_on_several_threads(const std::vector<T>& values, std::uint64_t elements,
                                        SubsequenceMethod method) {
  for (const Length length : {Length::Exactly, Length::AtMost}) {
    const SubsequenceQuery query{length, elements, false};
    const Subsequence alone = solve(values, query, method);
    for (const unsigned threads : {2U, 3U, 8U}) {
      const Subsequence together = best_subsequence(
          std::span<const T>(values), query, {.method = method, .device = std::nullopt, .threads = threads});
      ASSERT_EQ(together.positions, alone.positions)
          << method_name(method) << ", " << elements << " elements, " << threads << " threads";
      ASSERT_EQ(together.sum, alone.sum);
    }
  }
}

TEST(Subsequence, IsTheSameOnSeveralThreads) {
  std::mt19937_64 rng(7);
  const auto few = random_vector<std::int32_t>(rng, 700, -300, 300);
  for (const std::uint64_t elements : {1, 2, 5, 40})
    expect_the_same_on_several_threads(few, elements, SubsequenceMethod::Plain);
  const auto many = random_vector<std::int32_t>(rng, 20'011, -1000, 100'000);
  const auto wide = random_vector<std::int64_t>(rng, 20'011, -(std::int64_t{1} << 50), std::int64_t{1} << 60);
  std::vector<double> real(wide.begin(), wide.end());
  real[5] = 1e-200;
  for (const std::uint64_t elements : {1, 2, 3, 10, 30, 67}) {
    expect_the_same_on_several_threads(many, elements, SubsequenceMethod::Fenwick);
    expect_the_same_on_several_threads(wide, elements, SubsequenceMethod::Fenwick);
    expect_the_same_on_several_threads(real, elements, SubsequenceMethod::Fenwick);
  }
}

TEST(Subsequence, AgreesWithEnumeration) {
  std::mt19937_64 rng(1);
  for (int round = 0; round < 3000; ++round) {
    const std::size_t n = 1 + rng() % 9;
    const std::int64_t reach = round % 3 == 0 ? 1 : round % 3 == 1 ? 4 : 20;
    const auto values = random_vector<std::int64_t>(rng, n, -reach, reach);
    const std::vector<double> halves(values.begin(), values.end());
    for (const bool non_decreasing : {false, true}) {
      for (const Length length : {Length::Any, Length::AtMost, Length::Exactly}) {
        const SubsequenceQuery query{length, 1 + rng() % n, non_decreasing};
        const Positions expected = enumerate_best(values, query);
        for (const SubsequenceMethod method : {SubsequenceMethod::Plain, SubsequenceMethod::Fenwick}) {
          const Subsequence answer = solve(values, query, method);
          ASSERT_EQ(answer.positions, expected) << method_name(method) << " round " << round;
          ASSERT_EQ(answer.method, method);
          ASSERT_EQ(solve(halves, query, method).positions, expected);
        }
      }
    }
  }
}

// Every method, also with little memory, finds the positions of the plain one.
template <class T>
void expect_methods_agree(const std::vector<T>& values, const SubsequenceQuery& query) {
  const Subsequence expected = solve(values, query, SubsequenceMethod::Plain, std::size_t{1} << 30);
  for (const std::size_t memory : {std::size_t{0}, 40 * values.size(), std::size_t{1} << 30}) {
    const Subsequence answer = solve(values, query, SubsequenceMethod::Fenwick, memory);
    ASSERT_EQ(answer.positions, expected.positions) << values.size() << " elements, K " << query.elements;
    ASSERT_EQ(answer.sum, expected.sum);
  }
}

TEST(Subsequence, MethodsAgreeOnLongerVectors) {
  std::mt19937_64 rng(2);
  for (int round = 0; round < 60; ++round) {
    const std::size_t n = 1 + rng() % 300;
    const std::int64_t reach = std::int64_t{1} << rng() % 40;
    auto values = random_vector<std::int64_t>(rng, n, -reach, reach);
    if (round % 4 == 0) std::sort(values.begin(), values.end());
    const SubsequenceQuery query{round % 2 == 0 ? Length::Exactly : Length::AtMost, 1 + rng() % 45,
                                 round % 3 == 0};
    expect_methods_agree(values, query);
  }
}

TEST(Subsequence, SumsBeyond64BitsAreExact) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const std::vector<std::int64_t> values = {kMost - 2, 5, kMost - 1, kMost};
  const Subsequence answer = solve(values, exactly(3));
  EXPECT_EQ(answer.positions, (Positions{0, 2, 3}));
  EXPECT_EQ(to_string(std::get<Int128>(answer.sum)), "27670116110564327418");
  EXPECT_EQ(answer.arithmetic, "128-bit integers");
  const std::vector<std::int64_t> low = {std::numeric_limits<std::int64_t>::min(), kMost};
  EXPECT_EQ(std::get<Int128>(solve(low, exactly(2)).sum), -1);
}

TEST(Subsequence, ChoosesTheWidthBySums) {
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(solve(std::vector<std::int32_t>{kMost - 1, 0}, exactly(1)).arithmetic, "32-bit integers");
  EXPECT_EQ(solve(std::vector<std::int32_t>{kMost, 0}, exactly(1)).arithmetic, "64-bit integers");
  EXPECT_EQ(solve(std::vector<std::int32_t>(3, 1 << 30), exactly(2)).arithmetic, "64-bit integers");
  EXPECT_EQ(solve(std::vector<double>{1e300, 1e-300}, exactly(2)).arithmetic, "double precision");
}

TEST(Subsequence, RealNumbersAreSummedExactly) {
  // In double precision 1e16 + 1 and 1e16 + 0.5 equal 1e16.
  const std::vector<double> values = {0.5, 1, 1.5, 1e16};
  EXPECT_EQ(solve(values, exactly(3)).positions, (Positions{1, 2, 3}));
  EXPECT_EQ(solve(values, exactly(2)).positions, (Positions{2, 3}));
  const std::vector<float> tenths = {0.1F, 0.2F, 0.3F};
  EXPECT_DOUBLE_EQ(std::get<double>(solve(tenths, {}).sum), double{0.1F} + double{0.2F} + double{0.3F});
  const std::vector<double> zeros = {0.0, -0.0};
  EXPECT_TRUE(solve(zeros, exactly(2)).positions.empty());
}

TEST(Subsequence, MethodsAgreeInDoublePrecision) {
  std::mt19937_64 rng(3);
  std::vector<double> values;
  for (int i = 0; i < 200; ++i)
    values.push_back(std::ldexp(static_cast<double>(rng() % 1000), i % 7 * 60 - 180));
  for (const std::uint64_t elements : {1, 2, 5, 9, 12}) expect_methods_agree(values, exactly(elements));
}

}  // namespace
}  // namespace gpuhmm
