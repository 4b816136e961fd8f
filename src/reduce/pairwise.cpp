// Blocks of the fixed tree on vector units; see the header.
#include "reduce/pairwise.hpp"

#include <algorithm>
#include <array>

#include "reduce/lanes.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kRows = 8;                    // that add_eight adds
constexpr std::size_t kLanes = kTreeBlock / kRows;  // items of a row of small items
constexpr std::size_t kShort = 32;  // numbers up to which rows are too short to be read eight at a time
constexpr std::size_t kWide = 512;  // numbers from which an item is a row of its own

// Small items: 32 of them are a row.
template <class T>
void add_narrow(const T* items, std::size_t width, bool ignore_nan, double* sums) {
  std::array<const T*, kRows> rows;
  // The processor foresees one stream of memory, but not eight short rows: those are copied first.
  alignas(64) std::array<T, kTreeBlock * kShort> copy;
  if (width <= kShort) {
    std::copy_n(items, kTreeBlock * width, copy.begin());
    items = copy.data();
  }
  for (std::size_t k = 0; k < kRows; ++k) rows[k] = items + k * kLanes * width;
  std::array<double, kLanes * kWide> lanes;
  add_eight(rows.data(), kLanes * width, ignore_nan, lanes.data());
  fold_rows(lanes.data(), kLanes, width);
  std::copy_n(lanes.begin(), width, sums);
}

// Large items: a part of their numbers at a time; items that are not there are rows of -0.
template <class T>
void add_wide(const T* items, std::size_t count, std::size_t width, bool ignore_nan, double* sums) {
  const std::vector<T> nothing(kWide, T{-0.0F});
  std::array<double, kLanes * kWide> lanes;
  for (std::size_t first = 0; first < width; first += kWide) {
    const std::size_t part = std::min(kWide, width - first);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      std::array<const T*, kRows> rows;
      for (std::size_t k = 0; k < kRows; ++k) {
        const std::size_t item = k * kLanes + lane;
        rows[k] = item < count ? items + item * width + first : nothing.data();
      }
      add_eight(rows.data(), part, ignore_nan, lanes.data() + lane * part);
    }
    fold_rows(lanes.data(), kLanes, part);
    std::copy_n(lanes.begin(), part, sums + first);
  }
}

}  // namespace

template <class T>
void add_block(const T* items, std::size_t count, std::size_t width, bool ignore_nan, double* sums) {
  if (width >= kWide) return add_wide(items, count, width, ignore_nan, sums);
  if (count == kTreeBlock) return add_narrow(items, width, ignore_nan, sums);
  std::vector<T> filled(kTreeBlock * width, T{-0.0F});
  std::copy_n(items, count * width, filled.begin());
  add_narrow(filled.data(), width, ignore_nan, sums);
}

template void add_block(const float*, std::size_t, std::size_t, bool, double*);
template void add_block(const double*, std::size_t, std::size_t, bool, double*);

void BlockSums::push(std::size_t level, const double* sums) {
  if (level == levels_.size()) levels_.emplace_back();
  std::vector<double>& waiting = levels_[level];
  waiting.insert(waiting.end(), sums, sums + width_);
  if (waiting.size() < kTreeBlock * width_) return;
  std::vector<double> block(width_);
  add_block(waiting.data(), kTreeBlock, width_, false, block.data());
  waiting.clear();
  push(level + 1, block.data());
}

std::vector<double> BlockSums::total() {
  // A block of one number is that number: the tree may be closed with more levels than it needs.
  std::vector<double> sum(width_);
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    std::vector<double> waiting;
    waiting.swap(levels_[level]);
    if (waiting.empty()) continue;
    add_block(waiting.data(), waiting.size() / width_, width_, false, sum.data());
    if (level + 1 < levels_.size()) push(level + 1, sum.data());
  }
  levels_.clear();
  return sum;
}

}  // namespace gpuhmm
