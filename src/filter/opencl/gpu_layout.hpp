// Sequences in the layouts of the fast GPU kernels, on the host.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "filter/sequence_set.hpp"

namespace gpuhmm {

/// Sequences that are interleaved; a multiple of the number of sequences of any work-group.
inline constexpr std::size_t kGpuBlock = 256;
/// Rows of a tile of the kernel for long sequences.
inline constexpr std::size_t kGpuLongRows = 16;

/// The words and tables of a set of sequences. A residue is a byte with four times its code, four in a 32-bit
/// word, the first in the lowest byte. Padding (code 31) comes before a sequence, never after it.
struct GpuLayout {
  static constexpr std::uint32_t kNowhere = LengthOrder::kNowhere;

  /// Sequences of more than `long_sequence` residues go to at most `chains` chains; empty chains are added up
  /// to a multiple of `group_chains`. All other sequences that are not empty go to blocks. `threads` threads
  /// pack the chains.
  GpuLayout(const SequenceSet& sequences, std::size_t long_sequence, unsigned chains, unsigned group_chains,
            unsigned threads = 1);

  /// Writes the words of the blocks first .. last - 1, each [word][kGpuBlock], to `out`, which begins with
  /// the word block_starts[first].
  void pack_blocks(std::size_t first, std::size_t last, std::uint32_t* out) const;
  std::size_t blocks() const { return block_words.size(); }
  /// Words of all blocks.
  std::size_t words() const { return block_starts.back(); }

  /// Residues of sequence i of the set.
  std::uint32_t length(std::size_t i) const { return by_length->lengths[i]; }
  /// Its first tile, if it is one of long_sequences.
  std::uint32_t first_tile(std::size_t i) const { return first_tiles[by_length->ranks[i]]; }
  /// Its place in the blocks, or kNowhere.
  std::uint32_t place(std::size_t i) const {
    const std::uint32_t rank = by_length->ranks[i];
    if (rank == kNowhere || rank < long_sequences.size()) return kNowhere;
    return rank - static_cast<std::uint32_t>(long_sequences.size());
  }

  SequenceSet sequences;
  std::shared_ptr<const LengthOrder> by_length;   ///< of the set
  std::span<const std::uint32_t> long_sequences;  ///< its first ones: sequences of the set, longest first
  std::span<const std::uint32_t> order;           ///< all others: place in the blocks -> sequence of the set

  /// Blocks of kGpuBlock sequences, longest first.
  std::vector<std::uint64_t> block_starts;  ///< first word of every block, and the end of the last
  std::vector<std::int32_t> block_words;    ///< words for each sequence of the block

  /// Chains of long sequences: 4 words a tile of kGpuLongRows rows. Bit 0 (1) of a tile's first byte marks
  /// the first (last) tile of a sequence.
  std::vector<std::uint32_t> chain_words;
  std::vector<std::uint32_t> chain_tiles;     ///< first tile of every chain, and the end of the last
  std::vector<std::uint32_t> tile_sequences;  ///< tile -> index into long_sequences
  std::vector<std::uint32_t> first_tiles;     ///< index into long_sequences -> first tile

  /// The same sequences in pairs, which the packed kernel scores side by side: the tiles of both, that of the
  /// longer one first; kNowhere before the shorter one begins. A sequence without a partner is paired with
  /// itself.
  std::vector<std::array<std::uint32_t, 2>> pair_tiles;
  std::vector<std::uint32_t> pair_chain_tiles;  ///< like chain_tiles, for pairs of tiles

 private:
  void lay_chains(unsigned chains, unsigned group_chains, unsigned threads);
  void lay_pair_chains(unsigned chains, unsigned group_chains);
};

}  // namespace gpuhmm
