// Which segments of sampled tracebacks are linked to one another (docs/spec/hmmer3/domains.md, 6).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
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

/// SegmentEnds' members, each with room for whole vectors.
using SegmentColumns = std::array<std::vector<std::int32_t>, 5>;

/// Segments that belong to no cluster yet, in the order of the reference.
class OpenSegments {
 public:
  /// In reverse order.
  explicit OpenSegments(std::span<const SampledSegment> segments);

  std::size_t size() const { return size_; }
  SegmentEnds operator[](std::size_t i) const;

  /// Takes the last one, if there is one.
  std::optional<SegmentEnds> take_next();
  /// Takes those that are linked to `segment`, from the last to the first, and appends them to `taken`. The
  /// last one moves into the place of each.
  void take_linked(const SegmentEnds& segment, std::vector<SegmentEnds>& taken);
  /// The same, pair by pair.
  void take_linked_plainly(const SegmentEnds& segment, std::vector<SegmentEnds>& taken);

 private:
  SegmentEnds take(std::size_t i);

  SegmentColumns columns_;
  std::size_t size_ = 0;
  std::vector<std::uint32_t> numbers_;  // of those that are linked
};

/// The same segments in the order in which they begin in the sequence, so that those which are linked to one
/// are found near it. The clusters are the same, in another order. If at most k of n segments overlap one in
/// the sequence, that takes n * k comparisons instead of n * n.
class PlacedSegments {
 public:
  explicit PlacedSegments(std::span<const SampledSegment> segments);

  /// Takes the first one that is left, if there is one.
  std::optional<SegmentEnds> take_next();
  /// Takes those that are linked to `segment`, and appends them to `taken`.
  void take_linked(const SegmentEnds& segment, std::vector<SegmentEnds>& taken);

 private:
  bool is_taken(std::size_t i) const;
  SegmentEnds take(std::size_t i);

  SegmentColumns columns_;
  std::size_t size_ = 0, next_ = 0;
  std::vector<std::uint32_t> numbers_;  // of those that are linked
  std::int32_t longest_ = 0;            // residues
};

}  // namespace gpuhmm::hmmer3
