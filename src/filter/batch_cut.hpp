// How a batch is cut into slices that several engines score at the same time.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "filter/sequence_set.hpp"

namespace gpuhmm {

/// Deals sequences to workers so that all end at about the same time: longest first, each to the worker that
/// would be done with it first. `order`: places in `sequences`, longest first. `speeds`: of the workers, in
/// any unit. Returns the places for each worker, longest first.
std::vector<std::vector<std::size_t>> deal_by_speed(const SequenceSet& sequences,
                                                    std::span<const std::size_t> order,
                                                    std::span<const double> speeds);

/// Seconds until the last worker is done, over the seconds if all were done at the same time. `work` and
/// `speeds`: of each worker, in the same units; 1 if there is no work.
double imbalance(std::span<const double> work, std::span<const double> speeds);

/// Longer sequences (residues) are no proteins but contigs or chromosomes. A device spreads sequences over
/// its processors, and one processor alone is slower than a host core.
inline constexpr std::size_t kVeryLong = 50'000;

/// The speeds between which count_for_host weighs, in cells (nodes x residues) a second.
struct LongSequenceSpeeds {
  double device;       ///< of many sequences at the same time
  double device_one;   ///< of one very long sequence, while the others wait for it
  double host_thread;  ///< of one thread of the host
  unsigned host_threads;
};

/// How many of the longest sequences the host should take so that device and host are both done as early as
/// possible; none as long as no single sequence holds up the device. `lengths`: residues, longest first. Only
/// sequences longer than kVeryLong go to the host.
std::size_t count_for_host(std::span<const std::size_t> lengths, const LongSequenceSpeeds& speeds);

/// The same for the sequences of a set: how many at the beginning of longest_first(sequences) the host should
/// take beside devices that score `device_speed` cells a second.
std::size_t count_for_host(const SequenceSet& sequences, double device_speed, unsigned host_threads);

}  // namespace gpuhmm
