// Writes the segments of one vector as a table or as JSON objects.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "companion/segments/vector_segments.hpp"

namespace gpuhmm {

/// Writes segments in the order given, one per line; docs/segments.md describes columns and keys. Elements
/// count from 0, ends are inclusive. Integer sums are written exactly, others as the nearest double in its
/// shortest form.
class SegmentWriter {
 public:
  using Sink = std::function<void(std::string_view)>;

  /// `json`: write JSON objects; else a table with columns separated by tabs.
  SegmentWriter(Sink out, bool json) : out_(std::move(out)), json_(json) {}

  /// Writes the header of a table: number and type of the vector's elements, and a remark unless sums are
  /// `exact`. JSON has no header.
  void begin(std::uint64_t elements, std::string_view type, bool exact);
  /// Writes a segment whose sum is score * 2^exponent (VectorSegments). Score: std::int64_t, Int128, or
  /// double, which is the sum itself.
  template <class Score>
  void add(const Segment<Score>& segment, int exponent);
  /// Writes the empty segment: the answer if no element is positive.
  void add_empty();

 private:
  Sink out_;
  bool json_;
};

}  // namespace gpuhmm
