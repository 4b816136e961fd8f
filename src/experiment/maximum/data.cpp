// Draws data. A number depends only on its position and the seed, so threads can share the work.
#include "experiment/maximum/data.hpp"

#include <algorithm>

#include "util/parallel.hpp"

namespace gpuhmm::experiment::maximum {

namespace {

constexpr std::size_t kBlock = std::size_t{1} << 18;  // numbers that a thread draws at a time

// Uniform in [0, 1), by SplitMix64 (Steele, Lea and Flood 2014).
double uniform(std::uint32_t seed, std::uint64_t place) {
  std::uint64_t x = (std::uint64_t{seed} << 40) + (place + 1) * 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  x ^= x >> 31;
  return static_cast<double>(x >> 32) / 4294967296.0;
}

// The publication's formula, which rounds towards 0.
std::int32_t published_number(std::uint32_t seed, std::uint64_t place) {
  return static_cast<std::int32_t>(uniform(seed, place) * 2000 - 1000);
}

// An integer from 1 to `most`.
std::int32_t positive_number(std::uint32_t seed, std::uint64_t place, int most) {
  return 1 + static_cast<std::int32_t>(uniform(seed, place) * most);
}

// Element `place` of a sequence that takes the four branches in turn: a new best segment begins, it grows,
// the best suffix shrinks, and it becomes empty. Each best segment has a larger sum than the one before.
std::int32_t turning_number(std::size_t place) {
  const auto rise = static_cast<std::int32_t>(2 * (place / 4) + 2);
  switch (place % 4) {
    case 0:
      return rise;
    case 1:
      return 1;
    case 2:
      return -1;
    default:
      return -2 * rise;
  }
}

template <class Number>
Numbers made(std::size_t count, unsigned threads, const Number& number) {
  Numbers numbers(count);
  parallel_for(threads, count, kBlock, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) numbers[i] = number(i);
  });
  return numbers;
}

}  // namespace

const char* data_set_name(DataSet set) {
  switch (set) {
    case DataSet::Random:
      return "random";
    case DataSet::Positive:
      return "positive";
    case DataSet::Negative:
      return "negative";
    case DataSet::InStep:
      return "in-step";
    case DataSet::OutOfStep:
      break;
  }
  return "out-of-step";
}

Numbers subsequence_data(DataSet set, std::size_t size, std::size_t run, std::uint32_t seed,
                         unsigned threads) {
  return made(size, threads, [=](std::size_t i) {
    switch (set) {
      case DataSet::Random:
        return published_number(seed, i);
      case DataSet::Positive:
        return positive_number(seed, i, 999);
      case DataSet::Negative:
        return -positive_number(seed, i, 999);
      case DataSet::InStep:
        return published_number(seed, i % run);
      case DataSet::OutOfStep:
        break;
    }
    return turning_number(i % run + i / run % 4);
  });
}

Numbers submatrix_data(DataSet set, std::size_t size, std::uint32_t seed, unsigned threads) {
  return made(size * size, threads, [=](std::size_t i) {
    const std::size_t row = i / size, column = i % size;
    switch (set) {
      case DataSet::Random:
        return published_number(seed, i);
      case DataSet::Positive:
        return positive_number(seed, i, 99);
      case DataSet::Negative:
        return -positive_number(seed, i, 99);
      case DataSet::InStep:  // the sum of a pair in a row is the row's number times the width
        return published_number(seed, row);
      case DataSet::OutOfStep:
        break;
    }
    // The prefix sums of the row are these numbers, so pairs (0, h) have them as sums.
    const std::int32_t before = column == 0 ? 0 : turning_number(row + (column - 1) % 4);
    return turning_number(row + column % 4) - before;
  });
}

}  // namespace gpuhmm::experiment::maximum
