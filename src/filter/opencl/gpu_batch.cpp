// Packing and copying of a batch; see the header.
#include "filter/opencl/gpu_batch.hpp"

#include <algorithm>
#include <array>

#include "util/stopwatch.hpp"

namespace gpuhmm {

namespace {

// One piece of the residues is packed while the one before is on its way.
constexpr std::size_t kPieceWords = std::size_t{2} << 20;

// Memory that the device can read without the driver's copying it first.
class Staging {
 public:
  Staging(const cl::Context& context, cl::CommandQueue& queue, std::size_t words)
      : queue_(queue),
        buffer_(context, CL_MEM_READ_ONLY | CL_MEM_ALLOC_HOST_PTR, words * sizeof(cl_uint)),
        words_(static_cast<cl_uint*>(
            queue.enqueueMapBuffer(buffer_, CL_TRUE, CL_MAP_WRITE, 0, words * sizeof(cl_uint)))) {}
  ~Staging() {
    try {
      wait();
      queue_.enqueueUnmapMemObject(buffer_, words_);
    } catch (const cl::Error&) {  // the call that failed before has told it
    }
  }
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  /// Its memory, when the last copy from it has ended.
  cl_uint* words() {
    wait();
    return words_;
  }
  void send(const cl::Buffer& to, std::size_t first, std::size_t count) {
    queue_.enqueueWriteBuffer(to, CL_FALSE, first * sizeof(cl_uint), count * sizeof(cl_uint), words_, nullptr,
                              &sent_);
    queue_.flush();
  }
  void wait() {
    if (sent_() != nullptr) sent_.wait();
    sent_ = cl::Event();
  }

 private:
  cl::CommandQueue& queue_;
  cl::Buffer buffer_;
  cl_uint* words_;
  cl::Event sent_;
};

void send_blocks(const GpuLayout& layout, unsigned threads, const cl::Context& context,
                 cl::CommandQueue& queue, const cl::Buffer& to, GpuUploadTimes& times) {
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
  std::array<Staging, 2> pieces{Staging(context, queue, most), Staging(context, queue, most)};
  std::size_t turn = 0;
  for (std::size_t first = 0; first < layout.blocks(); turn ^= 1U) {
    const std::size_t last = end_of_piece(first);
    cl_uint* out = nullptr;
    {
      const Stopwatch watch(times.copy);
      out = pieces[turn].words();
    }
    {
      const Stopwatch watch(times.pack);
      layout.pack_blocks(first, last, threads, out);
    }
    pieces[turn].send(to, layout.block_starts[first], layout.block_starts[last] - layout.block_starts[first]);
    first = last;
  }
  const Stopwatch watch(times.copy);
  for (Staging& piece : pieces) piece.wait();
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
      own_lane_pairs(variant.is_small(sequences.residue_count()) ? variant.own_lane_pairs : 0) {
  cl::CommandQueue queue(context, device);
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
  layout.stream_words = {};
  layout.tile_sequences = {};
}

}  // namespace gpuhmm
