// The domain stage for many regions and envelopes, as a device computes it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hmmer3/envelope_task.hpp"
#include "hmmer3/search_profile.hpp"
#include "hmmer3/traceback_ensemble.hpp"

namespace gpuhmm::hmmer3 {

/// A profile and envelopes of it. `profile` must outlive it.
struct EnvelopeQuery {
  const SearchProfile* profile;
  std::vector<EnvelopeTask*> envelopes;
};

/// A profile and regions of it. `profile` must outlive it.
struct RegionQuery {
  const SearchProfile* profile;
  std::vector<RegionTask*> regions;
};

/// One thread at a time may call each of sample() and score(). Calls throw EngineFailure. Each gives the same
/// bits as the host, and leaves out what the device has no room or no precision for.
class DomainScorer {
 public:
  virtual ~DomainScorer() = default;

  /// One line of text that names the device.
  virtual std::string description() const = 0;
  /// Seconds for which the device has computed.
  virtual double busy_seconds() const = 0;

  /// Begins to prepare for profiles that will come, in other threads. Any thread may call.
  virtual void expect(std::span<const SearchProfile* const> /*profiles*/) {}

  /// Samples tracebacks of regions with this seed: sets `ensemble` of those that it has sampled.
  virtual void sample(std::span<const RegionQuery> queries, std::uint32_t seed) = 0;
  /// As score_envelopes(), but for `forward`; sets `scored` of the envelopes that it has scored.
  virtual void score(std::span<const EnvelopeQuery> queries) = 0;
};

}  // namespace gpuhmm::hmmer3
