// Sequences dealt to the lanes of the kernel that scores one in each: one after the other in every lane, row
// by row as the kernel reads them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "filter/sequence_set.hpp"
#include "simd/aligned_buffer.hpp"

namespace gpuhmm::simd {

/// Sequences side by side: two vectors of 64 bytes.
inline constexpr std::size_t kLaneCount = 64;

/// The residue code of separators, which no alphabet has.
inline constexpr std::uint8_t kSeparator = 31;

/// A rectangle of residue codes, lane by row. Before each sequence, and so at the very beginning, there are
/// some rows with separators, and from a lane's last sequence on nothing else. Made anew in the same memory.
class LaneSequences {
 public:
  /// Rows that the kernel takes at a time.
  static constexpr std::size_t kRowsAtOnce = 2;

  /// The end of a sequence.
  struct End {
    std::size_t row;   ///< behind its last residue and perhaps a separator: a multiple of kRowsAtOnce
    std::size_t lane;  ///< that it was in
    std::size_t sequence;
  };

  /// Deals the sequences with these numbers, longest first, as many as there are lanes at a time: the longest
  /// of them to the lane with the fewest rows.
  void deal(const SequenceSet& sequences, std::span<const std::size_t> longest_first, std::size_t separators);

  /// By row.
  std::span<const End> ends() const { return ends_; }
  /// Codes of a row, lane by lane.
  const std::uint8_t* row(std::size_t i) const { return codes_.data() + i * kLaneCount; }

 private:
  std::vector<End> ends_;
  AlignedBuffer<std::uint8_t> lanes_;  // [lane][row]
  AlignedBuffer<std::uint8_t> codes_;  // [row][lane]
};

}  // namespace gpuhmm::simd
