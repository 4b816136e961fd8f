// Turns a path into registered hits.
#include "plan7/postprocess.hpp"

#include <algorithm>

#include "plan7/arithmetic.hpp"
#include "plan7/forward.hpp"
#include "plan7/null2.hpp"
#include "plan7/statistics.hpp"
#include "plan7/trace_score.hpp"

namespace gpuhmm {

namespace {

struct ScoredDomain {
  Trace trace;
  float score = 0;  // bits, corrected
  float bias = 0;   // bits
};

// The domains of a path that are kept: all with a positive score, or else the best one.
std::vector<ScoredDomain> domains_kept(const Profile& profile, const ScoreModel& model,
                                       std::span<const std::uint8_t> residues, const Trace& trace,
                                       const Thresholds& thresholds) {
  std::vector<ScoredDomain> domains;
  for (Trace& part : split_domains(trace)) {
    ScoredDomain& domain = domains.emplace_back();
    domain.score = bits_of(trace_score(model, profile, residues, part));
    if (thresholds.null2) {
      domain.bias = null2_correction(profile, residues, part);
      domain.score -= domain.bias;
    }
    domain.trace = std::move(part);
  }
  const auto positive = [](const ScoredDomain& d) { return d.score > 0; };
  if (std::any_of(domains.begin(), domains.end(), positive)) {
    std::erase_if(domains, [&](const ScoredDomain& d) { return !positive(d); });
  } else if (!domains.empty()) {
    const auto lower = [](const ScoredDomain& a, const ScoredDomain& b) { return a.score < b.score; };
    std::swap(domains.front(), *std::max_element(domains.begin(), domains.end(), lower));
    domains.resize(1);
  }
  return domains;
}

// The first and last match set the bounds in the sequence, the first and last match or delete those in the
// profile.
void set_bounds(const Trace& trace, DomainHit& hit) {
  for (const TraceStep& step : trace) {
    if (step.state != State::M && step.state != State::D) continue;
    if (hit.profile_from == 0) hit.profile_from = step.node;
    hit.profile_to = step.node;
    if (step.state != State::M) continue;
    if (hit.sequence_from == 0) hit.sequence_from = step.position;
    hit.sequence_to = step.position;
  }
}

// Names the hit after the target.
template <class Hit>
void set_target(const Profile& profile, const SequenceView& sequence, Target target, Hit& hit) {
  if (target == Target::Sequence) {
    hit.name = sequence.name;
    hit.accession = sequence.accession;
    hit.description = sequence.description;
  } else {
    hit.name = profile.name;
    hit.accession = profile.accession.value_or("");
    hit.description = profile.description.value_or("");
  }
}

}  // namespace

PairScore score_pair(const Profile& profile, const ScoreModel& model, std::span<const std::uint8_t> residues,
                     const Thresholds& thresholds, MatrixRule& rule, ViterbiMatrix& matrix, float least) {
  PairScore pair;
  if (thresholds.forward) {
    pair.score = bits_of(forward_score(model, residues));
    if (pair.score < least) return pair;
  }
  AlignedSequence aligned = align(model, profile, residues, rule, matrix);
  pair.raw = aligned.score;
  if (!thresholds.forward) {
    pair.score = bits_of(aligned.score);
  } else if (thresholds.null2 && aligned.trace) {
    pair.score -= null2_correction(profile, residues, *aligned.trace);
  }
  pair.p_value = p_value(pair.score, profile.evd);
  pair.trace = std::move(aligned.trace);
  return pair;
}

PairScore score_pair(const Profile& profile, const ScoreModel& model, std::span<const std::uint8_t> residues,
                     const Thresholds& thresholds, MatrixRule& rule) {
  ViterbiMatrix matrix;
  return score_pair(profile, model, residues, thresholds, rule, matrix);
}

PostprocessedPair postprocess(const Profile& profile, const ScoreModel& model, const SequenceView& sequence,
                              const Trace* trace, float score, const Thresholds& thresholds, Target target,
                              const Consensus* consensus) {
  PostprocessedPair result;
  result.score = score;
  if (trace == nullptr) return result;
  const std::vector<ScoredDomain> domains =
      domains_kept(profile, model, sequence.residues, *trace, thresholds);
  if (!thresholds.forward) {
    result.score = 0;
    for (const ScoredDomain& domain : domains) result.score += domain.score;
  }
  const double whole_p = p_value(result.score, profile.evd);
  const auto length = static_cast<std::int64_t>(sequence.residues.size());
  const auto count = static_cast<int>(domains.size());

  for (int d = 0; d < count; ++d) {
    const ScoredDomain& domain = domains[d];
    const double p = p_value(domain.score, profile.evd);
    if (!(p <= thresholds.domain_e && domain.score >= thresholds.domain_t)) continue;
    DomainHit& hit = result.domains.emplace_back();
    hit.score = domain.score;
    hit.p_value = p;
    hit.sequence_score = result.score;
    hit.sequence_p_value = whole_p;
    hit.sequence_length = length;
    hit.profile_length = profile.nodes;
    hit.number = d + 1;
    hit.count = count;
    hit.bias = domain.bias;
    set_bounds(domain.trace, hit);
    set_target(profile, sequence, target, hit);
    hit.query_name = target == Target::Sequence ? std::string_view(profile.name) : sequence.name;
    hit.trace_columns = domain.trace.size();
    if (consensus != nullptr) {
      hit.alignment = make_domain_alignment(profile, model, *consensus, sequence.residues, domain.trace);
    }
  }

  if (result.score >= thresholds.sequence_t) {
    SequenceHit& hit = result.sequence.emplace();
    hit.score = result.score;
    hit.p_value = whole_p;
    hit.domain_count = count;
    hit.sequence_length = length;
    set_target(profile, sequence, target, hit);
  }
  return result;
}

}  // namespace gpuhmm
