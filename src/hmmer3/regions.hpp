// Where on a target the domains are, by posterior probabilities (docs/spec/hmmer3/domains.md, 4).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "hmmer3/forward_backward.hpp"

namespace gpuhmm::hmmer3 {

/// A part of a target, residues counted from 1, inclusive.
struct TargetRegion {
  std::size_t from = 0, to = 0;
  bool several_domains = false;  ///< probably more than one: it is taken apart by sampled tracebacks

  bool operator==(const TargetRegion&) const = default;
};

/// The regions of one target.
struct Regions {
  float expected_domains = 0;
  std::vector<TargetRegion> regions;  ///< left to right

  bool operator==(const Regions&) const = default;
};

/// `rows`: those of a whole target. Nothing if probabilities overflow: then HMMER3 drops the target.
std::optional<Regions> find_regions(const SweptRows& rows);

}  // namespace gpuhmm::hmmer3
