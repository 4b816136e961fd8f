// A batch of sequences in the memory of a device, as the SSV kernel reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "filter/opencl/gpu_layout.hpp"
#include "gpuhmm/sequence.hpp"
#include "hmmer3/first_stage_marks.hpp"
#include "hmmer3/opencl/device_residues.hpp"
#include "hmmer3/opencl/ssv_variant.hpp"
#include "opencl/growing_buffer.hpp"
#include "opencl/kernel_set.hpp"
#include "opencl/open_device.hpp"
#include "opencl/queue.hpp"

namespace gpuhmm::hmmer3 {

/// The lengths that occur in a batch.
struct LengthClasses {
  explicit LengthClasses(const SequenceBatch& batch);

  std::vector<LengthTerms> terms;       ///< of each class
  std::vector<std::uint32_t> class_of;  ///< of each sequence; not defined for empty ones
};

/// Packs sequences on a device. Not thread-safe.
class SsvPacker {
 public:
  /// Builds the kernel. `device` must outlive it.
  explicit SsvPacker(const OpenDevice& device);

  /// The blocks of a layout without long sequences.
  struct Blocks {
    Blocks(const GpuLayout& layout, const SequenceBatch& batch);

    std::vector<cl_ulong> firsts;       ///< of each place the first residue in the batch
    std::vector<cl_uint> lengths;       ///< of each place
    std::vector<std::uint64_t> starts;  ///< GpuLayout::block_starts
    std::vector<std::int32_t> words;    ///< GpuLayout::block_words
  };
  /// Device memory of one batch after another.
  struct Memory {
    GrowingBuffer packed, firsts, lengths, block_starts, block_words, order, classes;
  };
  /// Packs the blocks as GpuLayout::pack_blocks() does, from the residues of the batch, on the device. Fills
  /// `packed`, `block_starts` and `block_words`. Waits. Throws EngineFailure.
  void pack(const Blocks& blocks, const DeviceResidues& residues, Memory& memory);

  const Queue& queue() const { return queue_; }

 private:
  const OpenDevice& device_;
  KernelSet kernels_;
  Queue queue_;
};

/// The sequences, long ones in parts. As no diagonal is longer than the model, parts that have all but one of
/// the model's nodes in common show each diagonal whole.
class SsvBatch {
 public:
  /// Sorts the sequences; parts have `overlap` residues in common.
  SsvBatch(const SequenceBatch& batch, const LengthClasses& classes, std::size_t overlap,
           const SsvVariant& variant);

  /// Packs them on the device, where the residues of the batch are. To be called once, before they are used.
  /// `memory`: its last batch is not used any more. Throws EngineFailure.
  void send(const DeviceResidues& residues, SsvPacker& packer, SsvPacker::Memory& memory);
  bool is_sent() const { return !to_send_; }

  /// The most nodes of a model that may be compared.
  std::size_t most_nodes() const { return overlap_ + 1; }
  /// Sequences and parts.
  cl_uint places() const { return places_; }

  cl::Buffer residues, block_starts, block_words;  ///< as SsvPacker packs them
  cl::Buffer order;                                ///< place -> sequence of the batch
  cl::Buffer classes;                              ///< place -> class of its sequence's length

 private:
  struct ToSend {
    SsvPacker::Blocks blocks;
    std::vector<std::uint32_t> order, classes;
  };

  std::size_t overlap_;
  cl_uint places_;
  std::optional<ToSend> to_send_;
};

}  // namespace gpuhmm::hmmer3
