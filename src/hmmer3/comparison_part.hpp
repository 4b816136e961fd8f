// Pairs of a profile and a sequence on their way through a comparison.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "hmmer3/comparison.hpp"
#include "hmmer3/domain_definition.hpp"
#include "hmmer3/regions.hpp"

namespace gpuhmm::hmmer3 {

/// P-values that pass the filters.
struct FilterThresholds {
  explicit FilterThresholds(const Options& options)
      : f1(options.max ? 1 : std::min(1.0, options.f1)),
        f2(options.max ? 1 : std::min(1.0, options.f2)),
        f3(options.max ? 1 : std::min(1.0, options.f3)),
        bias_filter(!options.max && options.bias_filter) {}

  double f1, f2, f3;
  bool bias_filter;
};

/// A sequence on its way through the filters.
struct Candidate {
  std::size_t sequence = 0;
  float null = 0;      // score of the null model that filters compare with, nats
  float msv = 0;       // nats
  double p_value = 1;  // of MSV

  Next next = Next::Bias;
  bool failed = false;
  float forward = 0;               // score, nats
  std::optional<Regions> regions;  // of one that passes
};

/// The domains of a part's candidates, as far as they are known.
struct ComparisonPart {
  std::vector<const Candidate*> passed;     // Forward
  std::optional<DomainDefinition> domains;  // of those
  bool has_envelopes = false, complete = false;

  void find_envelopes() {
    if (has_envelopes || !domains) return;
    domains->find_envelopes();
    has_envelopes = true;
  }
  std::span<RegionTask> regions() { return domains ? domains->regions() : std::span<RegionTask>(); }
  std::span<EnvelopeTask> envelopes() { return domains ? domains->envelopes() : std::span<EnvelopeTask>(); }
};

}  // namespace gpuhmm::hmmer3
