// Stacks of 3 x 3 matrices: random data, the sequential program, and the conversion to nine arrays.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gpuhmm::experiment {

inline constexpr std::size_t kPositions = 9;  ///< of a matrix

/// A value for each position of a matrix, row by row.
using Minima = std::array<std::int32_t, kPositions>;

/// `count` matrices of random 32-bit integers, one after the other.
std::vector<std::int32_t> random_stack(std::size_t count, std::uint32_t seed);

/// The minimum of each position over the matrices of a stack, sequentially.
Minima sequential_minima(std::span<const std::int32_t> stack);

/// Converts a stack to nine consecutive arrays, one for each position.
std::vector<std::int32_t> arrays_of(std::span<const std::int32_t> stack);

/// The correct minima of a stack, by the plain reference (reduce_plainly).
class ExpectedMinima {
 public:
  explicit ExpectedMinima(const std::vector<std::int32_t>& stack);
  /// Throws WrongResult, with the method's name, if `minima` are wrong.
  void check(const std::string& method, const Minima& minima) const;

 private:
  std::size_t count_;
  Minima minima_;
};

}  // namespace gpuhmm::experiment
