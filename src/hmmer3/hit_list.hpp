// Which hits are stored, reported and included, and their order (docs/spec/hmmer3/scores-and-hits.md, 6 and
// 7).
#pragma once

#include <optional>

#include "gpuhmm/hmmer3_hits.hpp"
#include "gpuhmm/hmmer3_profile.hpp"

namespace gpuhmm::hmmer3 {

/// The cut-off that the options ask of a profile; nothing if it has none or none is asked for.
std::optional<Cutoff> cutoff_of(const Profile& profile, CutoffKind kind);

/// Whether a hit is stored when `targets` targets have been compared. `cutoff`: that of the profile, if the
/// options ask for one. Sets the hit's flags for good if so.
bool store(Hit& hit, const Options& options, double targets, const std::optional<Cutoff>& cutoff);

/// Sorts the stored hits and sets Z, domZ and all flags. `targets`: compared in all.
void finish_hits(QueryResult& result, const Options& options, double targets);

}  // namespace gpuhmm::hmmer3
