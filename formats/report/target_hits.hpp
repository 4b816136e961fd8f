// Hits grouped by target, as the tables and the JSON output list them. Internal to the report writers.
#pragma once

#include <vector>

#include "gpuhmm/hits.hpp"

namespace gpuhmm {

/// A target with its domains in the order of their numbers. `hit` is null for a target that is not in the
/// list of targets although domains of it are reported (hmmpfam with profile cutoffs can do that).
struct TargetHits {
  const SequenceHit* hit = nullptr;
  std::vector<const DomainHit*> domains;
};

/// Targets in list order, then those that have only domains. Throws std::logic_error if two targets have the
/// same target_index.
std::vector<TargetHits> group_by_target(const HitLists& lists);

}  // namespace gpuhmm
