// The memory in which a thread scores a group of sequences with a striped model.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "filter/simd/striped_model.hpp"
#include "simd/aligned_buffer.hpp"

namespace gpuhmm::simd {

/// Sequences scored side by side, longest first; at least one, at most as many as two vectors hold.
using SequenceGroup = std::span<const std::span<const std::uint8_t>>;

/// Vectors computed side by side, which hides the latency of the scan across lanes.
inline constexpr std::size_t kVectorsAtOnce = 2;
/// The most bytes of a vector.
inline constexpr std::size_t kMostVectorBytes = 64;
/// The most sequences a group can have: one in every 16 bytes.
inline constexpr std::size_t kLargestGroup = kVectorsAtOnce * kMostVectorBytes / 16;

/// The state of one vector of sequences between rows.
template <class T>
struct SweepState {
  static constexpr std::size_t kMostLanes = kMostVectorBytes / sizeof(T);

  /// [vector][Q, I before its emission][lane]
  AlignedBuffer<T> cells;
  /// D~ that enters each lane and is not yet included in the cells.
  alignas(kMostVectorBytes) std::array<T, kMostLanes> lazy_f;
  /// Largest M~ so far.
  alignas(kMostVectorBytes) std::array<T, kMostLanes> best;

  /// Sets row 0: only deletes from B reach a node.
  void start(const StripedModel<T>& model, std::size_t lanes) {
    cells.reserve(model.shape.vectors * 2 * lanes);
    std::fill_n(cells.data(), model.shape.vectors * 2 * lanes, model.floor);
    lazy_f.fill(model.first_d);
    best.fill(model.floor);
  }
};

/// The states of the vectors that are computed side by side.
template <class T>
struct Workspace {
  std::array<SweepState<T>, kVectorsAtOnce> states;
  std::size_t lazy_f_rows = 0;  ///< rows so far in which LazyFRule::WhenUseful applied lazy-F
};

}  // namespace gpuhmm::simd
