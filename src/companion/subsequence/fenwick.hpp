// Levels by a Fenwick tree over ranks, swept from the last element to the first, several levels a sweep.
//
// Level j of an element needs level j - 1 of later elements only, so one walk of the tree serves as many
// levels as its nodes hold. Level 2 needs no tree: the best follower is the element of highest rank seen so
// far.
#pragma once

#include <cstddef>
#include <vector>

#include "companion/subsequence/levels.hpp"

namespace gpuhmm {

/// O(n log n) for up to 8 levels (9 behind the first). On several threads one sweep follows the other through
/// the vector, at a distance of a block, each over its own levels.
template <class Sum>
class FenwickLevels : public LevelEngine<Sum> {
 public:
  /// `threads`, at least 1: each needs as much memory as 16 levels.
  explicit FenwickLevels(const RankedVector<Sum>& vector, unsigned threads = 1)
      : vector_(vector), threads_(threads) {}

  std::size_t width(std::size_t from) const override;
  void advance(std::size_t from, std::span<const Sum> level, std::span<Sum* const> next) override;

 private:
  RankedVector<Sum> vector_;
  unsigned threads_;
};

/// The best subsequence of any length: the largest sum, of equal ones the fewest elements, then the smallest
/// positions. Positions, first to last; none only of an empty vector. O(n log n).
template <class Sum>
std::vector<std::size_t> best_of_any_length(const RankedVector<Sum>& vector);

}  // namespace gpuhmm
