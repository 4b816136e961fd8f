// Random vectors for tests of segments, and brute-force searches by the definitions.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "companion/segments/segment.hpp"

namespace gpuhmm::test {

using Ints = std::vector<std::int64_t>;
using Found = std::vector<Segment<std::int64_t>>;

/// The best segment by trying all; of equal sums the one that ends first, then the shortest.
inline Segment<std::int64_t> brute_best(std::span<const std::int64_t> x) {
  Segment<std::int64_t> best;
  for (std::uint64_t end = 1; end <= x.size(); ++end) {
    std::int64_t sum = 0;
    for (std::uint64_t begin = end; begin-- > 0;) {
      sum += x[begin];
      if (sum > best.score) best = {begin, end, sum};
    }
  }
  return best;
}

/// All maximal segments by the definition (segment.hpp).
inline Found brute_maximal(std::span<const std::int64_t> x) {
  std::vector<std::int64_t> s(x.size() + 1, 0);
  for (std::size_t i = 0; i < x.size(); ++i) s[i + 1] = s[i] + x[i];
  const auto tight = [&](std::size_t l, std::size_t r) {
    for (std::size_t k = l + 1; k <= r; ++k) {
      if (s[k] <= s[l]) return false;
    }
    for (std::size_t k = l; k < r; ++k) {
      if (s[k] >= s[r]) return false;
    }
    return true;
  };
  Found found;
  // Tight segments are nested or disjoint, so the longest one at each position is maximal, taken from the
  // left.
  for (std::size_t l = 0; l < x.size();) {
    std::size_t widest = l;
    for (std::size_t r = x.size(); r > l && widest == l; --r) {
      if (tight(l, r)) widest = r;
    }
    if (widest > l) {
      found.push_back({l, widest, s[widest] - s[l]});
      l = widest;
    } else {
      ++l;
    }
  }
  return found;
}

/// A random vector of a kind from 0 to kVectorKinds - 1: many ties, all of one sign, zeros, drifts, zigzags
/// of falling amplitude, large values.
inline Ints random_vector(std::mt19937& random, std::size_t size, int kind) {
  const auto between = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  Ints x(size);
  for (std::size_t i = 0; i < size; ++i) {
    const auto falling = static_cast<std::int64_t>(size - i);
    switch (kind) {
      case 0:
        x[i] = between(-1, 1);
        break;
      case 1:
        x[i] = between(-9, 9);
        break;
      case 2:
        x[i] = between(-5, 0);
        break;
      case 3:
        x[i] = between(0, 5);
        break;
      case 4:
        x[i] = i % 2 == 0 ? falling : -falling;
        break;
      case 5:
        x[i] = between(-12, 8);
        break;
      case 6:
        x[i] = between(-1000000000, 1000000000);
        break;
      case 7:
        x[i] = 0;
        break;
      default:
        x[i] = (i / 3) % 2 == 0 ? between(-2, 3) : between(-3, 2);
        break;
    }
  }
  return x;
}

constexpr int kVectorKinds = 9;

}  // namespace gpuhmm::test
