// Chooses the arithmetic that can hold all sums of a vector.
#include "companion/segments/vector_segments.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "companion/segments/blocks.hpp"
#include "companion/segments/summary.hpp"
#include "formats/numbers/number_text.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kBlock = std::size_t{1} << 18;  // elements that a thread takes at a time
constexpr Int128 kMost64 = std::numeric_limits<std::int64_t>::max();

// Magnitudes of the elements of a block or vector, which decide the arithmetic.
struct Measures {
  Int128 positive = 0, negative = 0;  // integers: magnitudes of the sums of either sign
  double absolute = 0;                // floating-point: sum of the absolute values, rounded up slightly
  int exponent = std::numeric_limits<int>::max();  // floating-point: all are multiples of 2^exponent
};

// The largest e such that the number, not 0, is a multiple of 2^e.
int unit_exponent(double value) {
  constexpr int kMantissaBits = 53;
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  const auto digits = static_cast<std::int64_t>(std::ldexp(mantissa, kMantissaBits));
  return exponent - kMantissaBits + std::countr_zero(static_cast<std::uint64_t>(digits));
}

template <class T>
Measures measure(std::span<const T> values, std::uint64_t offset) {
  Measures m;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if constexpr (std::is_integral_v<T>) {
      const Int128 value = values[i];
      (value > 0 ? m.positive : m.negative) += value > 0 ? value : -value;
    } else {
      const double value = values[i];
      if (!std::isfinite(value)) {
        throw std::invalid_argument("element " + std::to_string(offset + i) + " is not a finite number");
      }
      if (value == 0) continue;
      m.absolute += std::fabs(value);
      m.exponent = std::min(m.exponent, unit_exponent(value));
    }
  }
  return m;
}

template <class T>
Measures measure_all(std::span<const T> values, unsigned threads) {
  std::vector<Measures> blocks((values.size() + kBlock - 1) / kBlock);
  parallel_for(threads, blocks.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const std::size_t begin = i * kBlock;
      blocks[i] = measure(values.subspan(begin, std::min(kBlock, values.size() - begin)), begin);
    }
  });
  Measures all;
  for (const Measures& block : blocks) {
    all.positive += block.positive;
    all.negative += block.negative;
    all.absolute += block.absolute;
    all.exponent = std::min(all.exponent, block.exponent);
  }
  // Makes up for the rounding at each step.
  all.absolute *= 1 + static_cast<double>(values.size() + 1) * std::numeric_limits<double>::epsilon();
  return all;
}

// Converts a floating-point number to an integer multiple of 2^exponent.
template <class Score>
class InUnits {
 public:
  explicit InUnits(int exponent)
      : first_(std::ldexp(1.0, -exponent / 2)), second_(std::ldexp(1.0, -exponent + exponent / 2)) {}
  Score operator()(double value) const { return static_cast<Score>(value * first_ * second_); }

 private:
  double first_, second_;  // two factors: one alone could be infinite
};

// The summary of a block by one pass.
template <class Score, class T, class Convert>
BlockSummary<Score> summarise(std::span<const T> values, std::uint64_t offset, const Convert& convert) {
  BlockSummary<Score> block;
  Score lowest{};
  std::uint64_t lowest_at = offset;
  for (std::size_t i = 0; i < values.size(); ++i) {
    block.total += convert(values[i]);
    const std::uint64_t end = offset + i + 1;
    if (block.total > block.prefix) {
      block.prefix = block.total;
      block.prefix_end = end;
    }
    if (block.total - lowest > block.best.score) block.best = {lowest_at, end, block.total - lowest};
    if (block.total <= lowest) {
      lowest = block.total;
      lowest_at = end;
    }
  }
  block.suffix = block.total - lowest;
  block.suffix_begin = lowest_at;
  return block;
}

template <class Score, class T, class Convert>
std::vector<Segment<Score>> search_plainly(std::span<const T> values, SegmentGoal goal, unsigned threads,
                                           const Convert& convert) {
  if (goal == SegmentGoal::All) {
    return join_blocks<Score>(segment_blocks<Score>(values, kBlock, threads, convert));
  }
  std::vector<BlockSummary<Score>> blocks((values.size() + kBlock - 1) / kBlock);
  parallel_for(threads, blocks.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const std::size_t begin = i * kBlock;
      blocks[i] =
          summarise<Score>(values.subspan(begin, std::min(kBlock, values.size() - begin)), begin, convert);
    }
  });
  BlockSummary<Score> whole;
  for (const BlockSummary<Score>& block : blocks) whole = merge(whole, block);
  if (whole.best.empty()) return {};
  return {whole.best};
}

