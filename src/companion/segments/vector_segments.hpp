// The segments of a vector of any of the four number types, with sums that are exact or said not to be.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "companion/segments/engine.hpp"
#include "util/int128.hpp"

namespace gpuhmm {

/// What is found in a vector.
struct VectorSegments {
  /// The best one (none if nothing is positive) or all maximal ones, in order. Integers: sum = score *
  /// 2^exponent, exactly. double: the numbers are too far apart in size for 128 bits; sums were made in
  /// double precision in the order of the elements, so the segments are within n * 2^-52 * (sum of the
  /// absolute values) of the true ones.
  std::variant<std::vector<Segment<std::int64_t>>, std::vector<Segment<Int128>>, std::vector<Segment<double>>>
      found;
  int exponent = 0;
};

/// What to look for.
enum class SegmentGoal { Best, All };

/// Searches a vector. Whole numbers whose sums fit 64 bits go to `engine`, others to the host's plain
/// algorithms on `threads` threads. Floating numbers are whole multiples of a power of two, so their sums are
/// exact too, as far as 128 bits reach. Throws std::invalid_argument for NaN and infinity (with their
/// position) and if sums leave double.
template <class T>
VectorSegments search_vector(std::span<const T> values, SegmentGoal goal, SegmentEngine& engine,
                             unsigned threads);

/// Sum of `values` rounded to double once.
double rounded_sum(std::span<const double> values);

/// score * 2^exponent: in decimal if the exponent is 0, else the nearest double in its shortest form.
std::string sum_text(Int128 score, int exponent);

}  // namespace gpuhmm
