// Converts numbers to integers, and computes shifts.
#include "companion/submatrix/units.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <type_traits>
#include <variant>

namespace gpuhmm {

namespace {

constexpr int kMostDecimals = 9;
constexpr int kRoundedBits = 61;  // of the sum of absolute values, if numbers are rounded

std::int64_t power_of_ten(int exponent) {
  std::int64_t power = 1;
  while (exponent-- > 0) power *= 10;
  return power;
}

std::string place(const Matrix& matrix, std::size_t index) {
  return "row " + std::to_string(index / matrix.columns) + ", column " +
         std::to_string(index % matrix.columns);
}

[[noreturn]] void fail_wide(const std::string& name, const Matrix& matrix, std::size_t index) {
  throw FileError(name + ": " + place(matrix, index) +
                  ": the number does not fit 64 bits with the decimals and the shift");
}

// The integer below 2^53 that, divided by `power`, gives x exactly; nothing if there is none.
template <class T>
std::optional<std::int64_t> scaled(T x, std::int64_t power) {
  constexpr double kExact = 9007199254740992.0;
  const double product = std::nearbyint(static_cast<double>(x) * static_cast<double>(power));
  if (std::abs(product) >= kExact) return std::nullopt;
  if (static_cast<T>(product / static_cast<double>(power)) != x) return std::nullopt;
  return static_cast<std::int64_t>(product);
}

// The smallest number of decimals, at least `decimals`, with which all numbers are exact; nothing if there is
// none.
template <class T>
std::optional<int> decimals_for(const std::vector<T>& numbers, int decimals) {
  for (const T x : numbers) {
    while (!scaled(x, power_of_ten(decimals))) {
      if (++decimals > kMostDecimals) return std::nullopt;
    }
  }
  const std::int64_t power = power_of_ten(decimals);  // large numbers may not fit with so many decimals
  const bool all =
      std::all_of(numbers.begin(), numbers.end(), [&](T x) { return scaled(x, power).has_value(); });
  return all ? std::optional(decimals) : std::nullopt;
}

// The exponent of the largest power of two of which x is a multiple; x is not 0.
int lowest_bit(double x) {
  int exponent = 0;
  const double fraction = std::frexp(std::abs(x), &exponent);  // has 53 bits after the point
  auto bits = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
  exponent -= 53;
  for (; (bits & 1) == 0; bits >>= 1) ++exponent;
  return exponent;
}

// The smallest e with sum < 2^e.
int bits_of(double sum) {
  int exponent = 0;
  std::frexp(sum, &exponent);
  return exponent;
}

template <class T>
Unit binary_unit(const std::vector<T>& numbers, const Shift& shift) {
  double sum = std::abs(shift.plus.value()) * static_cast<double>(numbers.size());
  int lowest = std::numeric_limits<int>::max();
  for (const T x : numbers) {
    if (x == 0) continue;
    sum += std::abs(static_cast<double>(x));
    lowest = std::min(lowest, lowest_bit(static_cast<double>(x)));
  }
  const int smallest = bits_of(2 * sum) - kRoundedBits;  // 2 *: the mean is subtracted
  Unit unit{0, true, std::max(lowest, smallest), lowest < smallest};
  return unit;
}

// The decimals that the shift needs.
int decimals_of(const Shift& shift) { return shift.deviations ? 0 : shift.plus.decimals; }

template <class T>
void fill(const std::vector<T>& numbers, const Shift& shift, UnitMatrix& to, const std::string& name) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!std::isfinite(numbers[i])) {
      throw FileError(name + ": " + place(to.matrix, i) + ": not a finite number");
    }
  }
  const auto decimals = decimals_for(numbers, decimals_of(shift));
  to.unit = decimals ? Unit{*decimals, false, 0, false} : binary_unit(numbers, shift);
  std::transform(numbers.begin(), numbers.end(), to.matrix.values.begin(), [&](T x) {
    return decimals ? *scaled(x, power_of_ten(*decimals))
                    : std::llround(std::ldexp(static_cast<double>(x), -to.unit.exponent));
  });
}

template <class T>
requires std::is_integral_v<T>
void fill(const std::vector<T>& numbers, const Shift& shift, UnitMatrix& to, const std::string& name) {
  to.matrix.values.assign(numbers.begin(), numbers.end());
  to = to_units(std::move(to.matrix), shift, name);
}

// The quotient rounded to the nearest integer, half away from zero.
Int128 divide(Int128 sum, Int128 count) {
  const Int128 half = count / 2;
  return (sum + (sum < 0 ? -half : half)) / count;
}

// Rounds to the nearest integer. Clamps to +-2^100, which keeps differences outside 64 bits as well.
Int128 rounded(double number) {
  constexpr double kMost = 0x1p100;
  return static_cast<Int128>(std::round(std::clamp(number, -kMost, kMost)));
}

