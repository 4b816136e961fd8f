// Loops that the compiler turns into vector code, a copy for each instruction set; see the header.
#include "reduce/lanes.hpp"

#include <bit>
#include <limits>

#include "plan7/vector_clones.hpp"
#include "reduce/order_keys.hpp"

namespace gpuhmm {

namespace {

#define GPUHMM_INLINE [[gnu::always_inline]] inline

template <bool Maximum, class Key>
GPUHMM_INLINE Key winner(Key a, Key b) {
  return Maximum ? (a > b ? a : b) : (a < b ? a : b);
}

// Eight rows a step, so that the accumulators are read and written once for eight elements.
template <bool Maximum, class T>
GPUHMM_INLINE void extremes(OrderKey<T> nan, const T* rows, std::size_t count, std::size_t width,
                            OrderKey<T>* best) {
  constexpr std::size_t kStep = 8;
  std::size_t row = 0;
  for (; row + kStep <= count; row += kStep) {
    const T* const at = rows + row * width;
    GPUHMM_INDEPENDENT_ITERATIONS
    for (std::size_t j = 0; j < width; ++j) {
      const auto key = [&](std::size_t k) { return order_key(at[k * width + j], nan); };
      const auto low = winner<Maximum>(winner<Maximum>(key(0), key(1)), winner<Maximum>(key(2), key(3)));
      const auto high = winner<Maximum>(winner<Maximum>(key(4), key(5)), winner<Maximum>(key(6), key(7)));
      best[j] = winner<Maximum>(best[j], winner<Maximum>(low, high));
    }
  }
  for (; row < count; ++row) {
    const T* const at = rows + row * width;
    GPUHMM_INDEPENDENT_ITERATIONS
    for (std::size_t j = 0; j < width; ++j) best[j] = winner<Maximum>(best[j], order_key(at[j], nan));
  }
}

template <class T>
GPUHMM_INLINE void extremes(const ExtremeRule& rule, const T* rows, std::size_t count, std::size_t width,
                            OrderKey<T>* best) {
  const auto nan = nan_key<OrderKey<T>>(rule.maximum, rule.ignore_nan);
  if (rule.maximum) {
    extremes<true>(nan, rows, count, width, best);
  } else {
    extremes<false>(nan, rows, count, width, best);
  }
}

// NaN is told by its bits: a comparison of numbers would keep the compiler from using vectors.
template <class T>
GPUHMM_INLINE bool is_nan(T value) {
  using Key = OrderKey<T>;
  constexpr Key kMagnitude = std::numeric_limits<Key>::max();
  return (std::bit_cast<Key>(value) & kMagnitude) > std::bit_cast<Key>(std::numeric_limits<T>::infinity());
}

template <bool IgnoreNan, class T>
GPUHMM_INLINE double term(T value) {
  using Key = OrderKey<T>;
  constexpr Key kMinusZero = std::numeric_limits<Key>::min();
  const Key bits = std::bit_cast<Key>(value);
  return std::bit_cast<T>(IgnoreNan && is_nan(value) ? kMinusZero : bits);
}

template <bool IgnoreNan, class T>
GPUHMM_INLINE void eight(const T* const* rows, std::size_t width, double* sums) {
  const T *r0 = rows[0], *r1 = rows[1], *r2 = rows[2], *r3 = rows[3];
  const T *r4 = rows[4], *r5 = rows[5], *r6 = rows[6], *r7 = rows[7];
  GPUHMM_INDEPENDENT_ITERATIONS
  for (std::size_t j = 0; j < width; ++j) {
    const double s0 = term<IgnoreNan>(r0[j]) + term<IgnoreNan>(r4[j]);
    const double s1 = term<IgnoreNan>(r1[j]) + term<IgnoreNan>(r5[j]);
    const double s2 = term<IgnoreNan>(r2[j]) + term<IgnoreNan>(r6[j]);
    const double s3 = term<IgnoreNan>(r3[j]) + term<IgnoreNan>(r7[j]);
    sums[j] = (s0 + s2) + (s1 + s3);
  }
}

template <class T>
GPUHMM_INLINE void eight(const T* const* rows, std::size_t width, bool ignore_nan, double* sums) {
  if (ignore_nan) {
    eight<true>(rows, width, sums);
  } else {
    eight<false>(rows, width, sums);
  }
}

template <class T>
GPUHMM_INLINE void numbers(const T* rows, std::size_t count, std::size_t width, std::uint32_t* counts) {
  for (std::size_t row = 0; row < count; ++row) {
    const T* const at = rows + row * width;
    for (std::size_t j = 0; j < width; ++j) counts[j] += is_nan(at[j]) ? 0U : 1U;
  }
}

}  // namespace

GPUHMM_VECTOR_CLONES void take_extremes(const ExtremeRule& rule, const std::int32_t* rows, std::size_t count,
                                        std::size_t width, std::int32_t* best) {
  extremes(rule, rows, count, width, best);
}
GPUHMM_VECTOR_CLONES void take_extremes(const ExtremeRule& rule, const std::int64_t* rows, std::size_t count,
                                        std::size_t width, std::int64_t* best) {
  extremes(rule, rows, count, width, best);
}
GPUHMM_VECTOR_CLONES void take_extremes(const ExtremeRule& rule, const float* rows, std::size_t count,
                                        std::size_t width, std::int32_t* best) {
  extremes(rule, rows, count, width, best);
}
GPUHMM_VECTOR_CLONES void take_extremes(const ExtremeRule& rule, const double* rows, std::size_t count,
                                        std::size_t width, std::int64_t* best) {
  extremes(rule, rows, count, width, best);
}

GPUHMM_VECTOR_CLONES void add_rows(const std::int32_t* rows, std::size_t count, std::size_t width,
                                   std::int64_t* sums) {
  constexpr std::size_t kStep = 8;
  std::size_t row = 0;
  for (; row + kStep <= count; row += kStep) {
    const std::int32_t* const at = rows + row * width;
    GPUHMM_INDEPENDENT_ITERATIONS
    for (std::size_t j = 0; j < width; ++j) {
      const auto value = [&](std::size_t k) { return std::int64_t{at[k * width + j]}; };
      sums[j] +=
          ((value(0) + value(1)) + (value(2) + value(3))) + ((value(4) + value(5)) + (value(6) + value(7)));
    }
  }
  for (; row < count; ++row) {
    for (std::size_t j = 0; j < width; ++j) sums[j] += rows[row * width + j];
  }
}

GPUHMM_VECTOR_CLONES void add_rows(const std::int64_t* rows, std::size_t count, std::size_t width,
                                   std::int64_t* low_sums, std::int64_t* high_sums) {
  constexpr std::int64_t kLow = 0xffffffff;
  std::size_t row = 0;
  for (; row + 4 <= count; row += 4) {
    const std::int64_t* const at = rows + row * width;
    GPUHMM_INDEPENDENT_ITERATIONS
    for (std::size_t j = 0; j < width; ++j) {
      const std::int64_t a = at[j], b = at[width + j], c = at[2 * width + j], d = at[3 * width + j];
      low_sums[j] += ((a & kLow) + (b & kLow)) + ((c & kLow) + (d & kLow));
      high_sums[j] += ((a >> 32) + (b >> 32)) + ((c >> 32) + (d >> 32));
    }
  }
  for (; row < count; ++row) {
    for (std::size_t j = 0; j < width; ++j) {
      low_sums[j] += rows[row * width + j] & kLow;
      high_sums[j] += rows[row * width + j] >> 32;
    }
  }
}

GPUHMM_VECTOR_CLONES void add_eight(const float* const* rows, std::size_t width, bool ignore_nan,
                                    double* sums) {
  eight(rows, width, ignore_nan, sums);
}
GPUHMM_VECTOR_CLONES void add_eight(const double* const* rows, std::size_t width, bool ignore_nan,
                                    double* sums) {
  eight(rows, width, ignore_nan, sums);
}

GPUHMM_VECTOR_CLONES void fold_rows(double* sums, std::size_t rows, std::size_t width) {
  for (std::size_t half = rows / 2; half > 0; half /= 2) {
    GPUHMM_INDEPENDENT_ITERATIONS
    for (std::size_t j = 0; j < half * width; ++j) sums[j] += sums[half * width + j];
  }
}

GPUHMM_VECTOR_CLONES void count_numbers(const float* rows, std::size_t count, std::size_t width,
                                        std::uint32_t* counts) {
  numbers(rows, count, width, counts);
}
GPUHMM_VECTOR_CLONES void count_numbers(const double* rows, std::size_t count, std::size_t width,
                                        std::uint32_t* counts) {
  numbers(rows, count, width, counts);
}

}  // namespace gpuhmm
