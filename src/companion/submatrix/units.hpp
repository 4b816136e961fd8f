// Converts numbers, fractions included, to integers: sums are then exact and independent of their order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "companion/submatrix/matrix.hpp"
#include "formats/numbers/numbers.hpp"
#include "util/decimal.hpp"

namespace gpuhmm {

/// The value of the integer 1: 10^-decimals, or 2^exponent if `binary`.
struct Unit {
  int decimals = 0;
  bool binary = false;
  int exponent = 0;
  bool rounded = false;  ///< some numbers were not multiples of the unit and were rounded

  double value() const;
  /// The text of `count` units: exact with a decimal unit, else the shortest that identifies the nearest
  /// double.
  std::string text(Int128 count) const;
  /// The least number of units that is worth at least `number`.
  Int128 at_least(const Decimal& number) const;
};

/// Reads [+-]digits[.digits] with at most 18 digits and 9 decimals; nothing for other texts.
std::optional<Decimal> decimal_of(std::string_view text);

/// The number subtracted from every cell: base + plus, or base + plus * standard deviation.
struct Shift {
  enum class Base : std::uint8_t { None, Mean };
  Base base = Base::None;
  Decimal plus;             ///< added to the base
  bool deviations = false;  ///< `plus` counts standard deviations of the cells

  /// Reads X, mean, mean+K, mean-K, mean+Ksd or mean-Ksd; nothing for other texts.
  static std::optional<Shift> parse(std::string_view text);
};

/// A matrix whose values are multiples of a unit.
struct UnitMatrix {
  Matrix matrix;
  Unit unit;
};

/// Converts an array of two dimensions. Integers get a decimal unit with the decimals that the shift needs.
/// Fractions get the decimal unit with the fewest decimals, at most 9, in which every number is exact (0.1 is
/// one tenth, not the double next to it). If there is none, the unit is the largest power of two of which all
/// numbers are multiples, provided the sum of absolute values fits 62 bits in it; else the smallest power of
/// two for which it does, and numbers are rounded to the unit. `name`: the input's name, for messages. Throws
/// FileError for numbers that are not finite or do not fit 64 bits in the unit.
UnitMatrix to_units(const NumberArray& numbers, const Shift& shift, const std::string& name);
/// Converts integers, as above.
UnitMatrix to_units(Matrix matrix, const Shift& shift, const std::string& name);

/// Subtracts the shift from every cell and returns it, in units. Mean and standard deviation are those of the
/// cells that are not barred; each part of the shift is rounded to the unit, half away from zero. Throws
/// FileError if a difference does not fit 64 bits.
Int128 subtract(UnitMatrix& matrix, const Shift& shift, const std::string& name);

}  // namespace gpuhmm
