// Computes ranks by radix sort, and summands whose sums are exact.
#include "companion/subsequence/ranked_vector.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <type_traits>

namespace gpuhmm {

namespace {

// Maps values to unsigned numbers in the same order; -0 and +0 are equal.
template <class T>
std::uint64_t order_key(T value) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  if constexpr (std::is_floating_point_v<T>) {
    const auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(value) + 0.0);
    return (bits & kSign) != 0 ? ~bits : bits | kSign;
  } else {
    return static_cast<std::uint64_t>(std::int64_t{value}) ^ kSign;
  }
}

struct Keyed {
  std::uint64_t key;
  std::int32_t index;
};

constexpr unsigned kDigitBits = 11;
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;

// Stable sort by the lowest `bits` bits of the keys, least significant digit first.
void radix_sort(std::vector<Keyed>& items, unsigned bits) {
  std::vector<Keyed> sorted(items.size());
  for (unsigned shift = 0; shift < bits; shift += kDigitBits) {
    std::array<std::size_t, kDigits> places{};
    const auto digit = [shift](const Keyed& item) { return item.key >> shift & (kDigits - 1); };
    for (const Keyed& item : items) ++places[digit(item)];
    std::exclusive_scan(places.begin(), places.end(), places.begin(), std::size_t{0});
    for (const Keyed& item : items) sorted[places[digit(item)]++] = item;
    items.swap(sorted);
  }
}

// Bound of the sum of `elements` values, each at most `most`, that together sum to `all`.
double reach(double most, double all, std::uint64_t elements) {
  return std::min(all, most * static_cast<double>(elements));
}

// Stores `count` summands in the narrowest type for sums up to `bound`, which may be off by a few units in
// the last place. value(i) is summand i as a 128-bit integer.
template <class Value>
Summands integers(std::size_t count, double bound, const Value& value) {
  const auto fill = [&](auto summands) {
    using Sum = typename decltype(summands)::value_type;
    summands.resize(count);
    for (std::size_t i = 0; i < count; ++i) summands[i] = static_cast<Sum>(value(i));
    return Summands(std::move(summands));
  };
  if (bound < 0x1p31 - 1) return fill(std::vector<std::int32_t>());
  if (bound < 0x1p63 * 0.999) return fill(std::vector<std::int64_t>());
  return fill(std::vector<Int128>());
}

// A real number as mantissa * 2^exponent; the mantissa is odd, or 0 for the number 0.
struct OddMantissa {
  std::int64_t mantissa = 0;
  int exponent = 0;
};

OddMantissa odd_mantissa(double value) {
  if (value == 0) return {};
  int exponent = 0;
  const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  const int zeros = std::countr_zero(static_cast<std::uint64_t>(mantissa));
  return {mantissa >> zeros, exponent - 53 + zeros};
}

// The exponent of the largest power of two of which all values are multiples; 0 if all values are 0.
template <class T>
int common_exponent(std::span<const T> values) {
  constexpr int kNone = std::numeric_limits<int>::max();
  int least = kNone;
  for (const T value : values) {
    if (value != 0) least = std::min(least, odd_mantissa(value).exponent);
  }
  return least == kNone ? 0 : least;
}

Int128 whole(double value, int exponent) {
  const OddMantissa parts = odd_mantissa(value);
  return parts.mantissa == 0 ? Int128{0}
                             : Int128{parts.mantissa} * (Int128{1} << (parts.exponent - exponent));
}

// The largest magnitude of the values and the sum of all magnitudes.
struct Magnitudes {
  double most = 0, all = 0;
};

template <class T>
Magnitudes magnitudes(std::span<const T> values) {
  Magnitudes result;
  for (const T value : values) {
    const double magnitude = std::abs(static_cast<double>(value));
    result.most = std::max(result.most, magnitude);
    result.all += magnitude;
  }
  return result;
}

bool fits_128_bits(double bound) { return bound < 0x1p127 * 0.999; }

}  // namespace

