// Vectors for the tests of the published recurrence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace gpuhmm::experiment {

/// `count` and fewer values: random, with ties, negative, large, rising, falling, constant, two and one of
/// them.
inline std::vector<std::vector<std::int32_t>> varied_vectors(std::size_t count) {
  std::mt19937 random(5);
  std::vector<std::vector<std::int32_t>> vectors;
  const auto draw = [&](std::int32_t low, std::int32_t high) {
    std::uniform_int_distribution<std::int32_t> value(low, high);
    std::vector<std::int32_t>& values = vectors.emplace_back(count);
    for (std::int32_t& one : values) one = value(random);
  };
  draw(1, 1'000'000);
  draw(0, 9);
  draw(-50, 50);
  draw(-70'000'000, 70'000'000);
  std::vector<std::int32_t> rising(count);
  std::iota(rising.begin(), rising.end(), -20);
  vectors.push_back(rising);
  vectors.emplace_back(rising.rbegin(), rising.rend());
  vectors.emplace_back(count, 7);
  vectors.push_back({3, 5});
  vectors.push_back({5, 3});
  return vectors;
}

}  // namespace gpuhmm::experiment
