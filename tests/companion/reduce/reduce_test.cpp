// Tests the rules of reductions on the host, and compares the fast loops with the definition.
#include "companion/reduce/reduce.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <type_traits>

#include "companion/reduce/random_stacks.hpp"
#include "companion/reduce/totals.hpp"

namespace gpuhmm {
namespace {

using testing::kOperations;
using testing::random_stack;
using testing::same_bits;

using Ints = std::vector<std::int32_t>;
using Longs = std::vector<std::int64_t>;
using Doubles = std::vector<double>;

NumberValues reduce(const NumberValues& stack, std::size_t size, const ReduceOptions& options) {
  const auto reducer = make_host_reducer(static_cast<NumberType>(stack.index()), size, options);
  reducer->add(stack);
  return reducer->result();
}

const Ints kExample = {3, 7, -1, 4, 4, 4, 9, 0, 2, 5, -2, 8, 4, 1, 6, 9, 0, -7};

TEST(Reduce, AnswersTheWorkedExample) {
  const NumberValues stack = kExample;
  EXPECT_EQ(std::get<Ints>(reduce(stack, 9, {})), (Ints{3, -2, -1, 4, 1, 4, 9, 0, -7}));
  EXPECT_EQ(std::get<Ints>(reduce(stack, 9, {ReduceOperation::Maximum})), (Ints{5, 7, 8, 4, 4, 6, 9, 0, 2}));
  EXPECT_EQ(std::get<Longs>(reduce(stack, 9, {ReduceOperation::Sum})), (Longs{8, 5, 7, 8, 5, 10, 18, 0, -5}));
  EXPECT_EQ(std::get<Doubles>(reduce(stack, 9, {ReduceOperation::Mean})),
            (Doubles{4, 2.5, 3.5, 4, 2.5, 5, 9, 0, -2.5}));
}

TEST(Reduce, RefusesAStackOfNothing) {
  for (const ReduceOperation operation : kOperations) {
    EXPECT_THROW(make_host_reducer(NumberType::Int32, 9, {operation})->result(), std::invalid_argument);
    EXPECT_THROW(make_host_reducer(NumberType::Float64, 9, {operation})->result(), std::invalid_argument);
    EXPECT_THROW(reduce_plainly(Ints{}, 9, {operation}), std::invalid_argument);
    EXPECT_EQ(number_count(make_host_reducer(NumberType::Float32, 0, {operation})->result()), 0U);
  }
}

TEST(Reduce, OrdersZerosAndInfinities) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const NumberValues stack = Doubles{0.0, kInfinity, -0.0, -kInfinity};
  const auto low = std::get<Doubles>(reduce(stack, 2, {}));
  const auto high = std::get<Doubles>(reduce(stack, 2, {ReduceOperation::Maximum}));
  EXPECT_TRUE(std::signbit(low[0]));
  EXPECT_FALSE(std::signbit(high[0]));
  EXPECT_EQ(low[1], -kInfinity);
  EXPECT_EQ(high[1], kInfinity);
  EXPECT_TRUE(std::isnan(std::get<Doubles>(reduce(stack, 2, {ReduceOperation::Sum}))[1]));
  EXPECT_FALSE(std::signbit(std::get<Doubles>(reduce(Doubles{-0.0}, 1, {ReduceOperation::Sum}))[0]));
}

TEST(Reduce, TreatsNanAsAsked) {
  const double nan = std::nan("");
  for (const double some : {nan, -nan}) {
    const NumberValues stack = Doubles{some, some, 2, some, 3, some};  // a stack of matrices of two elements
    for (const ReduceOperation operation : kOperations) {
      const auto spread = std::get<Doubles>(reduce(stack, 2, {operation, NanPolicy::Propagate}));
      EXPECT_TRUE(std::isnan(spread[0]) && std::isnan(spread[1]));
      const auto left_out = std::get<Doubles>(reduce(stack, 2, {operation, NanPolicy::Ignore}));
      const double expected[] = {2, 3, 5, 2.5};
      EXPECT_EQ(left_out[0], expected[static_cast<int>(operation)]);
      EXPECT_EQ(std::isnan(left_out[1]), operation != ReduceOperation::Sum);
      const auto refusing = make_host_reducer(NumberType::Float64, 2, {operation, NanPolicy::Refuse});
      refusing->add(Doubles{1, 2, 3, 4});
      try {
        refusing->add(Doubles{5, 6, 7, some});
        FAIL() << "NaN was taken";
      } catch (const NanFound& found) {
        EXPECT_EQ(found.item, 3U);
        EXPECT_EQ(found.element, 1U);
      }
    }
  }
}

TEST(Reduce, SumsOfIntegersAreExactOrRefused) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(std::get<Longs>(reduce(Longs{kMost, kMost, -kMost}, 1, {ReduceOperation::Sum})), Longs{kMost});
  EXPECT_THROW(reduce(Longs{kMost, 1}, 1, {ReduceOperation::Sum}), std::overflow_error);
  EXPECT_EQ(std::get<Doubles>(reduce(Longs{kMost, kMost}, 1, {ReduceOperation::Mean})), Doubles{0x1p63});
  EXPECT_EQ(
      std::get<Longs>(reduce(Ints(3, std::numeric_limits<std::int32_t>::min()), 1, {ReduceOperation::Sum})),
      Longs{-3 * (std::int64_t{1} << 31)});
}

