// The rows of an alignment as reports show it (docs/spec/reports.md, 6.6).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gpuhmm/hits.hpp"
#include "gpuhmm/profile.hpp"
#include "gpuhmm/trace.hpp"
#include "plan7/consensus.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm {

/// Makes the rows for a path, one column per step. `consensus` is that of the profile.
DomainAlignment make_domain_alignment(const Profile& profile, const ScoreModel& model,
                                      const Consensus& consensus, std::span<const std::uint8_t> residues,
                                      const Trace& trace);

}  // namespace gpuhmm
