// The residues of a batch in the memory of a device.
#pragma once

#include <cstdint>
#include <span>

#include "gpuhmm/sequence.hpp"
#include "opencl/growing_buffer.hpp"
#include "opencl/staged_pieces.hpp"

namespace gpuhmm::hmmer3 {

class ResidentResidues;

/// Copies residues to places from number `first` of `to` on; waits. `threads` threads fill pinned memory.
/// Throws EngineFailure.
void copy_residues(const Queue& queue, std::span<const std::uint8_t> residues, const cl::Buffer& to,
                   std::uint64_t first, StagedPieces& staging, unsigned threads);

/// The residues of one batch after another, those of its sequences one after the other. Not thread-safe.
class DeviceResidues {
 public:
  /// `resident`: those that stay on the device, if it is not null; it must outlive this.
  explicit DeviceResidues(ResidentResidues* resident = nullptr) : resident_(resident) {}

  /// Copies those of `batch` in place of the last ones, which nothing uses any more, unless they are
  /// resident, or become so; `threads` threads help. Throws EngineFailure.
  void load(const Queue& queue, const SequenceBatch& batch, unsigned threads);

  const cl::Buffer& buffer() const { return buffer_; }
  /// Where those of the batch begin in it.
  std::uint64_t first() const { return first_; }

 private:
  ResidentResidues* resident_;
  GrowingBuffer own_;
  StagedPieces staging_;
  cl::Buffer buffer_;
  std::uint64_t first_ = 0;
};

}  // namespace gpuhmm::hmmer3
