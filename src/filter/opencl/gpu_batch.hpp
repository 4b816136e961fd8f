// A set of sequences in the memory of a GPU, in the layouts of the fast kernels.
#pragma once

#include <cstddef>

#include "filter/opencl/gpu_layout.hpp"
#include "filter/opencl/gpu_variant.hpp"
#include "filter/sequence_set.hpp"
#include "opencl/open_device.hpp"

namespace gpuhmm {

/// Host time of preparing a batch, seconds.
struct GpuUploadTimes {
  double pack = 0;  ///< sorting, packing, and copies meanwhile
  double copy = 0;  ///< copies after that
};

/// Only read after it was made, so that any number of threads may use it.
struct GpuBatch {
  /// Sorts, packs over `threads` threads and uploads; packing and copying overlap. Throws
  /// EngineFailure.
  GpuBatch(const SequenceSet& sequences, const GpuVariant& variant, unsigned threads,
           const OpenDevice& device);

  std::size_t size() const { return layout.lengths.size(); }
  /// Rows of all chains of long sequences together; of pairs fewer.
  std::size_t chain_rows() const { return std::size_t{layout.chain_tiles.back()} * kGpuLongRows; }

  GpuLayout layout;  ///< without what only the device needs
  cl::Buffer residues, block_starts, block_words, order;
  cl::Buffer chain_words, chain_tiles, tile_sequences;
  cl::Buffer pair_tiles, pair_chain_tiles;
  cl_uint short_sequences = 0;
  cl_uint chains = 0, pair_chains = 0;
  bool small;          ///< GpuVariant::is_small
  int own_item_pairs;  ///< up to so many, a chain of long sequences has a work-group of its own
  GpuUploadTimes times;
};

}  // namespace gpuhmm
