// Loops that the compiler turns into vector code, a copy for each instruction set; see the header.
#include "reduce/lanes.hpp"

#include <type_traits>

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

template <bool IgnoreNan, class T>
GPUHMM_INLINE double term(T value) {
  return IgnoreNan && value != value ? -0.0 : static_cast<double>(value);
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
    for (std::size_t j = 0; j < width; ++j) counts[j] += at[j] == at[j] ? 1U : 0U;
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
  constexpr std::size_t kStep = 4;
  std::size_t row = 0;
  for (; row + kStep <= count; row += kStep) {
    const std::int32_t* const at = rows + row * width;
    GPUHMM_INDEPENDENT_ITERATIONS
    for (std::size_t j = 0; j < width; ++j) {
      sums[j] +=
          (std::int64_t{at[j]} + at[width + j]) + (std::int64_t{at[2 * width + j]} + at[3 * width + j]);
    }
  }
  for (; row < count; ++row) {
    for (std::size_t j = 0; j < width; ++j) sums[j] += rows[row * width + j];
  }
}

GPUHMM_VECTOR_CLONES void add_rows(const std::int64_t* rows, std::size_t count, std::size_t width,
                                   std::int64_t* low_sums, std::int64_t* high_sums) {
  for (std::size_t row = 0; row < count; ++row) {
    const std::int64_t* const at = rows + row * width;
    GPUHMM_INDEPENDENT_ITERATIONS
    for (std::size_t j = 0; j < width; ++j) {
      low_sums[j] += at[j] & 0xffffffff;
      high_sums[j] += at[j] >> 32;
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
