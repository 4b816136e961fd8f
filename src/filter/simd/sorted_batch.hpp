// A batch in the order in which the host kernels take it.
#pragma once

#include <cstddef>
#include <vector>

#include "filter/sequence_set.hpp"
#include "gpuhmm/engine.hpp"

namespace gpuhmm::simd {

/// The indices of a batch's sequences, longest first, without the empty ones, and their cut into pieces of
/// work of some thousand residues.
class SortedBatch : public PreparedBatch {
 public:
  /// Places first .. last - 1 of order(). In an even piece sequences can be scored one in every 16
  /// bytes with little loss: their number is a multiple of such a group's, and those of a group are of
  /// similar length.
  struct Piece {
    std::size_t first, last;
    bool even;
  };

  explicit SortedBatch(const SequenceSet& sequences);

  const SequenceSet& sequences() const { return sequences_; }
  /// Indices into the batch, by length.
  const std::vector<std::size_t>& order() const { return order_; }
  const std::vector<Piece>& pieces() const { return pieces_; }

 private:
  SequenceSet sequences_;
  std::vector<std::size_t> order_;
  std::vector<Piece> pieces_;
};

}  // namespace gpuhmm::simd
