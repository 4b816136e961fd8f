// Sorts sequences, distributes the long ones evenly over chains, and packs them.
#include "filter/opencl/gpu_layout.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <queue>
#include <span>
#include <utility>

#include "filter/opencl/gpu_model.hpp"
#include "util/parallel.hpp"

namespace gpuhmm {

namespace {

constexpr std::uint32_t kPadWord = 0x04040404U * (kGpuCodes - 1);

// Writes a sequence right-aligned into `words` words that are `stride` apart.
void pack(std::span<const std::uint8_t> residues, std::uint32_t* out, std::size_t words, std::size_t stride) {
  static_assert(std::endian::native == std::endian::little, "the first residue of a word is its lowest byte");
  std::size_t w = 0;
  for (; (w + 1) * 4 <= words * 4 - residues.size(); ++w) out[w * stride] = kPadWord;
  const std::size_t head = residues.size() % 4;  // residues of a word that begins with padding
  if (head > 0) {
    std::uint32_t word = kGpuCodes - 1;
    word = word | word << 8 | word << 16 | word << 24;
    std::memcpy(reinterpret_cast<std::uint8_t*>(&word) + 4 - head, residues.data(), head);
    out[w++ * stride] = word << 2;
  }
  for (const std::uint8_t* next = residues.data() + head; w < words; ++w, next += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, next, sizeof word);
    out[w * stride] = word << 2;
  }
}

// Distributes sequences of these lengths, longest first, each to the chain that is shortest so far. Makes no
// more chains than are needed for all to be done when the longest sequence is.
std::vector<std::vector<std::uint32_t>> balanced(std::span<const std::size_t> lengths, std::size_t chains) {
  if (lengths.empty()) return {};
  const std::size_t residues_left = std::accumulate(lengths.begin(), lengths.end(), std::size_t{0});
  const std::size_t longest = lengths.front();
  std::vector<std::vector<std::uint32_t>> result(std::min(chains, (residues_left + longest - 1) / longest));
  using Load = std::pair<std::size_t, std::size_t>;  // residues, chain
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (std::size_t s = 0; s < result.size(); ++s) loads.emplace(0, s);
  for (std::uint32_t n = 0; n < lengths.size(); ++n) {
    const auto [residues, chain] = loads.top();
    loads.pop();
    result[chain].push_back(n);
    loads.emplace(residues + lengths[n], chain);
  }
  return result;
}

std::size_t tile_count(std::size_t length) { return (length + kGpuLongRows - 1) / kGpuLongRows; }

// Ends the last chain and adds empty chains up to a multiple of `group_chains`.
void close_chains(std::vector<std::uint32_t>& chain_tiles, std::size_t tiles, unsigned group_chains) {
  while (chain_tiles.size() % group_chains != 0) chain_tiles.push_back(static_cast<std::uint32_t>(tiles));
  chain_tiles.push_back(static_cast<std::uint32_t>(tiles));
}

}  // namespace

GpuLayout::GpuLayout(const SequenceSet& set, std::size_t long_sequence, unsigned chains,
                     unsigned group_chains, unsigned threads)
    : sequences(set), by_length(set.by_length()) {
  const std::span<const std::uint32_t> sorted = by_length->longest_first;
  const auto first_short =
      std::ranges::partition_point(sorted, [&](std::uint32_t i) { return length(i) > long_sequence; });
  long_sequences = {sorted.begin(), first_short};
  order = {first_short, sorted.end()};
  block_starts.push_back(0);
  for (std::size_t first = 0; first < order.size(); first += kGpuBlock) {
    block_words.push_back(static_cast<std::int32_t>((length(order[first]) + 3) / 4));
    block_starts.push_back(block_starts.back() + static_cast<std::size_t>(block_words.back()) * kGpuBlock);
  }
  lay_chains(chains, group_chains, threads);
  lay_pair_chains(chains, group_chains);
}

void GpuLayout::lay_chains(unsigned chains, unsigned group_chains, unsigned threads) {
  std::vector<std::size_t> lengths;
  for (const std::uint32_t i : long_sequences) lengths.push_back(length(i));
  first_tiles.resize(lengths.size());
  std::size_t tiles = 0;
  for (const std::vector<std::uint32_t>& chain : balanced(lengths, chains)) {
    chain_tiles.push_back(static_cast<std::uint32_t>(tiles));
    for (const std::uint32_t n : chain) {
      first_tiles[n] = static_cast<std::uint32_t>(tiles);
      tiles += tile_count(lengths[n]);
    }
  }
  close_chains(chain_tiles, tiles, group_chains);
  constexpr std::size_t kTileWords = kGpuLongRows / 4;
  tile_sequences.resize(tiles);
  chain_words.resize(tiles * kTileWords);
  constexpr std::size_t kPacked = 64;  // sequences that a thread packs at a time
  parallel_for(threads, long_sequences.size(), kPacked, [&](std::size_t first, std::size_t last) {
    for (std::size_t n = first; n < last; ++n) {
      std::uint32_t* out = &chain_words[first_tiles[n] * kTileWords];
      const std::size_t count = tile_count(lengths[n]);
      pack(sequences.residues(long_sequences[n]), out, count * kTileWords, 1);
      std::fill_n(&tile_sequences[first_tiles[n]], count, static_cast<std::uint32_t>(n));
      out[0] |= 1U;
      out[(count - 1) * kTileWords] |= 2U;
    }
  });
}

void GpuLayout::lay_pair_chains(unsigned chains, unsigned group_chains) {
  std::vector<std::size_t> longer_ones;  // lengths
  for (std::size_t n = 0; n < long_sequences.size(); n += 2) longer_ones.push_back(length(long_sequences[n]));
  for (const std::vector<std::uint32_t>& chain : balanced(longer_ones, chains)) {
    pair_chain_tiles.push_back(static_cast<std::uint32_t>(pair_tiles.size()));
    for (const std::uint32_t pair : chain) {
      const std::size_t n = std::size_t{2} * pair;
      const std::size_t partner = std::min(n + 1, long_sequences.size() - 1);
      const std::size_t count = tile_count(length(long_sequences[n]));
      const std::size_t ahead = count - tile_count(length(long_sequences[partner]));  // before it begins
      for (std::size_t t = 0; t < count; ++t) {
        pair_tiles.push_back(
            {static_cast<std::uint32_t>(first_tiles[n] + t),
             t < ahead ? kNowhere : static_cast<std::uint32_t>(first_tiles[partner] + t - ahead)});
      }
    }
  }
  close_chains(pair_chain_tiles, pair_tiles.size(), group_chains);
}

void GpuLayout::pack_blocks(std::size_t first, std::size_t last, std::uint32_t* out) const {
  for (std::size_t block = first; block < last; ++block) {
    std::uint32_t* const begin = out + (block_starts[block] - block_starts[first]);
    const auto count = static_cast<std::size_t>(block_words[block]);
    const std::size_t members = std::min(kGpuBlock, order.size() - block * kGpuBlock);
    for (std::size_t m = 0; m < members; ++m) {
      pack(sequences.residues(order[block * kGpuBlock + m]), begin + m, count, kGpuBlock);
    }
    for (std::size_t w = 0; members < kGpuBlock && w < count; ++w) {
      std::fill_n(begin + w * kGpuBlock + members, kGpuBlock - members, kPadWord);
    }
  }
}

}  // namespace gpuhmm
