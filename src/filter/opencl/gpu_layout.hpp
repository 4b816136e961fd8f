// Sequences in the layouts of the fast GPU kernels, on the host.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "filter/sequence_set.hpp"

namespace gpuhmm {

/// Sequences that lie interleaved; a multiple of the sequences of every work-group.
inline constexpr std::size_t kGpuBlock = 256;
/// Rows of a tile of the kernel for long sequences.
inline constexpr std::size_t kGpuLongRows = 16;

/// Residues are bytes of four times their code, four a word, the first lowest; padding (code 31) comes before
/// a sequence, never after it.
struct GpuLayout {
  static constexpr std::uint32_t kNowhere = 0xffffffffU;

  /// Sequences of more than `long_sequence` residues go to at most `chains` chains (rounded up to a
  /// multiple of `group_chains` by empty ones), all others that are not empty into blocks.
  GpuLayout(const SequenceSet& sequences, std::size_t long_sequence, unsigned chains, unsigned group_chains);

  /// Writes the words of the blocks first .. last - 1, [word][kGpuBlock] each. `out` holds the words from
  /// block_starts[first] to block_starts[last].
  void pack_blocks(std::size_t first, std::size_t last, std::uint32_t* out) const;
  std::size_t blocks() const { return block_words.size(); }
  /// Words of all blocks.
  std::size_t words() const { return block_starts.back(); }

  SequenceSet sequences;

  /// Blocks of kGpuBlock sequences, longest first.
  std::vector<std::uint64_t> block_starts;  ///< first word of every block, and the end
  std::vector<std::int32_t> block_words;    ///< words of a sequence of the block, the longest's
  std::vector<std::uint32_t> order;         ///< place in the blocks -> sequence of the set

  /// Chains of long sequences: 4 words a tile of kGpuLongRows rows. Bit 0 (1) of a tile's first byte marks
  /// the first (last) tile of a sequence.
  std::vector<std::uint32_t> chain_words;
  std::vector<std::uint32_t> chain_tiles;     ///< first tile of every chain, and the end
  std::vector<std::uint32_t> tile_sequences;  ///< place in long_sequences of every tile
  std::vector<std::uint32_t> long_sequences;  ///< sequences of the set, longest first
  std::vector<std::uint32_t> first_tiles;     ///< sequence of the set -> its first tile, or kNowhere

  /// The same sequences two by two, which go through the packed kernel side by side: the tiles of both, that
  /// of the longer one first; kNowhere before the shorter one begins. One left over goes with itself.
  std::vector<std::array<std::uint32_t, 2>> pair_tiles;
  std::vector<std::uint32_t> pair_chain_tiles;  ///< first pair of tiles of every chain, and the end

  std::vector<std::uint32_t> places;   ///< sequence -> place in the blocks, or kNowhere
  std::vector<std::uint32_t> lengths;  ///< of all sequences of the set

 private:
  void lay_chains(unsigned chains, unsigned group_chains);
  void lay_pair_chains(unsigned chains, unsigned group_chains);
};

}  // namespace gpuhmm
