// Sequences in the layout of the exact kernel (cl/viterbi.cl): sorted by length and interleaved in groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "filter/sequence_set.hpp"

namespace gpuhmm {

/// Layout of a group: `width` sequences, [word][sequence], four residue codes in a 32-bit word, the first in
/// the lowest byte, padded with kPaddingCode to a multiple of `rows` residues.
struct PackedLayout {
  unsigned width = 1;
  unsigned rows = 4;  ///< a multiple of 4

  /// 32-bit words for each sequence of a group whose longest sequence has `longest` residues.
  std::size_t sequence_words(std::size_t longest) const { return (longest + rows - 1) / rows * rows / 4; }
  /// Bytes of such a group.
  std::size_t group_bytes(std::size_t longest) const {
    return sequence_words(longest) * width * sizeof(std::uint32_t);
  }
};

/// Groups that go to the device together. Slot group * width + i is the i-th sequence of a group.
struct PackedSlice {
  static constexpr std::size_t kNoSequence = std::numeric_limits<std::size_t>::max();

  std::vector<std::uint32_t> words;    ///< residues of all groups
  std::vector<std::uint32_t> starts;   ///< first word of every group
  std::vector<std::int32_t> lengths;   ///< residues of every slot; 0 in slots without a sequence
  std::vector<std::size_t> sequences;  ///< index into the batch for every slot, or kNoSequence

  std::size_t groups() const { return starts.size(); }
};

/// Packs the sequences `order` (longest first) with `threads` threads into slices. The residues of a slice
/// take at most `slice_bytes` (no more than 8 GiB), unless a single group is larger.
std::vector<PackedSlice> pack_sequences(const SequenceSet& batch, std::span<const std::size_t> order,
                                        const PackedLayout& layout, std::size_t slice_bytes,
                                        unsigned threads);

}  // namespace gpuhmm
