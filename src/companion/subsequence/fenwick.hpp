// Computes levels (levels.hpp) by a Fenwick tree over ranks, in sweeps from the last element to the first,
// several levels per sweep.
//
// Level j of an element depends on level j - 1 of later elements only, so one walk through the tree serves as
// many levels as its nodes hold. Level 2 needs no tree: the best follower of an element is the later one of
// highest rank.
#pragma once

#include <cstddef>
#include <vector>

#include "companion/subsequence/levels.hpp"

namespace gpuhmm {

/// Takes O(n log n) for up to 8 levels (9 after the first one). On several threads, each computes other
/// levels; their sweeps follow each other through the vector at a distance of at least a block.
template <class Sum>
class FenwickLevels : public LevelEngine<Sum> {
 public:
  /// `threads`: at least 1; each needs as much memory as 16 levels.
  explicit FenwickLevels(const RankedVector<Sum>& vector, unsigned threads = 1)
      : vector_(vector), threads_(threads) {}

  std::size_t width(std::size_t from) const override;
  void advance(std::size_t from, std::span<const Sum> level, std::span<Sum* const> next) override;

 private:
  RankedVector<Sum> vector_;
  unsigned threads_;
};

/// The positions, ascending, of the best subsequence of any length: it has the largest sum; of equal sums the
/// fewest elements, then the smallest positions. Empty only for an empty vector. O(n log n).
template <class Sum>
std::vector<std::size_t> best_of_any_length(const RankedVector<Sum>& vector);

}  // namespace gpuhmm
