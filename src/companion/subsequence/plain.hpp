// The definition, computed directly: what every faster way is compared with.
#pragma once

#include "companion/subsequence/levels.hpp"

namespace gpuhmm {

/// Level after level over all pairs of elements, O(n^2) each.
template <class Sum>
class PlainLevels : public LevelEngine<Sum> {
 public:
  explicit PlainLevels(const RankedVector<Sum>& vector) : vector_(vector) {}

  std::size_t width(std::size_t) const override { return 1; }
  void advance(std::size_t, std::span<const Sum> level, std::span<Sum* const> next) override {
    for (std::size_t i = 0; i < vector_.size(); ++i) {
      Sum best = no_sum<Sum>();
      for (std::size_t j = i + 1; j < vector_.size(); ++j) {
        if (vector_.ranks[j] > vector_.ranks[i]) best = std::max(best, level[j]);
      }
      next[0][i] = sum_before(vector_.values[i], best);
    }
  }

 private:
  const RankedVector<Sum>& vector_;
};

}  // namespace gpuhmm
