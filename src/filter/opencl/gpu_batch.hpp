// A set of sequences in the memory of a GPU, in the layouts of the fast kernels.
#pragma once

#include <cstddef>
#include <vector>

#include "filter/opencl/gpu_layout.hpp"
#include "filter/opencl/gpu_variant.hpp"
#include "filter/sequence_set.hpp"
#include "opencl/cl.hpp"

namespace gpuhmm {

/// Host time of preparing a batch, seconds.
struct GpuUploadTimes {
  double pack = 0;  ///< sorting, packing, and copies meanwhile
  double copy = 0;  ///< copies after that
};

/// Only read after it was made, so that any number of threads may use it.
struct GpuBatch {
  /// Sorts, packs over `threads` threads and uploads; packing and copying overlap. Throws cl::Error.
  GpuBatch(const SequenceSet& sequences, const GpuVariant& variant, unsigned threads,
           const cl::Context& context, const cl::Device& device);

  std::size_t size() const { return layout.lengths.size(); }
  /// Rows of all streams of long sequences together; of pairs fewer.
  std::size_t stream_rows() const { return std::size_t{layout.stream_tiles.back()} * kGpuLongRows; }

  GpuLayout layout;  ///< without what only the device needs
  cl::Buffer residues, block_starts, block_words, order;
  cl::Buffer stream_words, stream_tiles, tile_sequences;
  cl::Buffer pair_tiles, pair_stream_tiles;
  cl_uint short_sequences = 0;
  cl_uint streams = 0, pair_streams = 0;
  bool small;          ///< GpuVariant::is_small
  int own_lane_pairs;  ///< up to so many, a stream of long sequences has a work-group of its own
  GpuUploadTimes times;
};

/// A buffer with the values, read-only on the device; none for no values. Blocks.
template <class T>
cl::Buffer upload(const cl::Context& context, const cl::CommandQueue& queue, const std::vector<T>& values) {
  if (values.empty()) return {};
  cl::Buffer buffer(context, CL_MEM_READ_ONLY, values.size() * sizeof(T));
  queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, values.size() * sizeof(T), values.data());
  return buffer;
}

}  // namespace gpuhmm
