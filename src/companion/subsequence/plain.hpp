// Computes levels directly by their definition (levels.hpp): the reference for the faster methods.
#pragma once

#include "companion/subsequence/levels.hpp"
#include "util/parallel.hpp"

namespace gpuhmm {

/// Computes one level at a time from all pairs of elements, in O(n^2), on `threads` threads.
template <class Sum>
class PlainLevels : public LevelEngine<Sum> {
 public:
  explicit PlainLevels(const RankedVector<Sum>& vector, unsigned threads = 1)
      : vector_(vector), threads_(threads) {}

  std::size_t width(std::size_t) const override { return 1; }
  void advance(std::size_t, std::span<const Sum> level, std::span<Sum* const> next) override {
    constexpr std::size_t kBlock = 64;
    parallel_for(threads_, vector_.size(), kBlock, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) next[0][i] = sum_at(i, level);
    });
  }

 private:
  Sum sum_at(std::size_t i, std::span<const Sum> level) const {
    Sum best = no_sum<Sum>();
    for (std::size_t j = i + 1; j < vector_.size(); ++j) {
      if (vector_.ranks[j] > vector_.ranks[i]) best = std::max(best, level[j]);
    }
    return sum_before(vector_.values[i], best);
  }

  const RankedVector<Sum>& vector_;
  unsigned threads_;
};

}  // namespace gpuhmm
