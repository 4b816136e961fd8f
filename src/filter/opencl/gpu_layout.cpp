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

// Distributes the sequences, longest first, each to the chain that is shortest so far. Makes no more chains
// than are needed for all to be done when the longest sequence is.
std::vector<std::vector<std::uint32_t>> balanced(std::span<const std::uint32_t> lengths,
                                                 std::span<const std::uint32_t> sequences,
                                                 std::size_t chains) {
  if (sequences.empty()) return {};
  std::size_t residues_left = 0;
  for (const std::uint32_t i : sequences) residues_left += lengths[i];
  const std::size_t longest = lengths[sequences.front()];
  std::vector<std::vector<std::uint32_t>> result(std::min(chains, (residues_left + longest - 1) / longest));
  using Load = std::pair<std::size_t, std::size_t>;  // residues, chain
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (std::size_t s = 0; s < result.size(); ++s) loads.emplace(0, s);
  for (const std::uint32_t i : sequences) {
    const auto [residues, chain] = loads.top();
    loads.pop();
    result[chain].push_back(i);
    loads.emplace(residues + lengths[i], chain);
  }
  return result;
}

std::size_t tile_count(std::uint32_t length) { return (length + kGpuLongRows - 1) / kGpuLongRows; }

// Ends the last chain and adds empty chains up to a multiple of `group_chains`.
void close_chains(std::vector<std::uint32_t>& chain_tiles, std::size_t tiles, unsigned group_chains) {
  while (chain_tiles.size() % group_chains != 0) chain_tiles.push_back(static_cast<std::uint32_t>(tiles));
  chain_tiles.push_back(static_cast<std::uint32_t>(tiles));
}

}  // namespace

GpuLayout::GpuLayout(const SequenceSet& set, std::size_t long_sequence, unsigned chains,
                     unsigned group_chains, unsigned threads)
    : sequences(set) {
  lengths.resize(set.size());
  for (std::size_t i = 0; i < set.size(); ++i) lengths[i] = static_cast<std::uint32_t>(set.length(i));
  const std::vector<std::size_t> sorted = longest_first(set);
  const auto first_short = std::partition_point(sorted.begin(), sorted.end(),
                                                [&](std::size_t i) { return lengths[i] > long_sequence; });

  order.assign(first_short, sorted.end());
  places.assign(set.size(), kNowhere);
  for (std::uint32_t place = 0; place < order.size(); ++place) places[order[place]] = place;
  block_starts.push_back(0);
  for (std::size_t first = 0; first < order.size(); first += kGpuBlock) {
    block_words.push_back(static_cast<std::int32_t>((lengths[order[first]] + 3) / 4));
    block_starts.push_back(block_starts.back() + static_cast<std::size_t>(block_words.back()) * kGpuBlock);
  }

  long_sequences.assign(sorted.begin(), first_short);
  lay_chains(chains, group_chains, threads);
  lay_pair_chains(chains, group_chains);
}

void GpuLayout::lay_chains(unsigned chains, unsigned group_chains, unsigned threads) {
  first_tiles.assign(lengths.size(), kNowhere);
  std::size_t tiles = 0;
  for (const std::vector<std::uint32_t>& chain : balanced(lengths, long_sequences, chains)) {
    chain_tiles.push_back(static_cast<std::uint32_t>(tiles));
    for (const std::uint32_t i : chain) {
      first_tiles[i] = static_cast<std::uint32_t>(tiles);
      tiles += tile_count(lengths[i]);
    }
  }
  close_chains(chain_tiles, tiles, group_chains);
  constexpr std::size_t kTileWords = kGpuLongRows / 4;
  tile_sequences.resize(tiles);
  chain_words.resize(tiles * kTileWords);
  constexpr std::size_t kPacked = 64;  // sequences that a thread packs at a time
  parallel_for(threads, long_sequences.size(), kPacked, [&](std::size_t first, std::size_t last) {
    for (std::size_t n = first; n < last; ++n) {
      const std::uint32_t i = long_sequences[n];
      std::uint32_t* out = &chain_words[first_tiles[i] * kTileWords];
      const std::size_t count = tile_count(lengths[i]);
      pack(sequences.residues(i), out, count * kTileWords, 1);
      std::fill_n(&tile_sequences[first_tiles[i]], count, static_cast<std::uint32_t>(n));
      out[0] |= 1U;
      out[(count - 1) * kTileWords] |= 2U;
    }
  });
}

void GpuLayout::lay_pair_chains(unsigned chains, unsigned group_chains) {
  std::vector<std::uint32_t> longer_ones;
  std::vector<std::uint32_t> partners(long_sequences.empty() ? 0 : lengths.size());
  for (std::size_t n = 0; n < long_sequences.size(); n += 2) {
    longer_ones.push_back(long_sequences[n]);
    partners[long_sequences[n]] = long_sequences[std::min(n + 1, long_sequences.size() - 1)];
  }
  for (const std::vector<std::uint32_t>& chain : balanced(lengths, longer_ones, chains)) {
    pair_chain_tiles.push_back(static_cast<std::uint32_t>(pair_tiles.size()));
    for (const std::uint32_t i : chain) {
      const std::size_t count = tile_count(lengths[i]), partner_count = tile_count(lengths[partners[i]]);
      for (std::size_t t = 0; t < count; ++t) {
        const std::size_t ahead = count - partner_count;  // tiles before the shorter one begins
        pair_tiles.push_back(
            {static_cast<std::uint32_t>(first_tiles[i] + t),
             t < ahead ? kNowhere : static_cast<std::uint32_t>(first_tiles[partners[i]] + t - ahead)});
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
