// Pairs of a profile and a sequence on their way through a comparison.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "hmmer3/arithmetic.hpp"
#include "hmmer3/comparison.hpp"
#include "hmmer3/domain_definition.hpp"
#include "hmmer3/fast_filters.hpp"
#include "hmmer3/regions.hpp"
#include "hmmer3/viterbi_limits.hpp"

namespace gpuhmm::hmmer3 {

/// A P-value that is no number passes.
inline bool fails(double p_value, double threshold) { return p_value > threshold; }

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

  /// The scores of the first filter, bits, with which Viterbi decides: lower ones fail, higher ones pass
  /// both.
  ViterbiLimits left_to_viterbi(const Statistics& statistics) const {
    const auto bits = [&](double p_value) {
      return static_cast<float>(gumbel_bits(p_value, statistics.msv_mu, statistics.msv_lambda));
    };
    const double passing = gumbel_bits(f2, statistics.viterbi_mu, statistics.viterbi_lambda);
    return {bits(f1), bits(f2), static_cast<float>(passing * kLn2)};
  }

  double f1, f2, f3;
  bool bias_filter;
};

/// The score of the first filter, nats. If it is not exact, MSV has to decide, and gives at least as much.
struct FirstScore {
  float score;
  bool is_exact;
};

/// What a finding tells of the score with a sequence of `length` residues. Where MSV has to decide, it has a
/// cell that is as far above B as the finding above SSV's floor, 127 at most: costs that SSV takes for less
/// are above that.
inline FirstScore first_score_of(const ByteParameters& model, const SsvFinding& finding,
                                 std::int64_t length) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const FirstStage stage = ssv_result(model, ssv_maximum_of(model, finding.rise + kSsvFloor), length);
  if (stage.result != ByteResult::NeedsMsv) return {first_stage_score(stage, length), true};
  if (!ssv_applies(model, length)) return {-kInfinity, false};
  const int begin = ByteModel::kBase - ByteModel::move_cost(length) - model.begin_cost;
  const int cell = begin + std::min(finding.rise, 127);
  if (cell + model.bias >= 255) return {kInfinity, true};
  return {byte_score(std::max(0, cell - model.end_cost), length), false};
}

/// Sequences and findings of a part: some fill the lanes of the bias filter. Where findings are only decided
/// on, a part should take longer than to ask for it.
inline constexpr std::size_t kSequencesOfPart = 256, kFindingsOfPart = 64, kDecisionsOfPart = 1024;

/// Most nodes times residues of a pair whose MSV is left to devices: all others would wait for longer ones.
inline constexpr std::size_t kMostMsvCells = 400'000;

/// The score of MSV, nats.
inline float msv_score_of(const FilterProfile& filters, const Residues& sequence) {
  return first_stage_score(fast_msv_result(filters, sequence), static_cast<std::int64_t>(sequence.size()));
}

/// The first filter's score of a sequence that SSV has found.
inline FirstScore first_score_behind_ssv(const FilterProfile& filters, const SsvFinding& finding,
                                         const Residues& sequence) {
  const FirstScore score = first_score_of(filters.bytes, finding, static_cast<std::int64_t>(sequence.size()));
  const bool is_long = sequence.size() * static_cast<std::size_t>(filters.bytes.nodes) > kMostMsvCells;
  return score.is_exact || !is_long ? score : FirstScore{msv_score_of(filters, sequence), true};
}

/// A sequence on its way through the filters. There are millions of them, so that their size counts.
struct Candidate {
  std::uint32_t sequence = 0;
  float null = 0;          // score of the null model that filters compare with, nats
  float msv = 0;           // nats
  float forward = 0;       // score, nats
  bool needs_msv = false;  // MSV may give more
  bool has_bias = false;   // `null` is the bias filter's
  bool failed = false;
  Next next = Next::Bias;
  std::unique_ptr<Regions> regions;  // of one that passes, unless HMMER3 drops it

  void take_regions(std::optional<Regions>&& found) {
    if (found) regions = std::make_unique<Regions>(std::move(*found));
    next = Next::Domains;
  }
  std::optional<Regions> regions_found() const { return regions ? std::optional(*regions) : std::nullopt; }

  // The limits of the bias filter's score, nats, that give its score above it these limits, bits.
  ViterbiLimits needs_viterbi(const ViterbiLimits& bits) const {
    constexpr float kRounding = 0.01F, kNats = static_cast<float>(kLn2);
    if (needs_msv) return {};
    return {msv - bits.most * kNats - kRounding, msv - bits.least * kNats + kRounding,
            bits.above_bias + kRounding};
  }
};

/// Sorts candidates by falling length, then in the order of the batch. There may be 100,000, which are too
/// large to be moved often.
inline void sort_by_length(std::vector<Candidate>& candidates, const SequenceBatch& batch) {
  struct Key {
    std::size_t length, sequence, place;
  };
  std::vector<Key> keys;
  keys.reserve(candidates.size());
  for (const Candidate& candidate : candidates)
    keys.push_back({batch.length(candidate.sequence), candidate.sequence, keys.size()});
  std::ranges::sort(keys, [](const Key& a, const Key& b) {
    return a.length != b.length ? a.length > b.length : a.sequence < b.sequence;
  });
  std::vector<Candidate> sorted;
  sorted.reserve(candidates.size());
  for (const Key& key : keys) sorted.push_back(std::move(candidates[key.place]));
  candidates = std::move(sorted);
}

/// Cuts candidates that are sorted by length into parts: where each begins, and the last ends. Behind devices
/// few sequences are left to the host, and some of them are long: a part of those has few.
inline std::vector<std::size_t> bounds_of_parts(const std::vector<Candidate>& candidates,
                                                const SequenceBatch& batch, bool behind_devices) {
  constexpr std::size_t kMost = 32, kFew = 4, kResiduesOfMore = 8192;
  std::vector<std::size_t> bounds{0};
  std::size_t count = 0, residues = 0;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const std::size_t length = batch.length(candidates[c].sequence);
    if (count == kMost || (behind_devices && count >= kFew && residues + length > kResiduesOfMore)) {
      bounds.push_back(c);
      count = residues = 0;
    }
    ++count;
    residues += length;
  }
  if (count > 0) bounds.push_back(candidates.size());
  return bounds;
}

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
