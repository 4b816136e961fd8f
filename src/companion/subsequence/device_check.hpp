// Checks the results of a device for a vector before they are used.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "companion/subsequence/levels.hpp"
#include "opencl/wrong_result.hpp"

namespace gpuhmm {

/// Throws WrongDeviceResult, naming `device`, unless `positions` are those of an increasing subsequence of
/// best.elements elements whose sum is best.sum.
template <class Sum>
void check_positions(const RankedVector<Sum>& vector, const BestLevel<Sum>& best,
                     std::span<const std::size_t> positions, const std::string& device) {
  const auto require = [&device](bool sound, const char* otherwise) {
    if (!sound) throw WrongDeviceResult(device, otherwise);
  };
  require(positions.size() == best.elements, "a wrong number of elements");
  Sum sum{};
  for (std::size_t i = 0; i < positions.size(); ++i) {
    require(positions[i] < vector.size(), "a position outside the vector");
    if (i > 0) {
      require(positions[i - 1] < positions[i], "positions out of order");
      require(vector.ranks[positions[i - 1]] < vector.ranks[positions[i]], "elements that do not increase");
    }
    sum += vector.values[positions[i]];
  }
  require(sum == best.sum, "elements with a wrong sum");
}

/// Computes a sample of the entries of a level from the level below, by the definition (levels.hpp). Throws
/// WrongDeviceResult, naming `device`, if one differs. `below` is empty for the first level, which has the
/// values themselves.
template <class Sum>
void check_level(const RankedVector<Sum>& vector, std::span<const Sum> below, std::span<const Sum> level,
                 const std::string& device) {
  constexpr std::size_t kSample = 16;
  const std::size_t step = (vector.size() + kSample - 1) / kSample;
  for (std::size_t i = step / 2; i < vector.size(); i += step) {
    Sum expected = vector.values[i];
    if (!below.empty()) {
      Sum following = no_sum<Sum>();
      for (std::size_t j = i + 1; j < vector.size(); ++j) {
        if (vector.ranks[j] > vector.ranks[i]) following = std::max(following, below[j]);
      }
      expected = sum_before(vector.values[i], following);
    }
    if (level[i] != expected) throw WrongDeviceResult(device, "a wrong sum");
  }
}

}  // namespace gpuhmm
