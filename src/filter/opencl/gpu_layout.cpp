// Sorting, balancing and packing; see the header.
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

// Sequences dealt out, longest first, each to the stream that is shortest so far. No more streams than would
// be done when the one of the longest sequence is.
std::vector<std::vector<std::uint32_t>> balanced(std::span<const std::uint32_t> lengths,
                                                 std::span<const std::size_t> sequences,
                                                 std::size_t streams) {
  if (sequences.empty()) return {};
  std::size_t residues_left = 0;
  for (const std::size_t i : sequences) residues_left += lengths[i];
  const std::size_t longest = lengths[sequences.front()];
  std::vector<std::vector<std::uint32_t>> result(std::min(streams, (residues_left + longest - 1) / longest));
  using Load = std::pair<std::size_t, std::size_t>;  // residues, stream
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (std::size_t s = 0; s < result.size(); ++s) loads.emplace(0, s);
  for (const std::size_t i : sequences) {
    const auto [residues, stream] = loads.top();
    loads.pop();
    result[stream].push_back(static_cast<std::uint32_t>(i));
    loads.emplace(residues + lengths[i], stream);
  }
  return result;
}

}  // namespace

GpuLayout::GpuLayout(const SequenceSet& set, std::size_t long_sequence, unsigned streams,
                     unsigned group_streams)
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

  first_tiles.assign(set.size(), kNowhere);
  std::size_t tiles = 0;
  for (const std::vector<std::uint32_t>& stream : balanced(lengths, {sorted.begin(), first_short}, streams)) {
    stream_tiles.push_back(static_cast<std::uint32_t>(tiles));
    for (const std::uint32_t i : stream) {
      first_tiles[i] = static_cast<std::uint32_t>(tiles);
      tiles += (lengths[i] + kGpuLongRows - 1) / kGpuLongRows;
    }
  }
  while (stream_tiles.size() % group_streams != 0) {
    stream_tiles.push_back(static_cast<std::uint32_t>(tiles));
  }
  stream_tiles.push_back(static_cast<std::uint32_t>(tiles));
  constexpr std::size_t kTileWords = kGpuLongRows / 4;
  tile_sequences.resize(tiles);
  stream_words.resize(tiles * kTileWords);
  for (auto s = sorted.begin(); s != first_short; ++s) {
    std::uint32_t* out = &stream_words[first_tiles[*s] * kTileWords];
    const std::size_t count = (lengths[*s] + kGpuLongRows - 1) / kGpuLongRows;
    pack(set.residues(*s), out, count * kTileWords, 1);
    std::fill_n(&tile_sequences[first_tiles[*s]], count, static_cast<std::uint32_t>(*s));
    out[0] |= 1U;
    out[(count - 1) * kTileWords] |= 2U;
  }
}

void GpuLayout::pack_blocks(std::size_t first, std::size_t last, unsigned threads, std::uint32_t* out) const {
  parallel_for(threads, last - first, 4, [&](std::size_t from, std::size_t to) {
    for (std::size_t block = first + from; block < first + to; ++block) {
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
  });
}

}  // namespace gpuhmm
