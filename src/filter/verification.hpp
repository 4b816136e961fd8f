// Which results of devices are recomputed on the host.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "gpuhmm/engine.hpp"
#include "gpuhmm/sequence.hpp"

namespace gpuhmm {

/// Which of `count` results are verified; cells(i): nodes times residues of result i. Results of no cells are
/// not among them. Without a percentage up to `few` results of few cells each. `sample` numbers the calls:
/// equal numbers give equal samples.
std::vector<std::size_t> results_to_verify(const Verification& verification, unsigned sample, std::size_t few,
                                           std::size_t count,
                                           const std::function<double(std::size_t)>& cells);

/// In this way the sequences of `batch` whose scores by a model of `nodes` nodes are verified.
std::vector<std::size_t> sequences_to_verify(const Verification& verification, unsigned sample, int nodes,
                                             const SequenceBatch& batch);

}  // namespace gpuhmm
