// Loops over rows that the compiler vectorises for each instruction set.
#include "companion/reduce/row_loops.hpp"

#include <bit>
#include <limits>

#include "simd/independent_iterations.hpp"

#define HWY_TARGET_INCLUDE "companion/reduce/row_loops.cpp"
#include "simd/foreach_target.hpp"
// For each instruction set:
#include "companion/reduce/row_walk-inl.hpp"

// Put after the parameters of a lambda: it is inlined into the loop that calls it.
#undef GPUHMM_INLINE_LAMBDA
#define GPUHMM_INLINE_LAMBDA __attribute__((always_inline))

// Put before a loop of few iterations: keeps the compiler from unrolling it, because it would then not be
// vectorised.
#undef GPUHMM_KEEP_LOOP
#if defined(__GNUC__) && !defined(__clang__)
#define GPUHMM_KEEP_LOOP _Pragma("GCC unroll 1")
#else
#define GPUHMM_KEEP_LOOP
#endif

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::HWY_NAMESPACE {
namespace {

// Numbers of a row that a step takes: two vectors of the widest instruction set.
template <class T>
constexpr std::size_t kChunk = 128 / sizeof(T);
constexpr std::size_t kEightChunk = 8;

// Rows that a step takes: more of long rows, because their accumulators are not in the first-level cache.
constexpr std::size_t kShortDepth = 2, kLongDepth = 8;

template <bool Maximum, class Key>
HWY_INLINE Key winner(Key a, Key b) {
  return Maximum ? (a > b ? a : b) : (a < b ? a : b);
}

template <std::size_t Depth, bool Maximum, class T>
HWY_INLINE void extremes_of(OrderKey<T> nan, const T* at, std::size_t width, OrderKey<T>* best) {
  walk_rows<Depth, kChunk<T>>(at, width, width,
                              [=](const T* rows, std::size_t first, std::size_t count) GPUHMM_INLINE_LAMBDA {
                                GPUHMM_INDEPENDENT_ITERATIONS
                                for (std::size_t j = first; j < first + count; ++j) {
                                  OrderKey<T> key = best[j];
                                  for (std::size_t k = 0; k < Depth; ++k) {
                                    key = winner<Maximum>(key, order_key(rows[k * width + j], nan));
                                  }
                                  best[j] = key;
                                }
                              });
}

template <bool Maximum, class T>
HWY_INLINE void extremes(OrderKey<T> nan, const T* rows, std::size_t count, std::size_t width,
                         OrderKey<T>* best) {
  std::size_t row = 0;
  if (width * sizeof(T) > kShortRowBytes) {
    for (; row + kLongDepth <= count; row += kLongDepth) {
      extremes_of<kLongDepth, Maximum>(nan, rows + row * width, width, best);
    }
  }
  for (; row + kShortDepth <= count; row += kShortDepth) {
    extremes_of<kShortDepth, Maximum>(nan, rows + row * width, width, best);
  }
  for (; row < count; ++row) extremes_of<1, Maximum>(nan, rows + row * width, width, best);
}

template <class T>
void extremes(const ExtremeRule& rule, const T* rows, std::size_t count, std::size_t width,
              OrderKey<T>* best) {
  const auto nan = nan_key<OrderKey<T>>(rule.maximum, rule.ignore_nan);
  if (rule.maximum) {
    extremes<true>(nan, rows, count, width, best);
  } else {
    extremes<false>(nan, rows, count, width, best);
  }
}

// Recognises NaN by its bits, because a floating-point comparison would prevent vectorisation.
template <class T>
HWY_INLINE bool is_nan(T value) {
  using Key = OrderKey<T>;
  constexpr Key kMagnitude = std::numeric_limits<Key>::max();
  return (std::bit_cast<Key>(value) & kMagnitude) > std::bit_cast<Key>(std::numeric_limits<T>::infinity());
}

template <bool IgnoreNan, class T>
HWY_INLINE double term(T value) {
  using Key = OrderKey<T>;
  constexpr Key kMinusZero = std::numeric_limits<Key>::min();
  const Key bits = std::bit_cast<Key>(value);
  return std::bit_cast<T>(IgnoreNan && is_nan(value) ? kMinusZero : bits);
}

template <bool IgnoreNan, class T>
HWY_INLINE void eight_columns(const T* rows, std::size_t stride, std::size_t first, std::size_t count,
                              double* sums) {
  GPUHMM_INDEPENDENT_ITERATIONS
  GPUHMM_KEEP_LOOP
  for (std::size_t j = first; j < first + count; ++j) {
    const auto row = [=](std::size_t k)
                         GPUHMM_INLINE_LAMBDA { return term<IgnoreNan>(rows[k * stride + j]); };
    sums[j] = ((row(0) + row(1)) + (row(2) + row(3))) + ((row(4) + row(5)) + (row(6) + row(7)));
  }
}

template <bool IgnoreNan, class T>
HWY_INLINE void eight(const T* rows, std::size_t stride, std::size_t width, double* sums) {
  walk_rows<kEight, kEightChunk>(rows, width, stride,
                                 [=](const T* at, std::size_t first, std::size_t count) GPUHMM_INLINE_LAMBDA {
                                   eight_columns<IgnoreNan>(at, stride, first, count, sums);
                                 });
}

template <class T>
void eight(const T* rows, std::size_t stride, std::size_t width, bool ignore_nan, double* sums) {
  if (ignore_nan) {
    eight<true>(rows, stride, width, sums);
  } else {
    eight<false>(rows, stride, width, sums);
  }
}

template <std::size_t Depth, class T, class Sum>
HWY_INLINE void add_some(const T* at, std::size_t width, Sum* sums, Sum* uppers) {
  constexpr int kHalf = 4 * sizeof(Sum);
  constexpr Sum kHighest = Sum{1} << (2 * kHalf - 1);
  walk_rows<Depth, kChunk<T>>(at, width, width,
                              [=](const T* rows, std::size_t first, std::size_t count) GPUHMM_INLINE_LAMBDA {
                                GPUHMM_INDEPENDENT_ITERATIONS
                                for (std::size_t j = first; j < first + count; ++j) {
                                  Sum sum = sums[j], upper = uppers[j];
                                  for (std::size_t k = 0; k < Depth; ++k) {
                                    const Sum number = static_cast<Sum>(rows[k * width + j]);
                                    sum += number;
                                    upper += (number ^ kHighest) >> kHalf;
                                  }
                                  sums[j] = sum;
                                  uppers[j] = upper;
                                }
                              });
}

template <class T>
void integers(const T* rows, std::size_t count, std::size_t width, std::make_unsigned_t<T>* sums,
              std::make_unsigned_t<T>* uppers) {
  std::size_t row = 0;
  if (width * sizeof(T) > kShortRowBytes) {
    for (; row + kLongDepth <= count; row += kLongDepth) {
      add_some<kLongDepth>(rows + row * width, width, sums, uppers);
    }
  }
  for (; row + kShortDepth <= count; row += kShortDepth) {
    add_some<kShortDepth>(rows + row * width, width, sums, uppers);
  }
  for (; row < count; ++row) add_some<1>(rows + row * width, width, sums, uppers);
}

template <class T>
void numbers(const T* rows, std::size_t count, std::size_t width, std::uint32_t* counts) {
  for (std::size_t row = 0; row < count; ++row) {
    const T* const at = rows + row * width;
    for (std::size_t j = 0; j < width; ++j) counts[j] += is_nan(at[j]) ? 0U : 1U;
  }
}

void eight_sums(const double* rows, std::size_t width, double* sums) {
  eight_columns<false>(rows, width, 0, width, sums);
}

void halves(double* sums, std::size_t rows, std::size_t width) {
  for (std::size_t half = rows / 2; half > 0; half /= 2) {
    GPUHMM_INDEPENDENT_ITERATIONS
    for (std::size_t j = 0; j < half * width; ++j) sums[j] += sums[half * width + j];
  }
}

}  // namespace
}  // namespace gpuhmm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm {

template <class T>
void take_extremes(const ExtremeRule& rule, const T* rows, std::size_t count, std::size_t width,
                   OrderKey<T>* best) {
  GPUHMM_SIMD_TABLE_T(extremes, extremes<T>);
  GPUHMM_SIMD_CALL(extremes)(rule, rows, count, width, best);
}

template <std::integral T>
void add_rows(const T* rows, std::size_t count, std::size_t width, std::make_unsigned_t<T>* sums,
              std::make_unsigned_t<T>* uppers) {
  GPUHMM_SIMD_TABLE_T(integers, integers<T>);
  GPUHMM_SIMD_CALL(integers)(rows, count, width, sums, uppers);
}

template <std::floating_point T>
void add_eight(const T* rows, std::size_t stride, std::size_t width, bool ignore_nan, double* sums) {
  GPUHMM_SIMD_TABLE_T(eight, eight<T>);
  GPUHMM_SIMD_CALL(eight)(rows, stride, width, ignore_nan, sums);
}

GPUHMM_SIMD_TABLE(eight_sums);
void fold_eight(const double* rows, std::size_t width, double* sums) {
  GPUHMM_SIMD_CALL(eight_sums)(rows, width, sums);
}

GPUHMM_SIMD_TABLE(halves);
void fold_rows(double* sums, std::size_t rows, std::size_t width) {
  GPUHMM_SIMD_CALL_FEW_REGISTERS(halves)(sums, rows, width);
}

template <std::floating_point T>
void count_numbers(const T* rows, std::size_t count, std::size_t width, std::uint32_t* counts) {
  GPUHMM_SIMD_TABLE_T(numbers, numbers<T>);
  GPUHMM_SIMD_CALL_FEW_REGISTERS(numbers)(rows, count, width, counts);
}

#define GPUHMM_FOR_TYPE(T) \
  template void take_extremes(const ExtremeRule&, const T*, std::size_t, std::size_t, OrderKey<T>*)
GPUHMM_FOR_TYPE(std::int32_t);
GPUHMM_FOR_TYPE(std::int64_t);
GPUHMM_FOR_TYPE(float);
GPUHMM_FOR_TYPE(double);
#undef GPUHMM_FOR_TYPE
template void add_rows(const std::int32_t*, std::size_t, std::size_t, std::uint32_t*, std::uint32_t*);
template void add_rows(const std::int64_t*, std::size_t, std::size_t, std::uint64_t*, std::uint64_t*);
template void add_eight(const float*, std::size_t, std::size_t, bool, double*);
template void add_eight(const double*, std::size_t, std::size_t, bool, double*);
template void count_numbers(const float*, std::size_t, std::size_t, std::uint32_t*);
template void count_numbers(const double*, std::size_t, std::size_t, std::uint32_t*);

}  // namespace gpuhmm
#endif
