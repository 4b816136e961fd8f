// Finds segments of vectors of integers or real numbers, with exact sums wherever 128 bits suffice.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "companion/segments/engine.hpp"
#include "util/int128.hpp"

namespace gpuhmm {

/// The segments found in a vector.
struct VectorSegments {
  /// The best segment (none if no element is positive) or all maximal ones, in order. For integer scores, the
  /// sum is exactly score * 2^exponent. Scores are double if the elements differ too much in magnitude for
  /// 128 bits. Sums of double precision, added in the order of the elements, then decide the segments, so
  /// their sums are within n * 2^-52 * (sum of the absolute values) of the exact answer's; each score is the
  /// sum of its segment rounded once.
  std::variant<std::vector<Segment<std::int64_t>>, std::vector<Segment<Int128>>, std::vector<Segment<double>>>
      found;
  int exponent = 0;
};

/// Whether the best or all segments are wanted.
enum class SegmentGoal { Best, All };

/// Searches a vector. T: std::int32_t, std::int64_t, float or double. Floating-point numbers are taken as
/// integer multiples of a power of two. `engine` searches vectors whose sums fit 64 bits; else the plain
/// algorithms run on `threads` host threads, with 128 bits or, if these do not suffice, in double precision
/// on one thread. Throws std::invalid_argument for NaN and infinity (with the position), and if sums exceed
/// the range of double.
template <class T>
VectorSegments search_vector(std::span<const T> values, SegmentGoal goal, SegmentEngine& engine,
                             unsigned threads);

/// The exact sum of `values`, rounded once to the nearest double (Shewchuk 1997).
double rounded_sum(std::span<const double> values);

/// The text of score * 2^exponent: the exact integer if the exponent is 0, else the nearest double in its
/// shortest form.
std::string sum_text(Int128 score, int exponent);

}  // namespace gpuhmm
