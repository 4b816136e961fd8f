// The domains that sampled tracebacks agree on (docs/spec/hmmer3/domains.md, 6).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hmmer3/traceback_ensemble.hpp"

namespace gpuhmm::hmmer3 {

/// Where a domain lies; residues are counted from 1 in the region.
struct ClusterEnds {
  std::size_t from = 0, to = 0;
  int model_from = 0, model_to = 0;
  float probability = 0;  ///< share of the tracebacks that have it
};

/// The clusters that most tracebacks support and no better one dominates, left to right.
std::vector<ClusterEnds> cluster_segments(std::span<const SampledSegment> segments);

}  // namespace gpuhmm::hmmer3