template <class T>
std::vector<Segment<std::int64_t>> search_by(SegmentEngine& engine, std::span<const T> values,
                                             SegmentGoal goal) {
  if (goal == SegmentGoal::All) return engine.all(values);
  const Segment<std::int64_t> best = engine.best(values);
  if (best.empty()) return {};
  return {best};
}

template <class T>
VectorSegments search_integers(std::span<const T> values, SegmentGoal goal, SegmentEngine& engine,
                               unsigned threads) {
  constexpr std::uint64_t kAlwaysSafe = std::uint64_t{1} << 31;  // sums of so many int32 fit 64 bits
  if (sizeof(T) > sizeof(std::int32_t) || values.size() > kAlwaysSafe) {
    const Measures measures = measure_all(values, threads);
    if (measures.positive > kMost64 || measures.negative > kMost64) {
      return {search_plainly<Int128>(values, goal, threads, AsScore<Int128>{}), 0};
    }
  }
  return {search_by(engine, values, goal), 0};
}

// Searches in double precision. Rounding depends on the order of additions, so one thread adds in the order
// of the elements.
template <class T>
VectorSegments search_rounded(std::span<const T> values, SegmentGoal goal) {
  std::vector<Segment<double>> found;
  if (goal == SegmentGoal::All) {
    found = maximal_segments<double>(values);
  } else if (const Segment<double> best = best_segment<double>(values); !best.empty()) {
    found.push_back(best);
  }
  for (Segment<double>& segment : found) {
    const auto part = values.subspan(segment.begin, segment.length());
    segment.score = rounded_sum(std::vector<double>(part.begin(), part.end()));
  }
  return {found, 0};
}

template <class T>
VectorSegments search_floating(std::span<const T> values, SegmentGoal goal, SegmentEngine& engine,
                               unsigned threads) {
  Measures measures = measure_all(values, threads);
  if (measures.absolute == 0) return {std::vector<Segment<std::int64_t>>{}, 0};
  if (!std::isfinite(measures.absolute)) throw std::invalid_argument("sums of the numbers leave float64");
  int most = 0;
  std::frexp(measures.absolute, &most);                                 // all sums are below 2^most
  if (most <= 127) measures.exponent = std::min(measures.exponent, 0);  // integers keep their values
  const int bits = most - measures.exponent;
  if (bits <= 63) {
    const InUnits<std::int64_t> convert(measures.exponent);
    std::vector<std::int64_t> units(values.size());
    std::transform(values.begin(), values.end(), units.begin(), convert);
    return {search_by(engine, std::span<const std::int64_t>(units), goal), measures.exponent};
  }
  if (bits <= 127) {
    return {search_plainly<Int128>(values, goal, threads, InUnits<Int128>(measures.exponent)),
            measures.exponent};
  }
  return search_rounded(values, goal);
}

}  // namespace

template <class T>
VectorSegments search_vector(std::span<const T> values, SegmentGoal goal, SegmentEngine& engine,
                             unsigned threads) {
  if constexpr (std::is_integral_v<T>) {
    return search_integers(values, goal, engine, threads);
  } else {
    return search_floating(values, goal, engine, threads);
  }
}

#define GPUHMM_FOR_TYPE(T) \
  template VectorSegments search_vector(std::span<const T>, SegmentGoal, SegmentEngine&, unsigned)
GPUHMM_FOR_TYPE(std::int32_t);
GPUHMM_FOR_TYPE(std::int64_t);
GPUHMM_FOR_TYPE(float);
GPUHMM_FOR_TYPE(double);
#undef GPUHMM_FOR_TYPE

double rounded_sum(std::span<const double> values) {
  // Partial sums whose bits do not overlap, smallest first (Shewchuk 1997).
  std::vector<double> parts;
  for (double value : values) {
    std::size_t kept = 0;
    for (double part : parts) {
      if (std::fabs(value) < std::fabs(part)) std::swap(value, part);
      const double high = value + part;
      const double low = part - (high - value);
      if (low != 0) parts[kept++] = low;
      value = high;
    }
    parts.resize(kept);
    parts.push_back(value);
  }
  // Adds them from the largest down until one leaves a rest. If the rest is half a unit in the last place,
  // the sign of the next smaller sum decides the direction of rounding.
  double sum = 0, rest = 0;
  while (!parts.empty() && rest == 0) {
    const double before = sum, part = parts.back();
    parts.pop_back();
    sum = before + part;
    rest = part - (sum - before);
  }
  if (rest != 0 && !parts.empty() && std::signbit(rest) == std::signbit(parts.back())) {
    const double twice = 2 * rest, rounded = sum + twice;
    if (rounded - sum == twice) sum = rounded;
  }
  return sum;
}

std::string sum_text(Int128 score, int exponent) {
  if (exponent == 0) return to_string(score);
  return number_text(std::ldexp(static_cast<double>(score), exponent));
}

}  // namespace gpuhmm
