// The null2 model of biased composition: odds of residues given how much each node emits
// (docs/spec/hmmer3/domains.md, 5.3 and 10).
#pragma once

#include <span>
#include <vector>

#include "gpuhmm/alphabet.hpp"
#include "hmmer3/float_model.hpp"

namespace gpuhmm::hmmer3 {

/// Odds by residue code. `match` and `insert`: share of residues that the nodes emit, striped like an
/// emission row (steps x kStripes); `insert` may be empty: none. `outside`: share of those outside of nodes.
std::vector<float> null2_odds(const FloatModel& model, const Alphabet& alphabet, std::span<const float> match,
                              std::span<const float> insert, float outside);

/// Makes odds by residue code of sums over nodes for the plain residues: adds `outside`, the share of
/// residues outside of nodes, and appends the odds of the other codes.
void complete_odds(const Alphabet& alphabet, float outside, std::vector<float>& odds);

}  // namespace gpuhmm::hmmer3
