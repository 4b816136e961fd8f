// Scores a given path, and splits a path with several domains (docs/spec/viterbi-and-traceback.md, 4.3;
// docs/spec/postprocessing-statistics.md, 5.2).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gpuhmm/profile.hpp"
#include "gpuhmm/trace.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm {

/// Score of the transition from one step of a path to the next, 1/1000 bit. Throws std::invalid_argument for
/// a transition that Plan7 does not have.
std::int32_t transition_score(const ScoreModel& model, const Profile& profile, const TraceStep& from,
                              const TraceStep& to);

/// Score of the residue that a step emits; 0 unless it is a match or insert state.
std::int32_t emission_score(const ScoreModel& model, std::span<const std::uint8_t> residues,
                            const TraceStep& step);

/// Sum of all transition and emission scores of a path, 1/1000 bit, wrapping at 32 bits. `residues` is the
/// sequence to which the trace's positions refer. Throws std::invalid_argument for a transition that Plan7
/// does not have.
std::int32_t trace_score(const ScoreModel& model, const Profile& profile,
                         std::span<const std::uint8_t> residues, const Trace& trace);

/// Returns one path S N B .. E C T for each part from B to E, in sequence order. Positions still refer to the
/// whole sequence.
std::vector<Trace> split_domains(const Trace& trace);

}  // namespace gpuhmm
