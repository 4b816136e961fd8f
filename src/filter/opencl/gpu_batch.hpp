// A set of sequences in the memory of a GPU, in the layouts of the fast kernels.
#pragma once

#include <cstddef>

#include "filter/opencl/gpu_layout.hpp"
#include "filter/opencl/gpu_variant.hpp"
#include "filter/sequence_set.hpp"
#include "opencl/growing_buffer.hpp"
#include "opencl/open_device.hpp"
#include "opencl/staged_pieces.hpp"

namespace gpuhmm {

/// Host time for preparing a batch, seconds.
struct GpuUploadTimes {
  double pack = 0;  ///< sorting and packing, with the copies at the same time
  double copy = 0;  ///< the copies after that
};

/// The memory of a batch, which the next batch can use: drivers wait for all kernels before they free
/// memory. Not thread-safe.
struct GpuBatchMemory {
  GrowingBuffer residues, block_starts, block_words, order, chain_words, chain_tiles, tile_sequences,
      pair_tiles, pair_chain_tiles;
  StagedPieces staging;  ///< from which residues are copied
};

/// The sequences of a batch on the device. Does not change once constructed: any number of threads may use
/// it.
struct GpuBatch {
  /// Sorts, packs with `threads` threads and uploads the sequences; packing and copying overlap. Throws
  /// EngineFailure.
  GpuBatch(const SequenceSet& sequences, const GpuVariant& variant, unsigned threads,
           const OpenDevice& device);
  /// The same in memory whose last batch nothing uses any more.
  GpuBatch(const SequenceSet& sequences, const GpuVariant& variant, unsigned threads,
           const OpenDevice& device, GpuBatchMemory& memory);

  std::size_t size() const { return layout.sequences.size(); }
  /// Total rows of all chains of long sequences; chains of pairs have fewer.
  std::size_t chain_rows() const { return std::size_t{layout.chain_tiles.back()} * kGpuLongRows; }

  GpuLayout layout;  ///< without the tables that only the device needs
  cl::Buffer residues, block_starts, block_words, order;
  cl::Buffer chain_words, chain_tiles, tile_sequences;
  cl::Buffer pair_tiles, pair_chain_tiles;
  cl_uint short_sequences = 0;
  cl_uint chains = 0, pair_chains = 0;
  bool small;  ///< GpuVariant::is_small
  GpuUploadTimes times;
};

}  // namespace gpuhmm
