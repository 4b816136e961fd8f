// Which segments of sampled tracebacks are linked to one another (docs/spec/hmmer3/domains.md, 6).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hmmer3/traceback_ensemble.hpp"

namespace gpuhmm::hmmer3 {

/// The first and last residue and node of a segment, and its place among all of the region.
struct SegmentEnds {
  std::int32_t from = 0, to = 0, model_from = 0, model_to = 0, place = 0;
};

/// Whether two segments overlap by four fifths of the shorter one, in the sequence and in the model, and
/// begin or end within four diagonals of each other.
bool linked(const SegmentEnds& a, const SegmentEnds& b);

/// Segments that belong to no cluster yet.
class OpenSegments {
 public:
  /// In reverse order.
  explicit OpenSegments(std::span<const SampledSegment> segments);

  std::size_t size() const { return size_; }
  SegmentEnds operator[](std::size_t i) const;

  /// Takes the last one; there must be one.
  SegmentEnds take_last();
  /// Takes those that are linked to `segment`, from the last to the first, and appends them to `taken`. The
  /// last one moves into the place of each.
  void take_linked(const SegmentEnds& segment, std::vector<SegmentEnds>& taken);
  /// The same, pair by pair.
  void take_linked_plainly(const SegmentEnds& segment, std::vector<SegmentEnds>& taken);

  /// SegmentEnds' members, each with room for whole vectors.
  using Columns = std::array<std::vector<std::int32_t>, 5>;

 private:
  SegmentEnds take(std::size_t i);

  Columns columns_;
  std::size_t size_ = 0;
};

}  // namespace gpuhmm::hmmer3
