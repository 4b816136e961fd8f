// Random vectors for tests of subsequences, and a search by enumeration.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "companion/subsequence/subsequence.hpp"

namespace gpuhmm::testing {

/// `count` integers, uniform in [low, high].
template <class T>
std::vector<T> random_vector(std::mt19937_64& rng, std::size_t count, std::int64_t low, std::int64_t high) {
  std::uniform_int_distribution<std::int64_t> draw(low, high);
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(draw(rng));
  return values;
}

/// The positions of the best subsequence, by trying all subsets; for vectors of up to about 14 elements.
template <class T>
std::vector<std::size_t> enumerate_best(const std::vector<T>& values, const SubsequenceQuery& query) {
  using Length = SubsequenceQuery::Length;
  std::vector<std::size_t> best;
  T best_sum{};
  for (std::uint32_t subset = 1; subset < 1U << values.size(); ++subset) {
    const auto size = static_cast<std::size_t>(std::popcount(subset));
    if (query.length == Length::Exactly && size != query.elements) continue;
    if (query.length == Length::AtMost && size > query.elements) continue;
    std::vector<std::size_t> positions;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if ((subset >> i & 1) != 0) positions.push_back(i);
    }
    T sum{};
    bool rises = true;
    for (std::size_t p = 0; p < positions.size(); ++p) {
      sum = static_cast<T>(sum + values[positions[p]]);
      if (p == 0) continue;
      const T before = values[positions[p - 1]], after = values[positions[p]];
      rises = rises && (query.non_decreasing ? before <= after : before < after);
    }
    if (!rises) continue;
    const bool better = best.empty() || sum > best_sum ||
                        (sum == best_sum && (positions.size() < best.size() ||
                                             (positions.size() == best.size() && positions < best)));
    if (better) {
      best = positions;
      best_sum = sum;
    }
  }
  return best;
}

}  // namespace gpuhmm::testing
