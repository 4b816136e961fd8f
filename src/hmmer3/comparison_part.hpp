// Pairs of a profile and a sequence on their way through a comparison.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hmmer3/arithmetic.hpp"
#include "hmmer3/comparison.hpp"
#include "hmmer3/domain_definition.hpp"
#include "hmmer3/fast_filters.hpp"
#include "hmmer3/regions.hpp"

namespace gpuhmm::hmmer3 {

/// P-values that pass the filters.
struct FilterThresholds {
  explicit FilterThresholds(const Options& options)
      : f1(options.max ? 1 : std::min(1.0, options.f1)),
        f2(options.max ? 1 : std::min(1.0, options.f2)),
        f3(options.max ? 1 : std::min(1.0, options.f3)),
        bias_filter(!options.max && options.bias_filter) {}

  /// Whether a score, nats, above that of a null model passes. A P-value that is no number does.
  bool viterbi_passes(const Statistics& statistics, float score, float null) const {
    return !(gumbel_survival(bits_above(score, null), statistics.viterbi_mu, statistics.viterbi_lambda) > f2);
  }
  bool forward_passes(const Statistics& statistics, float score, float null) const {
    return !(exponential_survival(bits_above(score, null), statistics.forward_tau,
                                  statistics.forward_lambda) > f3);
  }

  double f1, f2, f3;
  bool bias_filter;
};

/// The score of the first filter, nats, of a sequence that may pass SSV.
inline float first_score_of(const FilterProfile& filters, const SsvFinding& finding,
                            const Residues& sequence) {
  const auto length = static_cast<std::int64_t>(sequence.size());
  FirstStage stage =
      ssv_result(filters.bytes, ssv_maximum_of(filters.bytes, finding.rise + kSsvFloor), length);
  if (stage.result == ByteResult::NeedsMsv) stage = fast_msv_result(filters, sequence);
  return first_stage_score(stage, length);
}

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
