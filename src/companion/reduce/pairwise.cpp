// Adds blocks of the fixed tree by vectorised loops.
#include "companion/reduce/pairwise.hpp"

#include <algorithm>

#include "companion/reduce/row_loops.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kBlockNumbers = std::size_t{1} << 18;  // most numbers of a block of more than 8 rows
constexpr std::size_t kMostRows = 512;

// `nodes`: memory for the nodes below, eight for each level.
template <class T>
void add_block(const T* rows, std::size_t count, std::size_t stride, std::size_t width, bool ignore_nan,
               double* nodes, double* sums) {
  if (count == kEight) return add_eight(rows, stride, width, ignore_nan, sums);
  const std::size_t part = count / kEight;
  for (std::size_t k = 0; k < kEight; ++k) {
    add_block(rows + k * part * stride, part, stride, width, ignore_nan, nodes + kEight * width,
              nodes + k * width);
  }
  fold_eight(nodes, width, sums);
}

}  // namespace

std::size_t tree_block_rows(std::size_t width) {
  std::size_t rows = kEight;
  while (rows < kMostRows && rows * kEight * width <= kBlockNumbers) rows *= kEight;
  return rows;
}

template <class T>
void add_block(const T* rows, std::size_t count, std::size_t stride, std::size_t width, bool ignore_nan,
               double* sums) {
  std::size_t nodes = 0;
  for (std::size_t part = count; part > kEight; part /= kEight) nodes += kEight;
  std::vector<double> place(nodes * width);
  add_block(rows, count, stride, width, ignore_nan, place.data(), sums);
}

template void add_block(const float*, std::size_t, std::size_t, std::size_t, bool, double*);
template void add_block(const double*, std::size_t, std::size_t, std::size_t, bool, double*);

void BlockSums::push(const double* sums) {
  std::vector<double> node(sums, sums + width_);
  std::size_t level = 0;
  for (; level < nodes_.size() && !nodes_[level].empty(); ++level) {
    for (std::size_t j = 0; j < width_; ++j) node[j] = nodes_[level][j] + node[j];
    nodes_[level].clear();
  }
  if (level == nodes_.size()) nodes_.emplace_back();
  nodes_[level].swap(node);
}

std::vector<double> BlockSums::total() {
  // Missing nodes count as -0, so a node without a neighbour goes up unchanged.
  std::vector<double> sum;
  for (std::vector<double>& node : nodes_) {
    if (node.empty()) continue;
    if (!sum.empty()) {
      for (std::size_t j = 0; j < width_; ++j) node[j] += sum[j];
    }
    sum.swap(node);
  }
  nodes_.clear();
  fold_rows(sum.data(), row_items_, item_size_);
  sum.resize(item_size_);
  return sum;
}

}  // namespace gpuhmm