template <class T>
std::vector<std::int32_t> follower_ranks(std::span<const T> values, bool non_decreasing) {
  const std::size_t count = values.size();
  if (count > std::numeric_limits<std::int32_t>::max()) {
    throw std::length_error("a vector of 2^31 elements or more; expected fewer");
  }
  std::uint64_t low = std::numeric_limits<std::uint64_t>::max(), high = 0;
  for (const T value : values) {
    low = std::min(low, order_key(value));
    high = std::max(high, order_key(value));
  }
  // The sort is stable, so equal elements keep the order in which they enter: first to last, or last to
  // first.
  std::vector<Keyed> items(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t from = non_decreasing ? i : count - 1 - i;
    items[i] = {order_key(values[from]) - low, static_cast<std::int32_t>(from)};
  }
  if (count > 0) radix_sort(items, static_cast<unsigned>(std::bit_width(high - low)));
  std::vector<std::int32_t> ranks(count);
  for (std::size_t i = 0; i < count; ++i) ranks[items[i].index] = static_cast<std::int32_t>(i);
  return ranks;
}

std::size_t longest_increasing(std::span<const std::int32_t> ranks) {
  std::vector<std::int32_t> ends;  // by length: lowest last rank of a subsequence
  for (const std::int32_t rank : ranks) {
    const auto place = std::lower_bound(ends.begin(), ends.end(), rank);
    if (place == ends.end()) {
      ends.push_back(rank);
    } else {
      *place = rank;
    }
  }
  return ends.size();
}

template <class T>
Summands exact_summands(std::span<const T> values, std::uint64_t elements) {
  const auto [most, all] = magnitudes(values);
  if constexpr (std::is_floating_point_v<T>) {
    const int exponent = common_exponent(values);
    const double bound = reach(std::ldexp(most, -exponent), std::ldexp(all, -exponent), elements);
    if (!fits_128_bits(bound)) return std::vector<double>(values.begin(), values.end());
    return integers(values.size(), bound, [&](std::size_t i) { return whole(values[i], exponent); });
  } else {
    return integers(values.size(), reach(most, all, elements),
                    [&](std::size_t i) { return Int128{values[i]}; });
  }
}

template <class T>
std::variant<Int128, double> total(std::span<const T> values) {
  Int128 sum = 0;
  if constexpr (std::is_floating_point_v<T>) {
    const int exponent = common_exponent(values);
    if (!fits_128_bits(std::ldexp(magnitudes(values).all, -exponent))) {
      return std::accumulate(values.rbegin(), values.rend(), 0.0);
    }
    for (const T value : values) sum += whole(value, exponent);
    return std::ldexp(static_cast<double>(sum), exponent);
  } else {
    for (const T value : values) sum += value;
    return sum;
  }
}

const char* summand_name(const Summands& summands) {
  constexpr const char* kNames[] = {"32-bit integers", "64-bit integers", "128-bit integers",
                                    "double precision"};
  return kNames[summands.index()];
}

template std::vector<std::int32_t> follower_ranks(std::span<const std::int32_t>, bool);
template std::vector<std::int32_t> follower_ranks(std::span<const std::int64_t>, bool);
template std::vector<std::int32_t> follower_ranks(std::span<const float>, bool);
template std::vector<std::int32_t> follower_ranks(std::span<const double>, bool);
template Summands exact_summands(std::span<const std::int32_t>, std::uint64_t);
template Summands exact_summands(std::span<const std::int64_t>, std::uint64_t);
template Summands exact_summands(std::span<const float>, std::uint64_t);
template Summands exact_summands(std::span<const double>, std::uint64_t);
template std::variant<Int128, double> total(std::span<const std::int32_t>);
template std::variant<Int128, double> total(std::span<const std::int64_t>);
template std::variant<Int128, double> total(std::span<const float>);
template std::variant<Int128, double> total(std::span<const double>);

}  // namespace gpuhmm
