// Cells of several sequences side by side, as the sweeps have them in their vectors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "simd/aligned_buffer.hpp"

namespace gpuhmm::hmmer3 {

/// Rows of M and I, [step][M, I][group][stripe], and of D, if wanted, [step][group][stripe]; each sequence
/// has a group of four lanes. All begin in row 1; those that end early leave the rest of their lanes
/// undefined. Forward's cells are not divided by the row's scale.
class SharedRows {
 public:
  /// Bytes above which fewer sequences share rows, or none: larger rows are fresh memory more often, and a
  /// traceback's cells lie farther apart (docs/history/benchmarks-hmmer3.md has other limits).
  static constexpr std::size_t kMostShared = std::size_t{16} << 20U;
  static std::size_t bytes(std::size_t rows, std::size_t steps, std::size_t width, bool with_deletes) {
    return (rows + 1) * steps * (with_deletes ? 3 : 2) * width * sizeof(float);
  }

  /// `width`: lanes of all groups. Row 0 is 0, other content is not defined afterwards.
  void resize(std::size_t rows, std::size_t steps, std::size_t width, bool with_deletes) {
    steps_ = steps;
    width_ = width;
    with_deletes_ = with_deletes;
    cells_.reserve((rows + 1) * steps * 2 * width);
    std::fill_n(cells_.data(), steps * 2 * width, 0.0F);
    if (!with_deletes) return;
    deletes_.reserve((rows + 1) * steps * width);
    std::fill_n(deletes_.data(), steps * width, 0.0F);
  }
  bool with_deletes() const { return with_deletes_; }
  float* row(std::size_t i) { return cells_.data() + i * steps_ * 2 * width_; }
  const float* row(std::size_t i) const { return cells_.data() + i * steps_ * 2 * width_; }
  float* deletes(std::size_t i) { return deletes_.data() + i * steps_ * width_; }
  const float* deletes(std::size_t i) const { return deletes_.data() + i * steps_ * width_; }
  std::size_t width() const { return width_; }
  /// Memory for the choices of the accuracy alignment of the same sequences (AccuracySweep), kept likewise.
  simd::AlignedBuffer<std::uint8_t>& choices() { return choices_; }

 private:
  friend class BorrowedRows;
  std::size_t capacity() const {  // bytes
    return (cells_.capacity() + deletes_.capacity()) * sizeof(float) + choices_.capacity();
  }

  std::size_t steps_ = 0, width_ = 0;
  bool with_deletes_ = false;
  simd::AlignedBuffer<float> cells_, deletes_;
  simd::AlignedBuffer<std::uint8_t> choices_;
};

/// Rows that are used for one group of sequences after another, and left to the next user then: fresh memory
/// costs more than the cells. Memory of a size that is seldom needed is given back, so that it does not grow
/// with the number of threads; of more if the process keeps what is freed (keep_freed_memory()).
class BorrowedRows {
 public:
  BorrowedRows();
  ~BorrowedRows();
  BorrowedRows(const BorrowedRows&) = delete;
  BorrowedRows& operator=(const BorrowedRows&) = delete;

  SharedRows& rows() { return rows_; }

 private:
  SharedRows rows_;
};

}  // namespace gpuhmm::hmmer3
