// The sequences for the kernels with one sequence in each SIMD lane: several in each lane, one after the
// other, in the order in which the kernel reads them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "filter/sequence_set.hpp"
#include "simd/aligned_buffer.hpp"

namespace gpuhmm::simd {

/// Sequences side by side.
inline constexpr std::size_t kLaneCount = 64;

/// Residue codes in an emission table.
inline constexpr std::size_t kTableCodes = 32;

/// The residue code of separators, which no alphabet has.
inline constexpr std::uint8_t kSeparator = 31;

/// What a kernel needs between sequences.
struct LaneSpacing {
  std::size_t separators;    ///< rows of separators before each sequence
  std::size_t rows_at_once;  ///< rows that the kernel computes at a time, at most separators + 1
};

/// A matrix of residue codes, row by lane. Some rows of separators come before each sequence; after the last
/// sequence of a lane there are only separators. deal() reuses the memory.
class LaneSequences {
 public:
  /// Where a sequence ends.
  struct End {
    std::size_t row;   ///< one past its last residue, rounded up to a multiple of LaneSpacing::rows_at_once
    std::size_t lane;  ///< its lane
    std::size_t sequence;  ///< its index
  };

  /// Distributes the sequences with these indices to the lanes, each to the lane with the fewest rows.
  void deal(const SequenceSet& sequences, std::span<const std::size_t> longest_first, LaneSpacing spacing);

  /// The ends of all sequences, sorted by row.
  std::span<const End> ends() const { return ends_; }
  /// The number of rows, a multiple of all rows_at_once.
  std::size_t rows() const { return rows_; }
  /// The kLaneCount codes of a row.
  const std::uint8_t* row(std::size_t i) const { return codes_.data() + i * kLaneCount; }

 private:
  std::vector<End> ends_;
  std::size_t rows_ = 0;
  AlignedBuffer<std::uint8_t> lanes_;  // [lane][row]
  AlignedBuffer<std::uint8_t> codes_;  // [row][lane]
};

}  // namespace gpuhmm::simd
