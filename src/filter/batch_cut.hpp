// Rules by which a batch is split into slices that several engines score at the same time.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "filter/sequence_set.hpp"

namespace gpuhmm {

/// Distributes sequences so that all workers finish at about the same time: longest first, each to the worker
/// that would finish it first. `order`: indices into `sequences`, longest first. `speeds`: of the workers, in
/// any unit. Returns the indices for each worker, longest first.
std::vector<std::vector<std::size_t>> deal_by_speed(const SequenceSet& sequences,
                                                    std::span<const std::size_t> order,
                                                    std::span<const double> speeds);

/// The time until the last worker finishes, divided by the time if all finished together; 1 if there is no
/// work. `work` and `speeds`: of each worker, in any units that are the same for all.
double imbalance(std::span<const double> work, std::span<const double> speeds);

/// Sequences with more residues than this are contigs or chromosomes, not proteins. A device scores one
/// sequence on one of its processors, and one processor is slower than a host core.
inline constexpr std::size_t kVeryLong = 50'000;

/// The speeds that count_for_host compares, in cells (nodes x residues) a second.
struct LongSequenceSpeeds {
  double device;       ///< of many sequences at the same time
  double device_one;   ///< of one very long sequence, while the others wait for it
  double host_thread;  ///< of one thread of the host
  unsigned host_threads;
};

/// How many of the longest sequences the host should take so that device and host both finish as early as
/// possible; 0 if no single sequence delays the device. `lengths`: residues, longest first. Only sequences
/// longer than kVeryLong go to the host.
std::size_t count_for_host(std::span<const std::size_t> lengths, const LongSequenceSpeeds& speeds);

/// The same for a set: how many sequences from the start of longest_first(sequences) the host should take
/// while devices score `device_speed` cells a second.
std::size_t count_for_host(const SequenceSet& sequences, double device_speed, unsigned host_threads);

}  // namespace gpuhmm
