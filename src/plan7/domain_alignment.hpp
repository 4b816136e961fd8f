// The rows of an alignment as reports show it (spec: reports 6.6).
#pragma once

#include <cstdint>
#include <span>

#include "plan7/hits.hpp"
#include "plan7/profile.hpp"
#include "plan7/score_model.hpp"
#include "plan7/trace.hpp"

namespace gpuhmm {

/// Rows for a path, one column a step.
DomainAlignment make_domain_alignment(const Profile& profile, const ScoreModel& model,
                                      std::span<const std::uint8_t> residues, const Trace& trace);

}  // namespace gpuhmm
