// The segments of one vector as a table or as JSON objects.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "companion/segments/vector_segments.hpp"

namespace gpuhmm {

/// Writes segments in the order given, a line each; docs/segments.md describes columns and keys. Elements
/// count from 0, ends are inclusive. A sum is written exactly, or as the nearest double in its shortest form.
class SegmentWriter {
 public:
  using Sink = std::function<void(std::string_view)>;

  /// To `out`, as JSON objects or as a table parted by tabs.
  SegmentWriter(Sink out, bool json) : out_(std::move(out)), json_(json) {}

  /// What stands before the first segment: a table says what vector of how many elements of type `type` was
  /// searched, and whether its sums are `exact`.
  void begin(std::uint64_t elements, std::string_view type, bool exact);
  /// A segment of a vector with sums of score * 2^exponent (VectorSegments). Score: std::int64_t, Int128 or,
  /// with the sum itself as score, double.
  template <class Score>
  void add(const Segment<Score>& segment, int exponent);
  /// The empty segment, as the answer where no element is positive.
  void add_empty();

 private:
  Sink out_;
  bool json_;
};

}  // namespace gpuhmm
