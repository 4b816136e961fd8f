// A batch of sequences in the memory of a device, as the SSV kernel reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "filter/opencl/gpu_batch.hpp"
#include "gpuhmm/sequence.hpp"
#include "hmmer3/first_stage_marks.hpp"
#include "hmmer3/opencl/ssv_variant.hpp"

namespace gpuhmm::hmmer3 {

/// The lengths that occur in a batch.
struct LengthClasses {
  explicit LengthClasses(const SequenceBatch& batch);

  std::vector<LengthTerms> terms;       ///< of each class
  std::vector<std::uint32_t> class_of;  ///< of each sequence; not defined for empty ones
};

/// Device memory of one batch after another. Not thread-safe.
struct SsvBatchMemory {
  GpuBatchMemory sequences;
  GrowingBuffer order, classes;
};

/// The sequences, long ones in parts. As no diagonal is longer than the model, parts that have all but one of
/// the model's nodes in common show each diagonal whole.
class SsvBatch {
 public:
  /// Sorts, packs and uploads the sequences, by `threads` threads; parts have `overlap` residues in common.
  /// `memory`: its last batch is not used any more. Throws EngineFailure.
  SsvBatch(const SequenceBatch& batch, const LengthClasses& classes, std::size_t overlap,
           const SsvVariant& variant, unsigned threads, const OpenDevice& device, SsvBatchMemory& memory);

  /// The most nodes of a model that may be compared.
  std::size_t most_nodes() const { return overlap_ + 1; }

  GpuBatch sequences;
  cl::Buffer order;    ///< place -> sequence of the batch
  cl::Buffer classes;  ///< place -> class of its sequence's length

 private:
  std::size_t overlap_;
};

}  // namespace gpuhmm::hmmer3
