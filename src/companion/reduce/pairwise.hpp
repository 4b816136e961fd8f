// Sums of real numbers in the fixed tree of reduce.hpp, taken part by part.
//
// Every aligned block of a power of two of rows is a node of the tree, so that the stack may be cut into
// blocks of any such size.
#pragma once

#include <bit>
#include <cstddef>
#include <vector>

namespace gpuhmm {

/// Matrices of a row of the tree, which are its lanes: the least power of two that makes 64 float32 or 2048
/// float64.
template <class T>
constexpr std::size_t tree_lanes(std::size_t item_size) {
  constexpr std::size_t kNumbers = sizeof(T) == 4 ? 64 : 2048;
  return std::bit_ceil((kNumbers + item_size - 1) / item_size);
}

/// Rows of `width` numbers that are a good block for add_block: 8, 64 or 512; fewer of wide rows, for they
/// have to be kept until there is a whole block.
std::size_t tree_block_rows(std::size_t width);

/// Adds a block of `count` rows, a power of 8, that begin `stride` numbers after each other: one node of the
/// tree, `width` numbers from `sums` on. ignore_nan: NaN counts as -0.
template <class T>
void add_block(const T* rows, std::size_t count, std::size_t stride, std::size_t width, bool ignore_nan,
               double* sums);

/// The upper part of the tree: sums of blocks of equal size in, the sum of all out.
class BlockSums {
 public:
  /// Of rows of `lanes` matrices of `item_size` elements.
  BlockSums(std::size_t lanes, std::size_t item_size)
      : lanes_(lanes), item_size_(item_size), width_(lanes * item_size) {}

  /// Adds the sums of the next block: lanes * item_size numbers.
  void push(const double* sums);
  /// The sum of all blocks, of which there must be one, and of all lanes: a matrix. The blocks are forgotten.
  std::vector<double> total();

 private:
  std::size_t lanes_, item_size_, width_;
  std::vector<std::vector<double>> nodes_;  // [level]: the node that waits for its neighbour, if there is one
};

}  // namespace gpuhmm
