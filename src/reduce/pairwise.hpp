// Sums of real numbers in the fixed tree of reduce.hpp, taken part by part.
#pragma once

#include <cstddef>
#include <vector>

namespace gpuhmm {

/// Items that one block of the tree adds.
inline constexpr std::size_t kTreeBlock = 256;

/// Adds the `count` (at most kTreeBlock) items from `items` on, `width` numbers each, to one of `sums`.
template <class T>
void add_block(const T* items, std::size_t count, std::size_t width, bool ignore_nan, double* sums);

/// The upper part of the tree: sums of blocks in, the sum of all out.
class BlockSums {
 public:
  explicit BlockSums(std::size_t width) : width_(width) {}

  /// Adds the sums of the next block, `width` numbers.
  void push(const double* sums) { push(0, sums); }
  /// The sum of all blocks, of which there must be one; they are forgotten.
  std::vector<double> total();

 private:
  void push(std::size_t level, const double* sums);

  std::size_t width_;
  std::vector<std::vector<double>> levels_;  // sums not yet added, fewer than kTreeBlock a level
};

}  // namespace gpuhmm
