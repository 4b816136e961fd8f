// Which results of devices are recomputed on the host.
#pragma once

#include <cstddef>
#include <vector>

#include "gpuhmm/engine.hpp"
#include "gpuhmm/sequence.hpp"

namespace gpuhmm {

/// The sequences of `batch` whose scores by a model of `nodes` nodes are verified. `sample` numbers the
/// calls: equal numbers give equal samples. Empty sequences are not among them.
std::vector<std::size_t> sequences_to_verify(const Verification& verification, unsigned sample, int nodes,
                                             const SequenceBatch& batch);

}  // namespace gpuhmm
