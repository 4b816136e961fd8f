// A batch in the order in which the SIMD kernels of the host score it.
#pragma once

#include <cstddef>
#include <vector>

#include "filter/sequence_set.hpp"
#include "gpuhmm/engine.hpp"

namespace gpuhmm::simd {

/// The indices of a batch's sequences, longest first, without the empty ones, split into pieces of work of
/// some thousand residues.
class SortedBatch : public PreparedBatch {
 public:
  /// Elements first .. last - 1 of order(). Packing::Chunks wastes little on an even piece: it consists of
  /// full groups, and the sequences of a group have similar lengths.
  struct Piece {
    std::size_t first, last;
    bool even;
  };

  explicit SortedBatch(const SequenceSet& sequences);

  const SequenceSet& sequences() const { return sequences_; }
  /// Indices into the batch, longest first.
  const std::vector<std::size_t>& order() const { return order_; }
  const std::vector<Piece>& pieces() const { return pieces_; }

 private:
  SequenceSet sequences_;
  std::vector<std::size_t> order_;
  std::vector<Piece> pieces_;
};

}  // namespace gpuhmm::simd
