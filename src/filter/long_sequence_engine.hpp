// A device for the many sequences of a batch and the host's vectors for its few very long ones, at the same
// time: a device spreads sequences over its processors, and one of them alone is slower than a host core.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "filter/engine.hpp"

namespace gpuhmm {

/// What the choice between device and host depends on, in cells (nodes x residues) a second.
struct LongSequenceSpeeds {
  double device;       ///< of many sequences at the same time
  double device_one;   ///< of one very long sequence, while the others wait for it
  double host_thread;  ///< of one thread of the host
  unsigned host_threads;
};

/// How many of the longest sequences the host should take so that both are done as early as possible; none as
/// long as no single sequence holds up the device. `lengths`: residues, longest first. Only sequences of more
/// than kVeryLong residues are taken from the device.
std::size_t count_for_host(std::span<const std::size_t> lengths, const LongSequenceSpeeds& speeds);

/// See count_for_host: a chromosome or a contig, no protein.
inline constexpr std::size_t kVeryLong = 50'000;

/// Scores by `device` but for the very long sequences, which `host` takes as count_for_host says, for all
/// models alike. `host` must take as many calls at a time as `device`, over `host_threads` threads each.
std::unique_ptr<ScoreEngine> make_long_sequence_engine(std::unique_ptr<ScoreEngine> device,
                                                       std::unique_ptr<ScoreEngine> host,
                                                       unsigned host_threads);

}  // namespace gpuhmm
