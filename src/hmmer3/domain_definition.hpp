// The domains of targets that passed the filters (docs/spec/hmmer3/domains.md).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gpuhmm/hmmer3_hits.hpp"
#include "gpuhmm/hmmer3_profile.hpp"
#include "hmmer3/envelope_task.hpp"
#include "hmmer3/forward_backward.hpp"
#include "hmmer3/regions.hpp"
#include "hmmer3/traceback_ensemble.hpp"

namespace gpuhmm::hmmer3 {

/// What is found in one target; scores of domains are not set.
struct TargetDomains {
  float expected_domains = 0;
  int regions = 0, clustered = 0, overlaps = 0, envelopes = 0;
  std::vector<Domain> domains;
  std::vector<float> null2;  ///< null2 scores, nats, of residue i (from 1) at [i]; [0] is 0
};

/// A target that passed the filters, with its regions by Forward and Backward, multihit; nothing if
/// probabilities overflow.
struct DomainTarget {
  Residues sequence;
  std::optional<Regions> regions;
};

/// The domains of some targets of one profile, in steps, so that devices can do a part of each. The
/// arguments, but for `targets`, and the sequences must outlive it.
class DomainDefinition {
 public:
  /// Of `options` it uses `seed` and `alignments`.
  DomainDefinition(const Profile& profile, const FloatModel& model, std::vector<DomainTarget> targets,
                   const Options& options);
  ~DomainDefinition();
  DomainDefinition(DomainDefinition&&) noexcept;
  DomainDefinition& operator=(DomainDefinition&&) noexcept;

  /// Regions that may have several domains.
  std::span<RegionTask> regions();
  /// Samples tracebacks of the regions that have none yet, and finds the envelopes of all. Call once. Throws
  /// ImpossibleComparison, like the next.
  void find_envelopes();
  /// The envelopes, the longest first.
  std::span<EnvelopeTask> envelopes();
  /// Scores the envelopes that are not scored yet, and gives what is found in each target. Call once, after
  /// find_envelopes().
  std::vector<TargetDomains> find_domains();

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace gpuhmm::hmmer3
