// Packs a batch piece by piece and copies it to the device.
#include "filter/opencl/gpu_batch.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "opencl/queue.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm {

namespace {

// Blocks that are packed and sent together.
struct Blocks {
  std::size_t first, last;
};

// Each thread packs some while others are being copied.
std::vector<Blocks> blocks_of(const GpuLayout& layout) {
  std::vector<Blocks> pieces;
  for (std::size_t first = 0; first < layout.blocks();) {
    std::size_t last = first + 1;
    while (last < layout.blocks() &&
           layout.block_starts[last + 1] - layout.block_starts[first] <= StagedPieces::kWords)
      ++last;
    pieces.push_back({first, last});
    first = last;
  }
  return pieces;
}

void send_blocks(const GpuLayout& layout, unsigned threads, const Queue& queue, GpuBatchMemory& memory,
                 GpuUploadTimes& times) {
  const std::vector<Blocks> blocks = blocks_of(layout);
  std::vector<StagedPieces::Piece> pieces;
  for (const auto& [first, last] : blocks) {
    const std::uint64_t begin = layout.block_starts[first];
    pieces.push_back({begin, layout.block_starts[last] - begin});
  }
  {
    const Stopwatch watch(times.pack);
    memory.staging.send(queue, memory.residues.buffer(), pieces, threads, [&](std::size_t p, cl_uint* words) {
      layout.pack_blocks(blocks[p].first, blocks[p].last, words);
    });
  }
  const Stopwatch watch(times.copy);
  memory.staging.wait(queue);
}

template <class Body>
auto timed(double& seconds, const Body& body) {
  const Stopwatch watch(seconds);
  return body();
}

}  // namespace

GpuBatch::GpuBatch(const SequenceSet& sequences, const GpuVariant& variant, unsigned threads,
                   const OpenDevice& device)
    : GpuBatch(sequences, variant, threads, device, *std::make_unique<GpuBatchMemory>()) {}

GpuBatch::GpuBatch(const SequenceSet& sequences, const GpuVariant& variant, unsigned threads,
                   const OpenDevice& device, GpuBatchMemory& memory)
    : layout(timed(times.pack,
                   [&] {
                     const std::size_t residues_count = sequences.residue_count();
                     return GpuLayout(sequences, variant.longest_tiled(residues_count),
                                      variant.chains * (variant.is_small(residues_count) ? 2 : 1),
                                      variant.group_chains, threads);
                   })),
      short_sequences(static_cast<cl_uint>(layout.order.size())),
      chains(static_cast<cl_uint>(layout.chain_tiles.size() - 1)),
      pair_chains(static_cast<cl_uint>(layout.pair_chain_tiles.size() - 1)),
      small(variant.is_small(sequences.residue_count())) {
  const Queue queue(device, Timing::Off);
  residues = memory.residues.for_batch(device, layout.words() * sizeof(cl_uint));
  if (layout.words() > 0) send_blocks(layout, threads, queue, memory, times);
  const Stopwatch watch(times.copy);
  block_starts = sent(queue, memory.block_starts, layout.block_starts);
  block_words = sent(queue, memory.block_words, layout.block_words);
  order = sent(queue, memory.order, layout.order);
  chain_words = sent(queue, memory.chain_words, layout.chain_words);
  chain_tiles = sent(queue, memory.chain_tiles, layout.chain_tiles);
  tile_sequences = sent(queue, memory.tile_sequences, layout.tile_sequences);
  pair_tiles = sent(queue, memory.pair_tiles, layout.pair_tiles);
  pair_chain_tiles = sent(queue, memory.pair_chain_tiles, layout.pair_chain_tiles);
  layout.chain_words = {};
  layout.pair_tiles = {};
  layout.tile_sequences = {};
}

}  // namespace gpuhmm
