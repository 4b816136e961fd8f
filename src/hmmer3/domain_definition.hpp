// The domains of targets that passed the filters (docs/spec/hmmer3/domains.md).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gpuhmm/hmmer3_hits.hpp"
#include "gpuhmm/hmmer3_profile.hpp"
#include "hmmer3/forward_backward.hpp"

namespace gpuhmm::hmmer3 {

/// What is found in one target; scores of domains are not set.
struct TargetDomains {
  float expected_domains = 0;
  int regions = 0, clustered = 0, overlaps = 0, envelopes = 0;
  std::vector<Domain> domains;
  std::vector<float> null2;  ///< null2 scores, nats, of residue i (from 1) at [i]; [0] is 0
};

/// Finds the domains of each task, a target after Forward and Backward, multihit: `found` has as many places.
/// One without domains has none found. `seed`: Options::seed. Throws ImpossibleComparison.
void define_domains(const Profile& profile, const FloatModel& model, std::span<const SequenceTask> targets,
                    std::uint32_t seed, std::span<TargetDomains> found);

}  // namespace gpuhmm::hmmer3
