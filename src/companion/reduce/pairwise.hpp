// Adds real numbers block by block in the fixed order of reduce.hpp, which is a binary tree over rows.
//
// Every aligned block of 2^k rows is a node of the tree, so a stack can be cut into blocks of any such size.
#pragma once

#include <bit>
#include <cstddef>
#include <vector>

namespace gpuhmm {

/// The number L of matrices in a row of the tree: the least power of two with which a row has at least 64
/// float32 or 2048 float64. `item_size`: elements of a matrix, at least 1.
template <class T>
constexpr std::size_t tree_row_items(std::size_t item_size) {
  constexpr std::size_t kNumbers = sizeof(T) == 4 ? 64 : 2048;
  return std::bit_ceil((kNumbers + item_size - 1) / item_size);
}

/// A good block size for add_block, in rows of `width` numbers: 8, 64 or 512. Wide rows get small blocks,
/// because rows are kept in memory until their block is complete.
std::size_t tree_block_rows(std::size_t width);

/// Adds a block of `count` rows, a power of 8 from 8 on, of `width` numbers. Rows begin at a distance of
/// `stride` numbers. Writes the node of the tree, `width` numbers, to `sums`. `ignore_nan`: NaN counts as -0.
template <class T>
void add_block(const T* rows, std::size_t count, std::size_t stride, std::size_t width, bool ignore_nan,
               double* sums);

/// The upper part of the tree: adds the sums of blocks of equal size.
class BlockSums {
 public:
  /// For rows of `row_items` matrices (tree_row_items) of `item_size` elements.
  BlockSums(std::size_t row_items, std::size_t item_size)
      : row_items_(row_items), item_size_(item_size), width_(row_items * item_size) {}

  /// Adds the sums of the next block, row_items * item_size numbers.
  void push(const double* sums);
  /// The sum of all blocks, at least one, as a matrix: also adds the matrices of a row. The object is empty
  /// afterwards.
  std::vector<double> total();

 private:
  std::size_t row_items_, item_size_, width_;
  std::vector<std::vector<double>> nodes_;  // by level: a node without its neighbour, or empty
};

}  // namespace gpuhmm
