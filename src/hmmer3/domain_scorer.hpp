// The domain stage for many envelopes, as a device computes it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hmmer3/envelope_task.hpp"
#include "hmmer3/search_profile.hpp"

namespace gpuhmm::hmmer3 {

/// A profile and envelopes of it. `profile` must outlive it.
struct EnvelopeQuery {
  const SearchProfile* profile;
  std::vector<EnvelopeTask*> envelopes;
};

/// Not thread-safe. Calls throw EngineFailure. Each gives the same bits as the host, and leaves out what the
/// device has no room or no precision for.
class DomainScorer {
 public:
  virtual ~DomainScorer() = default;

  /// One line of text that names the device.
  virtual std::string description() const = 0;
  /// Seconds for which the device has computed.
  virtual double busy_seconds() const = 0;

  /// As score_envelopes(), but for `forward`; sets `scored` of the envelopes that it has scored.
  virtual void score(std::span<const EnvelopeQuery> queries) = 0;
};

}  // namespace gpuhmm::hmmer3
