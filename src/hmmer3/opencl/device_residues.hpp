// The residues of a batch in the memory of a device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "gpuhmm/sequence.hpp"
#include "opencl/growing_buffer.hpp"
#include "opencl/staged_pieces.hpp"

namespace gpuhmm::hmmer3 {

/// The residues of one batch after another, those of its sequences one after the other. Not thread-safe.
class DeviceResidues {
 public:
  /// Copies those of `batch` in place of the last ones, which nothing uses any more; `threads` threads help.
  /// Throws EngineFailure.
  void load(const Queue& queue, const SequenceBatch& batch, unsigned threads) {
    constexpr std::size_t kWord = sizeof(cl_uint);
    if (batch.residue_count() == 0) return;
    const std::span residues(batch.residues(0).data(), batch.residue_count());
    const std::size_t words = (residues.size() + kWord - 1) / kWord;
    const cl::Buffer& to = buffer_.for_batch(queue.device(), words * kWord);
    const std::vector<StagedPieces::Piece> pieces = StagedPieces::pieces_of(words);
    staging_.send(queue, to, pieces, threads, [&](std::size_t p, cl_uint* out) {
      const std::size_t first = pieces[p].first * kWord;
      std::memcpy(out, residues.data() + first, std::min(pieces[p].count * kWord, residues.size() - first));
    });
    staging_.wait(queue);
  }

  const cl::Buffer& buffer() const { return buffer_.buffer(); }

 private:
  GrowingBuffer buffer_;
  StagedPieces staging_;
};

}  // namespace gpuhmm::hmmer3
