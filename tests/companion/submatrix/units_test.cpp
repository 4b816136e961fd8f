// Tests the conversion of numbers to integers, and shifts.
#include "companion/submatrix/units.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace gpuhmm {
namespace {

using Ints = std::vector<std::int64_t>;

template <class T>
NumberArray row_of(std::vector<T> values) {
  return {{1, values.size()}, std::move(values)};
}

Shift shift_of(const std::string& text) { return Shift::parse(text).value(); }

// The values after the shift, and the shift.
struct Shifted {
  UnitMatrix units;
  Int128 subtracted;
};
template <class T>
Shifted shifted(std::vector<T> values, const std::string& shift) {
  Shifted result{to_units(row_of(std::move(values)), shift_of(shift), "file"), 0};
  result.subtracted = subtract(result.units, shift_of(shift), "file");
  return result;
}

TEST(Decimal, Text) {
  EXPECT_EQ(decimal_of("-12.50")->digits, -1250);
  EXPECT_EQ(decimal_of("-12.50")->decimals, 2);
  EXPECT_EQ(decimal_of("+.5")->value(), 0.5);
  EXPECT_EQ(decimal_of("7.")->value(), 7);
  for (const char* text :
       {"", "-", ".", "1e3", "1.2.3", "--1", "1 ", "1234567890123456789", "0.1234567890"}) {
    EXPECT_FALSE(decimal_of(text)) << text;
  }
}

TEST(Shift, Text) {
  EXPECT_EQ(shift_of("3.5").base, Shift::Base::None);
  EXPECT_EQ(shift_of("mean").base, Shift::Base::Mean);
  EXPECT_EQ(shift_of("mean").plus.digits, 0);
  EXPECT_EQ(shift_of("mean-2").plus.digits, -2);
  EXPECT_TRUE(shift_of("mean+1.5sd").deviations);
  for (const char* text : {"", "median", "mean2", "mean+", "mean+sd", "2sd", "mean+-2x"}) {
    EXPECT_FALSE(Shift::parse(text)) << text;
  }
}

TEST(Units, IntegersKeepTheirValues) {
  EXPECT_EQ(shifted<std::int64_t>({5, -3}, "0").units.matrix.values, (Ints{5, -3}));
  const Shifted tenths = shifted<std::int32_t>({5, -3}, "0.5");
  EXPECT_EQ(tenths.units.matrix.values, (Ints{45, -35}));
  EXPECT_EQ(tenths.units.unit.text(45), "4.5");
  EXPECT_EQ(tenths.units.unit.text(-35), "-3.5");
  EXPECT_EQ(tenths.units.unit.text(-5), "-0.5");
}

TEST(Units, TheMeanIsRoundedToTheUnit) {
  EXPECT_EQ(shifted<std::int64_t>({1, 2}, "mean").subtracted, 2);     // 1.5
  EXPECT_EQ(shifted<std::int64_t>({-1, -2}, "mean").subtracted, -2);  // -1.5
  EXPECT_EQ(shifted<std::int64_t>({1, 2, 2, 2, 0}, "mean").subtracted, 1);
  EXPECT_EQ(shifted<std::int64_t>({1, 3}, "mean+60").units.matrix.values, (Ints{-61, -59}));
  EXPECT_EQ(shifted<std::int64_t>({1, 3}, "mean-0.5").units.matrix.values, (Ints{-5, 15}));
  EXPECT_EQ(shifted<std::int64_t>({0, 0, 10, 10}, "mean+2sd").subtracted, 15);
}

TEST(Units, BarredCellsDoNotCount) {
  Matrix matrix{1, 3, {100, 2, 4}, {1, 0, 0}};
  UnitMatrix units = to_units(matrix, shift_of("mean"), "file");
  EXPECT_EQ(subtract(units, shift_of("mean"), "file"), 3);
  EXPECT_EQ(units.matrix.values, (Ints{100, -1, 1}));
}

TEST(Units, FractionsTakeTheFewestDecimals) {
  const Shifted tenths = shifted<double>({0.1, 0.2, -0.7}, "0");
  EXPECT_EQ(tenths.units.unit.decimals, 1);
  EXPECT_EQ(tenths.units.matrix.values, (Ints{1, 2, -7}));
  EXPECT_EQ(tenths.units.unit.text(-4), "-0.4");
  EXPECT_EQ(shifted<float>({0.1F, 1.25F}, "0").units.matrix.values, (Ints{10, 125}));
  EXPECT_EQ(shifted<double>({3, 4}, "0").units.unit.decimals, 0);
  EXPECT_EQ(shifted<double>({3, 4}, "mean").units.matrix.values, (Ints{-1, 0}));  // 3.5 is rounded
}

TEST(Units, OtherFractionsArePowersOfTwo) {
  const double small = std::ldexp(1.0, -40);
  const Shifted exact = shifted<double>({1, small, -3 * small}, "0");
  EXPECT_TRUE(exact.units.unit.binary);
  EXPECT_FALSE(exact.units.unit.rounded);
  EXPECT_EQ(exact.units.unit.exponent, -40);
  EXPECT_EQ(exact.units.matrix.values, (Ints{std::int64_t{1} << 40, 1, -3}));
  EXPECT_EQ(exact.units.unit.text(std::int64_t{3} << 39), "1.5");
}

TEST(Units, TooWideARangeIsRounded) {
  const Shifted rounded = shifted<double>({1e15, 1e-15, -1e15}, "0");
  EXPECT_TRUE(rounded.units.unit.rounded);
  EXPECT_NEAR(static_cast<double>(rounded.units.matrix.values[0]) * rounded.units.unit.value(), 1e15, 0.01);
  EXPECT_EQ(rounded.units.matrix.values[1], 0);
  EXPECT_EQ(rounded.units.matrix.values[2], -rounded.units.matrix.values[0]);
  // Sums of all values stay well within 64 bits.
  EXPECT_LT(std::abs(rounded.units.matrix.values[0]), std::int64_t{1} << 61);
  const Shifted denormal = shifted<double>({std::numeric_limits<double>::denorm_min(), 0}, "0");
  EXPECT_EQ(denormal.units.matrix.values, (Ints{1, 0}));
  const Shifted huge = shifted<double>({std::numeric_limits<double>::max() / 4, -1e300}, "0");
  EXPECT_GT(huge.units.matrix.values[0], 0);
}

TEST(Units, TheLeastNumberOfUnitsWorthANumber) {
  const auto at_least = [](const Unit& unit, const char* number) {
    return unit.at_least(decimal_of(number).value());
  };
  const Unit integers, hundredths{2, false, 0, false}, sixteenths{0, true, -4, false},
      eights{0, true, 3, false};
  EXPECT_EQ(at_least(integers, "5"), 5);
  EXPECT_EQ(at_least(integers, "5.01"), 6);
  EXPECT_EQ(at_least(integers, "-5.01"), -5);
  EXPECT_EQ(at_least(hundredths, "5.1"), 510);
  EXPECT_EQ(at_least(hundredths, "5.001"), 501);
  EXPECT_EQ(at_least(hundredths, "100000000000000000"), Int128{100'000'000'000'000'000} * 100);
  EXPECT_EQ(at_least(sixteenths, "0.1"), 2);
  EXPECT_EQ(at_least(sixteenths, "0.125"), 2);
  EXPECT_EQ(at_least(eights, "8"), 1);
  EXPECT_EQ(at_least(eights, "8.5"), 2);
}

TEST(Units, WhatDoesNotFit64BitsIsRefused) {
  constexpr std::int64_t kHigh = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(shifted<std::int64_t>({kHigh}, "0").units.matrix.values, (Ints{kHigh}));
  EXPECT_EQ(shifted<std::int64_t>({0, kHigh}, "-0").units.matrix.values, (Ints{0, kHigh}));
  EXPECT_THROW(shifted<std::int64_t>({0, kHigh}, "-1"), FileError);
  EXPECT_THROW(shifted<std::int64_t>({0, kHigh}, "mean+100000000sd"), FileError);
  try {
    shifted<std::int64_t>({0, kHigh}, "0.1");
    FAIL();
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("file: row 0, column 1: "), std::string::npos);
  }
  EXPECT_THROW(shifted<double>({1, std::numeric_limits<double>::infinity()}, "0"), FileError);
}

}  // namespace
}  // namespace gpuhmm
