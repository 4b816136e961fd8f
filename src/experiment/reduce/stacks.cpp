// Draws stacks and reduces them by plain loops.
#include "experiment/reduce/stacks.hpp"

#include <algorithm>
#include <limits>
#include <variant>

#include "companion/reduce/reduce.hpp"
#include "experiment/experiment.hpp"
#include "experiment/resources.hpp"

namespace gpuhmm::experiment {

std::vector<std::int32_t> random_stack(std::size_t count, std::uint32_t seed) {
  // SplitMix64 (Steele, Lea and Flood, 2014), which is fast and differs with every seed.
  std::uint64_t state = (std::uint64_t{seed} + 1) * 0xD1B54A32D192ED03U;
  std::vector<std::int32_t> stack(count * kPositions);
  for (std::int32_t& value : stack) {
    std::uint64_t bits = state += 0x9E3779B97F4A7C15U;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9U;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBU;
    value = static_cast<std::int32_t>(static_cast<std::uint32_t>((bits ^ (bits >> 31)) >> 32));
  }
  return stack;
}

Minima sequential_minima(std::span<const std::int32_t> stack) {
  Minima minima;
  minima.fill(std::numeric_limits<std::int32_t>::max());
  for (std::size_t first = 0; first < stack.size(); first += kPositions) {
    for (std::size_t p = 0; p < kPositions; ++p) minima[p] = std::min(minima[p], stack[first + p]);
  }
  return minima;
}

std::vector<std::int32_t> arrays_of(std::span<const std::int32_t> stack) {
  const std::size_t count = stack.size() / kPositions;
  std::vector<std::int32_t> arrays(stack.size());
  for (std::size_t i = 0; i < stack.size(); ++i) arrays[i % kPositions * count + i / kPositions] = stack[i];
  return arrays;
}

ExpectedMinima::ExpectedMinima(const std::vector<std::int32_t>& stack) : count_(stack.size() / kPositions) {
  const NumberValues reduced = reduce_plainly(stack, kPositions, {});
  std::ranges::copy(std::get<std::vector<std::int32_t>>(reduced), minima_.begin());
}

void ExpectedMinima::check(const std::string& method, const Minima& minima) const {
  for (std::size_t p = 0; p < kPositions; ++p) {
    if (minima[p] == minima_[p]) continue;
    throw WrongResult(method + ", " + grouped_digits(count_) + " matrices: minimum " +
                      std::to_string(minima[p]) + " of position " + std::to_string(p) + "; expected " +
                      std::to_string(minima_[p]));
  }
}

}  // namespace gpuhmm::experiment