// The part of the shift that is added to the mean (or to 0), in units.
Int128 constant_part(const UnitMatrix& matrix, const Shift& shift, Int128 mean, std::size_t open) {
  const Unit& unit = matrix.unit;
  if (shift.deviations) {
    double squares = 0;
    for (std::size_t i = 0; i < matrix.matrix.values.size(); ++i) {
      if (matrix.matrix.is_barred(i)) continue;
      const auto difference = static_cast<double>(matrix.matrix.values[i] - mean);
      squares += difference * difference;
    }
    return rounded(std::sqrt(squares / static_cast<double>(open)) * shift.plus.value());
  }
  if (unit.binary) return rounded(std::ldexp(shift.plus.value(), -unit.exponent));
  return static_cast<Int128>(shift.plus.digits) * power_of_ten(unit.decimals - shift.plus.decimals);
}

}  // namespace

double Unit::value() const {
  return binary ? std::ldexp(1.0, exponent) : 1 / static_cast<double>(power_of_ten(decimals));
}

Int128 Unit::at_least(const Decimal& number) const {
  if (binary) return gpuhmm::rounded(std::ceil(std::ldexp(number.value(), -exponent)));
  if (decimals >= number.decimals) {
    return static_cast<Int128>(number.digits) * power_of_ten(decimals - number.decimals);
  }
  const std::int64_t units = power_of_ten(number.decimals - decimals);
  const std::int64_t whole = number.digits / units;
  return number.digits > whole * units ? whole + 1 : whole;
}

std::string Unit::text(Int128 count) const {
  if (binary) {
    std::array<char, 64> buffer{};
    const double number = std::ldexp(static_cast<double>(count), exponent);
    return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr};
  }
  std::string digits = to_string(count < 0 ? -count : count);
  if (decimals > 0) {
    const auto places = static_cast<std::size_t>(decimals);
    if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
    digits.insert(digits.size() - places, ".");
  }
  return (count < 0 ? "-" : "") + digits;
}

std::optional<Decimal> decimal_of(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, point);
  const std::string_view part = text.substr(std::min(point + 1, text.size()));
  const std::string digits = std::string(whole) + std::string(part);
  constexpr std::size_t kMostDigits = 18;
  const bool sound = !digits.empty() && digits.size() <= kMostDigits && part.size() <= kMostDecimals &&
                     digits.find_first_not_of("0123456789") == std::string::npos;
  if (!sound) return std::nullopt;
  const std::int64_t number = std::stoll(digits);
  return Decimal{negative ? -number : number, static_cast<int>(part.size())};
}

std::optional<Shift> Shift::parse(std::string_view text) {
  constexpr std::string_view kMean = "mean";
  constexpr std::string_view kDeviations = "sd";
  Shift shift;
  if (text.substr(0, kMean.size()) == kMean) {
    shift.base = Base::Mean;
    text.remove_prefix(kMean.size());
    if (text.empty()) return shift;
    if (text.front() != '+' && text.front() != '-') return std::nullopt;
    if (text.ends_with(kDeviations)) {
      shift.deviations = true;
      text.remove_suffix(kDeviations.size());
    }
  }
  const std::optional<Decimal> number = decimal_of(text);
  if (!number) return std::nullopt;
  shift.plus = *number;
  return shift;
}

UnitMatrix to_units(const NumberArray& numbers, const Shift& shift, const std::string& name) {
  UnitMatrix result;
  result.matrix.rows = static_cast<std::size_t>(numbers.shape.at(0));
  result.matrix.columns = static_cast<std::size_t>(numbers.shape.at(1));
  result.matrix.values.resize(number_count(numbers.values));
  std::visit([&](const auto& values) { fill(values, shift, result, name); }, numbers.values);
  return result;
}

UnitMatrix to_units(Matrix matrix, const Shift& shift, const std::string& name) {
  UnitMatrix result{std::move(matrix), {}};
  result.unit.decimals = decimals_of(shift);
  const std::int64_t power = power_of_ten(result.unit.decimals);
  std::vector<std::int64_t>& values = result.matrix.values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (__builtin_mul_overflow(values[i], power, &values[i])) fail_wide(name, result.matrix, i);
  }
  return result;
}

Int128 subtract(UnitMatrix& matrix, const Shift& shift, const std::string& name) {
  Matrix& cells = matrix.matrix;
  Int128 sum = 0;
  std::size_t open = 0;
  for (std::size_t i = 0; i < cells.values.size(); ++i) {
    sum += cells.open_value(i);
    open += cells.is_barred(i) ? 0 : 1;
  }
  if (open == 0) return 0;
  const Int128 mean = shift.base == Shift::Base::Mean ? divide(sum, static_cast<Int128>(open)) : 0;
  const Int128 subtracted = mean + constant_part(matrix, shift, mean, open);
  if (subtracted == 0) return 0;
  for (std::size_t i = 0; i < cells.values.size(); ++i) {
    if (cells.is_barred(i)) continue;
    const Int128 difference = cells.values[i] - subtracted;
    if (difference != static_cast<std::int64_t>(difference)) fail_wide(name, cells, i);
    cells.values[i] = static_cast<std::int64_t>(difference);
  }
  return subtracted;
}

}  // namespace gpuhmm
