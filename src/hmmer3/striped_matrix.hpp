// Cells of Forward, Backward and posterior decoding, striped as the model is.
#pragma once

#include <cstddef>

#include "hmmer3/float_model.hpp"

namespace gpuhmm::hmmer3 {

/// The states of a node that have cells.
enum CellState : std::size_t { kMatch, kDelete, kInsert, kCellStates };

/// Rows 0 to `rows` of [step][CellState][stripe]; kept and used again for other sizes.
class StripedMatrix {
 public:
  /// Content is not defined afterwards.
  void resize(std::size_t rows, std::size_t steps) {
    steps_ = steps;
    cells_.reserve((rows + 1) * row_size());
  }
  std::size_t row_size() const { return steps_ * kCellStates * kStripes; }
  float* row(std::size_t i) { return cells_.data() + i * row_size(); }
  const float* row(std::size_t i) const { return cells_.data() + i * row_size(); }

  /// The cell of node k >= 1 in row i; 0 for node 0.
  float cell(std::size_t i, CellState state, int k) const {
    if (k == 0) return 0;
    const std::size_t place = static_cast<std::size_t>(k - 1);
    return row(i)[(place % steps_ * kCellStates + state) * kStripes + place / steps_];
  }

 private:
  std::size_t steps_ = 0;
  simd::AlignedBuffer<float> cells_;
};

/// The states outside the nodes after one residue, and what the row was divided by.
struct SpecialRow {
  float e = 0, n = 0, j = 0, b = 0, c = 0, scale = 1;
};

}  // namespace gpuhmm::hmmer3
