// Splits a batch by the rule "longest processing time first", and chooses between device and host for very
// long sequences.
#include "filter/batch_cut.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

namespace gpuhmm {

namespace {

// Approximate cells a second: one stream of gpu_long.cl on an H100 (35,213 residues by 174 nodes took 3 to 9
// ms, docs/kernels-gpu.md), and the exact 32-bit kernel on one host core (docs/benchmarks.md, long
// sequences).
constexpr double kDeviceOne = 1.5e9;
constexpr double kHostThread = 3e9;

}  // namespace

std::vector<std::vector<std::size_t>> deal_by_speed(const SequenceSet& sequences,
                                                    std::span<const std::size_t> order,
                                                    std::span<const double> speeds) {
  std::vector<std::vector<std::size_t>> dealt(speeds.size());
  std::vector<std::size_t> residues(speeds.size());
  std::vector<std::size_t> workers(speeds.size());
  std::iota(workers.begin(), workers.end(), std::size_t{0});
  for (const std::size_t i : order) {
    const std::size_t length = sequences.length(i);
    const auto done = [&](std::size_t w) { return static_cast<double>(residues[w] + length) / speeds[w]; };
    const std::size_t first = *std::ranges::min_element(workers, {}, done);
    dealt[first].push_back(i);
    residues[first] += length;
  }
  return dealt;
}

double imbalance(std::span<const double> work, std::span<const double> speeds) {
  double slowest = 0;
  for (std::size_t w = 0; w < work.size(); ++w) slowest = std::max(slowest, work[w] / speeds[w]);
  const double all = std::accumulate(work.begin(), work.end(), 0.0);
  return all == 0 ? 1 : slowest * std::accumulate(speeds.begin(), speeds.end(), 0.0) / all;
}

std::size_t count_for_host(std::span<const std::size_t> lengths, const LongSequenceSpeeds& speeds) {
  double left = 0;
  for (const std::size_t length : lengths) left += static_cast<double>(length);
  const auto longest = [&](std::size_t i) {
    return i < lengths.size() ? static_cast<double>(lengths[i]) : 0;
  };
  double taken = 0;
  double soonest = std::numeric_limits<double>::infinity();
  std::size_t best = 0;
  for (std::size_t count = 0;; ++count) {
    const double device = std::max(left / speeds.device, longest(count) / speeds.device_one);
    const double host = taken == 0 ? 0
                                   : std::max(taken / (speeds.host_thread * speeds.host_threads),
                                              longest(0) / speeds.host_thread);
    if (std::max(device, host) < soonest) {
      soonest = std::max(device, host);
      best = count;
    }
    const bool held_up = longest(count) / speeds.device_one > left / speeds.device;
    if (!held_up || longest(count) <= static_cast<double>(kVeryLong)) return best;
    taken += longest(count);
    left -= longest(count);
  }
}

std::size_t count_for_host(const SequenceSet& sequences, double device_speed, unsigned host_threads) {
  const std::shared_ptr<const LengthOrder> order = sequences.by_length();
  const auto length = [&](std::uint32_t i) -> std::size_t { return order->lengths[i]; };
  if (order->longest_first.empty() || length(order->longest_first.front()) <= kVeryLong) return 0;
  std::vector<std::size_t> lengths;
  for (const std::uint32_t i : order->longest_first) lengths.push_back(length(i));
  return count_for_host(lengths, {device_speed, kDeviceOne, kHostThread, host_threads});
}

}  // namespace gpuhmm
