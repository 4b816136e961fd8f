// Bit scores and P-values of targets and their domains (docs/spec/hmmer3/scores-and-hits.md, 1 to 4).
#pragma once

#include <cstdint>

#include "gpuhmm/hmmer3_hits.hpp"
#include "gpuhmm/hmmer3_profile.hpp"
#include "hmmer3/domain_definition.hpp"
#include "hmmer3/null_model.hpp"

namespace gpuhmm::hmmer3 {

/// The hit of a target of `length` residues with at least one domain; names, arrival and flags are not set.
/// `forward_score`: of the whole target, nats. `null2`: Options::null2.
Hit scored_hit(TargetDomains&& found, const Statistics& statistics, float forward_score, std::int64_t length,
               bool null2);

}  // namespace gpuhmm::hmmer3
