// Packing and copying of a batch; see the header.
#include "filter/opencl/gpu_batch.hpp"

#include <algorithm>
#include <array>

#include "filter/opencl/pinned_memory.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm {

namespace {

// One piece of the residues is packed while the one before is on its way.
constexpr std::size_t kPieceWords = std::size_t{2} << 20;

// Memory for one piece, and its last copy.
struct Staging {
  PinnedArray<cl_uint> words;
  cl::Event sent;

  /// Its memory, when the last copy from it has ended.
  cl_uint* free_words() {
    wait();
    return words.data();
  }
  void send(const cl::CommandQueue& queue, const cl::Buffer& to, std::size_t first, std::size_t count) {
    queue.enqueueWriteBuffer(to, CL_FALSE, first * sizeof(cl_uint), count * sizeof(cl_uint), words.data(),
                             nullptr, &sent);
    queue.flush();
  }
  void wait() const {
    if (sent() != nullptr) wait_for(sent);
  }
};

void send_blocks(const GpuLayout& layout, unsigned threads, const cl::Context& context,
                 const cl::CommandQueue& queue, const cl::Buffer& to, GpuUploadTimes& times) {
  const auto end_of_piece = [&](std::size_t first) {
    std::size_t last = first + 1;
    while (last < layout.blocks() &&
           layout.block_starts[last + 1] - layout.block_starts[first] <= kPieceWords)
      ++last;
    return last;
  };
  std::size_t most = 0;
  for (std::size_t first = 0; first < layout.blocks(); first = end_of_piece(first)) {
    most = std::max<std::size_t>(most, layout.block_starts[end_of_piece(first)] - layout.block_starts[first]);
  }
  std::array<Staging, 2> pieces;
  for (Staging& piece : pieces) piece.words = PinnedArray<cl_uint>(context, queue, most);
  std::size_t turn = 0;
  for (std::size_t first = 0; first < layout.blocks(); turn ^= 1U) {
    const std::size_t last = end_of_piece(first);
    cl_uint* out = nullptr;
    {
      const Stopwatch watch(times.copy);
      out = pieces[turn].free_words();
    }
    {
      const Stopwatch watch(times.pack);
      layout.pack_blocks(first, last, threads, out);
    }
    pieces[turn].send(queue, to, layout.block_starts[first],
                      layout.block_starts[last] - layout.block_starts[first]);
    first = last;
  }
  const Stopwatch watch(times.copy);
  for (const Staging& piece : pieces) piece.wait();
}

template <class Body>
auto timed(double& seconds, const Body& body) {
  const Stopwatch watch(seconds);
  return body();
}

}  // namespace

GpuBatch::GpuBatch(const SequenceSet& sequences, const GpuVariant& variant, unsigned threads,
                   const cl::Context& context, const cl::Device& device)
    : layout(timed(times.pack,
                   [&] {
                     const std::size_t residues_count = sequences.residue_count();
                     return GpuLayout(sequences, variant.longest_tiled(residues_count),
                                      variant.streams * (variant.is_small(residues_count) ? 2 : 1),
                                      variant.group_streams);
                   })),
      short_sequences(static_cast<cl_uint>(layout.order.size())),
      streams(static_cast<cl_uint>(layout.stream_tiles.size() - 1)),
      pair_streams(static_cast<cl_uint>(layout.pair_stream_tiles.size() - 1)),
      small(variant.is_small(sequences.residue_count())),
      own_lane_pairs(variant.own_lane_pairs) {
  const cl::CommandQueue queue(context, device);
  if (layout.words() > 0) {
    residues = cl::Buffer(context, CL_MEM_READ_ONLY, layout.words() * sizeof(cl_uint));
    send_blocks(layout, threads, context, queue, residues, times);
  }
  const Stopwatch watch(times.copy);
  block_starts = upload(context, queue, layout.block_starts);
  block_words = upload(context, queue, layout.block_words);
  order = upload(context, queue, layout.order);
  stream_words = upload(context, queue, layout.stream_words);
  stream_tiles = upload(context, queue, layout.stream_tiles);
  tile_sequences = upload(context, queue, layout.tile_sequences);
  pair_tiles = upload(context, queue, layout.pair_tiles);
  pair_stream_tiles = upload(context, queue, layout.pair_stream_tiles);
  layout.stream_words = {};
  layout.pair_tiles = {};
  layout.tile_sequences = {};
}

}  // namespace gpuhmm
