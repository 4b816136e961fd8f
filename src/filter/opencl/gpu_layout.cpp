// Sorting, balancing and packing; see the header.
#include "filter/opencl/gpu_layout.hpp"

#include <algorithm>
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
  const std::size_t padding = words * 4 - residues.size();
  for (std::size_t w = 0; w < words; ++w) {
    std::uint32_t word = 0;
    for (std::size_t b = 0; b < 4; ++b) {
      const std::size_t row = 4 * w + b;
      const std::uint32_t code = row < padding ? kGpuCodes - 1 : residues[row - padding];
      word |= code << (8 * b + 2);
    }
    out[w * stride] = word;
  }
}

// Sequences dealt out, longest first, each to the stream that is shortest so far.
std::vector<std::vector<std::uint32_t>> balanced(const SequenceBatch& batch,
                                                 std::span<const std::uint32_t> sequences,
                                                 std::size_t streams) {
  std::vector<std::vector<std::uint32_t>> result(std::min(streams, sequences.size()));
  using Load = std::pair<std::size_t, std::size_t>;  // residues, stream
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (std::size_t s = 0; s < result.size(); ++s) loads.emplace(0, s);
  for (const std::uint32_t i : sequences) {
    const auto [residues, stream] = loads.top();
    loads.pop();
    result[stream].push_back(i);
    loads.emplace(residues + batch.length(i), stream);
  }
  return result;
}

}  // namespace

GpuLayout::GpuLayout(const SequenceBatch& batch, std::size_t long_sequence, unsigned streams,
                     unsigned group_streams, unsigned threads) {
  lengths.resize(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) lengths[i] = static_cast<std::uint32_t>(batch.length(i));
  std::vector<std::uint32_t> sorted(batch.size());
  std::iota(sorted.begin(), sorted.end(), 0U);
  std::erase_if(sorted, [&](std::uint32_t i) { return lengths[i] == 0; });
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return lengths[a] > lengths[b]; });
  const auto first_short = std::partition_point(sorted.begin(), sorted.end(),
                                                [&](std::uint32_t i) { return lengths[i] > long_sequence; });

  order.assign(first_short, sorted.end());
  places.assign(batch.size(), kNowhere);
  const std::size_t blocks = (order.size() + kGpuBlock - 1) / kGpuBlock;
  std::size_t words = 0;
  for (std::size_t block = 0; block < blocks; ++block) {
    block_starts.push_back(words);
    block_words.push_back(static_cast<std::int32_t>((lengths[order[block * kGpuBlock]] + 3) / 4));
    words += static_cast<std::size_t>(block_words.back()) * kGpuBlock;
  }
  residues.assign(words, kPadWord);
  parallel_for(threads, blocks, 4, [&](std::size_t first, std::size_t last) {
    for (std::size_t place = first * kGpuBlock; place < std::min(last * kGpuBlock, order.size()); ++place) {
      const std::size_t block = place / kGpuBlock;
      places[order[place]] = static_cast<std::uint32_t>(place);
      pack(batch.residues(order[place]), &residues[block_starts[block] + place % kGpuBlock],
           static_cast<std::size_t>(block_words[block]), kGpuBlock);
    }
  });

  const std::span<const std::uint32_t> long_ones(sorted.data(), first_short - sorted.begin());
  first_tiles.assign(batch.size(), kNowhere);
  std::size_t tiles = 0;
  for (const std::vector<std::uint32_t>& stream : balanced(batch, long_ones, streams)) {
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
  parallel_for(threads, long_ones.size(), 8, [&](std::size_t first, std::size_t last) {
    for (std::size_t s = first; s < last; ++s) {
      const std::uint32_t i = long_ones[s];
      std::uint32_t* out = &stream_words[first_tiles[i] * kTileWords];
      const std::size_t count = (lengths[i] + kGpuLongRows - 1) / kGpuLongRows;
      pack(batch.residues(i), out, count * kTileWords, 1);
      std::fill_n(&tile_sequences[first_tiles[i]], count, i);
      out[0] |= 1U;
      out[(count - 1) * kTileWords] |= 2U;
    }
  });
}

}  // namespace gpuhmm
