// Numbers as integers: what makes sums exact and independent of their order, for fractions too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "companion/submatrix/matrix.hpp"
#include "formats/numbers/numbers.hpp"
#include "util/decimal.hpp"

namespace gpuhmm {

/// What one integer is worth: 10^-decimals, or 2^exponent if `binary`.
struct Unit {
  int decimals = 0;
  bool binary = false;
  int exponent = 0;
  bool rounded = false;  ///< the numbers are not all multiples of the unit and were rounded to the nearest

  double value() const;
  /// `count` units, exactly where that takes at most `decimals` places, else to 17 digits.
  std::string text(Int128 count) const;
  /// The least number of units that is worth at least `number`.
  Int128 at_least(const Decimal& number) const;
};

/// Reads [+-]digits[.digits], at most 18 digits and 9 decimals; nothing for anything else.
std::optional<Decimal> decimal_of(std::string_view text);

/// What is subtracted from every cell.
struct Shift {
  enum class Base : std::uint8_t { None, Mean };
  Base base = Base::None;
  Decimal plus;             ///< added to the base ...
  bool deviations = false;  ///< ... as standard deviations of the cells, not as a number

  /// Reads X, mean, mean+K, mean-K, mean+Ksd, mean-Ksd; nothing for anything else.
  static std::optional<Shift> parse(std::string_view text);
};

/// A matrix in units.
struct UnitMatrix {
  Matrix matrix;
  Unit unit;
};

/// Takes an array of two dimensions. Integers keep their values, with as many decimals as the shift needs.
/// Fractions take the fewest decimals, at most 9, that give every number back (so "0.1" is one tenth, not the
/// double next to it); without such, the largest power of two that all are multiples of, if the sum of
/// absolute values fits 62 bits; else the power of two at which it does, to which they are rounded. `name` is
/// for the message. Throws FileError for numbers that do not fit 64 bits in the unit, or that are not finite.
UnitMatrix to_units(const NumberArray& numbers, const Shift& shift, const std::string& name);
/// The same for integers.
UnitMatrix to_units(Matrix matrix, const Shift& shift, const std::string& name);

/// Subtracts the shift from every cell: mean and deviation are those of the open cells, and each is rounded
/// to the unit (half away from zero). Gives what was subtracted, in units. Throws FileError if a difference
/// does not fit 64 bits.
Int128 subtract(UnitMatrix& matrix, const Shift& shift, const std::string& name);

}  // namespace gpuhmm
