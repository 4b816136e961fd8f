// The domains of targets that passed the filters (docs/spec/hmmer3/domains.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gpuhmm/hmmer3_hits.hpp"
#include "gpuhmm/hmmer3_profile.hpp"
#include "hmmer3/forward_backward.hpp"
#include "hmmer3/regions.hpp"

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

/// Finds the domains of each target: `found` has as many places. One without domains has none found. `seed`:
/// Options::seed. Throws ImpossibleComparison.
void define_domains(const Profile& profile, const FloatModel& model, std::span<const DomainTarget> targets,
                    std::uint32_t seed, std::span<TargetDomains> found);

}  // namespace gpuhmm::hmmer3
