// A batch of sequences in the memory of a CPU device, for the striped kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "filter/simd/sorted_batch.hpp"
#include "filter/simd/striped_model.hpp"
#include "opencl/queue.hpp"

namespace gpuhmm {

/// Groups of sequences that a kernel scores together.
struct StripedGroups {
  std::vector<cl_uint> places;  ///< of all members in their slice, longest first
  cl::Buffer members;           ///< [group][size]: the same on the device, padded with kNoSequence
  cl_uint count = 0;
};

/// Consecutive sequences of a batch's order, on the device. The place of a sequence in the slice is its place
/// in the order minus `first`.
struct StripedSlice {
  std::size_t first = 0, last = 0;  ///< elements first .. last - 1 of the order
  cl::Buffer residues;
  cl::Buffer starts, lengths;  ///< of every sequence, in residues
  StripedGroups even_chunks;   ///< sequences of similar length, two in a vector
  StripedGroups uneven_whole;  ///< all others, one in a vector
  StripedGroups all_whole;     ///< all sequences, one in a vector

  std::size_t size() const { return last - first; }
};

/// Vectors of sequences that the kernels compute side by side.
inline constexpr std::size_t kStripedVectors = 2;
/// Members of a group.
constexpr std::size_t striped_group_size(simd::Packing packing) {
  return packing == simd::Packing::Chunks ? 2 * kStripedVectors : kStripedVectors;
}

/// Makes groups of consecutive `places`, which are in order of length.
StripedGroups make_striped_groups(const Queue& queue, std::vector<cl_uint> places, simd::Packing packing);

/// A batch in slices on the device.
class StripedBatch : public PreparedBatch {
 public:
  /// Copies the sequences to the device in slices of at most `slice_bytes` residues. Throws EngineFailure.
  StripedBatch(const SequenceSet& sequences, const Queue& queue, std::size_t slice_bytes);

  const SequenceSet& sequences() const { return sorted_.sequences(); }
  /// Indices into the batch, longest first, without empty sequences.
  const std::vector<std::size_t>& order() const { return sorted_.order(); }
  /// Slices of the order. Sequences too long for a slice are in none.
  const std::vector<StripedSlice>& slices() const { return slices_; }

 private:
  void add_slice(const Queue& queue, std::span<const simd::SortedBatch::Piece> pieces);

  simd::SortedBatch sorted_;
  std::vector<StripedSlice> slices_;
};

}  // namespace gpuhmm