// Intermediate sums that wrap around, in every column of a row and for rows of many matrices.
template <class T>
void expect_exact_extremes(std::size_t items, std::size_t size) {
  using Limits = std::numeric_limits<T>;
  std::vector<T> stack(items * size);
  for (std::size_t i = 0; i < stack.size(); ++i) {
    const T values[] = {Limits::max(), Limits::min(), T{-1}, Limits::max(), T{1}, Limits::min(), T{0}};
    stack[i] = i < stack.size() / 2 ? values[i % 7] : i % 3 == 0 ? Limits::min() : T{-1};
  }
  for (const unsigned threads : {1U, 2U}) {
    const ReduceOptions options{ReduceOperation::Mean, NanPolicy::Propagate, threads};
    ASSERT_TRUE(same_bits(reduce(stack, size, options), reduce_plainly(stack, size, options)))
        << items << " x " << size;
  }
}

TEST(Reduce, SumsOfExtremesAreExact) {
  for (const auto& [items, size] :
       {std::pair<std::size_t, std::size_t>{100'003, 9}, {70'001, 1}, {2001, 35}, {65, 3001}}) {
    expect_exact_extremes<std::int32_t>(items, size);
    expect_exact_extremes<std::int64_t>(items, size);
  }
}

TEST(Reduce, QuotientsAreRoundedOnce) {
  EXPECT_EQ(rounded_quotient(1, 3), 1.0 / 3);
  EXPECT_EQ(rounded_quotient(-10, 4), -2.5);
  EXPECT_EQ(rounded_quotient(0, 7), 0);
  // (2^54 + 1) / 2 is halfway between two doubles; a third of 3 * 2^53 + 3 * 1 + 1 is slightly above halfway.
  EXPECT_EQ(rounded_quotient((Int128{1} << 54) + 2, 2), 0x1p53);
  EXPECT_EQ(rounded_quotient(3 * (Int128{1} << 53) + 4, 3), 0x1p53 + 2);
  EXPECT_EQ(rounded_quotient(Int128{1} << 94, std::uint64_t{1} << 31), 0x1p63);
  std::mt19937_64 rng(5);
  for (int i = 0; i < 2000; ++i) {
    const auto sum = static_cast<std::int64_t>(rng()) >> rng() % 60;
    const std::uint64_t count = 1 + (rng() >> 34 >> rng() % 30);
    if (std::abs(sum) > std::int64_t{1} << 53) continue;
    EXPECT_EQ(rounded_quotient(sum, count), static_cast<double>(sum) / static_cast<double>(count));
  }
}

// The result has the bits of the definition, however the stack is divided.
template <class T>
void expect_definition(std::mt19937_64& rng, std::size_t items, std::size_t size, bool small, double nan) {
  const std::vector<T> values = random_stack<T>(rng, items, size, small, nan);
  const NumberValues stack = values;
  for (const ReduceOperation operation : kOperations) {
    for (const NanPolicy policy : {NanPolicy::Propagate, NanPolicy::Ignore}) {
      NumberValues expected;
      try {
        expected = reduce_plainly(stack, size, {operation, policy});
      } catch (const std::overflow_error&) {
        EXPECT_THROW(reduce(stack, size, {operation, policy}), std::overflow_error);
        continue;
      }
      for (const unsigned threads : {1U, 3U}) {
        const ReduceOptions options{operation, policy, threads};
        ASSERT_TRUE(same_bits(reduce(stack, size, options), expected))
            << operation_name(operation) << " of " << items << " x " << size << ", " << threads << " threads";
        const auto reducer = make_host_reducer(static_cast<NumberType>(stack.index()), size, options);
        for (std::size_t at = 0; at < items;) {
          const std::size_t part = std::min<std::size_t>(items - at, rng() % (items / 2 + 2));
          reducer->add(std::vector<T>(values.begin() + static_cast<std::ptrdiff_t>(at * size),
                                      values.begin() + static_cast<std::ptrdiff_t>((at + part) * size)));
          at += part;
        }
        ASSERT_TRUE(same_bits(reducer->result(), expected)) << operation_name(operation) << " in parts";
      }
    }
  }
}

template <class T>
class ReduceTypes : public ::testing::Test {};
using Types = ::testing::Types<std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(ReduceTypes, Types);

TYPED_TEST(ReduceTypes, AgreesWithTheDefinition) {
  std::mt19937_64 rng(6);
  for (const std::size_t size : {1, 2, 9, 12, 511, 512, 700, 1500}) {
    for (const std::size_t items : {1, 2, 7, 8, 63, 64, 65, 255, 256, 257, 511}) {
      if (size * items > 200'000) continue;
      expect_definition<TypeParam>(rng, items, size, items % 2 == 0, items % 3 == 0 ? 0.01 : 0);
    }
  }
}

TYPED_TEST(ReduceTypes, AgreesWithTheDefinitionOnLongStacks) {
  std::mt19937_64 rng(7);
  for (const std::size_t items : {65'535, 65'536, 65'537, 200'003}) {
    expect_definition<TypeParam>(rng, items, 1, false, 0);
  }
  expect_definition<TypeParam>(rng, 70'001, 9, true, 1e-6);
  expect_definition<TypeParam>(rng, 20'003, 35, false, 1e-6);
  expect_definition<TypeParam>(rng, 70, 5001, false, 0);
}

}  // namespace
}  // namespace gpuhmm
