// Packs a batch piece by piece and copies it to the device.
#include "filter/opencl/gpu_batch.hpp"

#include <algorithm>
#include <deque>
#include <mutex>
#include <utility>

#include "opencl/pinned_array.hpp"
#include "opencl/queue.hpp"
#include "util/parallel.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm {

namespace {

// Each thread packs a piece while other pieces are being copied. Pieces are small enough for a thread's
// cache; more threads do not make the copies faster.
constexpr std::size_t kPieceWords = std::size_t{256} << 10;
constexpr unsigned kMostPackers = 16;

// Memory for one piece, and its last copy.
struct Staging {
  cl_uint* words;
  cl::Event sent;

  void send(const Queue& queue, const cl::Buffer& to, std::size_t first, std::size_t count) {
    sent = queue.send(to, words, count, first);
    queue.flush();
  }
};

}  // namespace

// Memory for pieces, shared by the threads; the piece that was sent first is reused first. It is taken at
// once, since drivers need about as long for a piece as for all.
class StagingPool {
 public:
  StagingPool(std::size_t count, const Queue& queue, std::size_t words)
      : words_(words), memory_(queue, count * words) {
    for (std::size_t i = 0; i < count; ++i) free_.push_back({memory_.data() + i * words, {}});
  }

  // Whether it has so many pieces of so many words.
  bool has(std::size_t count, std::size_t words) const { return free_.size() >= count && words_ >= words; }

  // Never finds the pool empty, as there are at least as many pieces of memory as threads in use.
  Staging take() {
    const std::lock_guard lock(mutex_);
    Staging staging = std::move(free_.front());
    free_.pop_front();
    return staging;
  }
  void give_back(Staging staging) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(staging));
  }
  void wait(const Queue& queue) const {
    for (const Staging& staging : free_) queue.wait(staging.sent);
  }

 private:
  std::size_t words_;
  PinnedArray<cl_uint> memory_;
  std::mutex mutex_;
  std::deque<Staging> free_;
};

namespace {

// Blocks that are packed and sent together.
struct Piece {
  std::size_t first, last;
};

std::vector<Piece> pieces_of(const GpuLayout& layout) {
  std::vector<Piece> pieces;
  for (std::size_t first = 0; first < layout.blocks();) {
    std::size_t last = first + 1;
    while (last < layout.blocks() &&
           layout.block_starts[last + 1] - layout.block_starts[first] <= kPieceWords)
      ++last;
    pieces.push_back({first, last});
    first = last;
  }
  return pieces;
}

void send_blocks(const GpuLayout& layout, unsigned threads, const Queue& queue, GpuBatchMemory& memory,
                 GpuUploadTimes& times) {
  const std::vector<Piece> pieces = pieces_of(layout);
  const auto words = [&](const Piece& piece) {
    return layout.block_starts[piece.last] - layout.block_starts[piece.first];
  };
  const std::size_t most = words(*std::ranges::max_element(pieces, {}, words));
  const unsigned packers = std::min(threads, kMostPackers);
  const std::size_t count = std::min<std::size_t>(2 * packers, pieces.size());
  if (!memory.staging || !memory.staging->has(count, most)) {
    memory.staging = std::make_unique<StagingPool>(count, queue, most);
  }
  StagingPool& pool = *memory.staging;
  const cl::Buffer& to = memory.residues.buffer();
  {
    const Stopwatch watch(times.pack);
    parallel_for(packers, pieces.size(), 1, [&](std::size_t p, std::size_t) {
      Staging staging = pool.take();
      queue.wait(staging.sent);
      layout.pack_blocks(pieces[p].first, pieces[p].last, staging.words);
      staging.send(queue, to, layout.block_starts[pieces[p].first], words(pieces[p]));
      pool.give_back(std::move(staging));
    });
  }
  const Stopwatch watch(times.copy);
  pool.wait(queue);
}

template <class Body>
auto timed(double& seconds, const Body& body) {
  const Stopwatch watch(seconds);
  return body();
}

}  // namespace

GpuBatchMemory::GpuBatchMemory() = default;
GpuBatchMemory::~GpuBatchMemory() = default;

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
                                      variant.group_chains);
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
