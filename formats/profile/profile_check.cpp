// Checks the numbers of a profile.
#include "formats/profile/profile_check.hpp"

#include <cmath>
#include <span>

namespace gpuhmm {

namespace {

/// Allows for float rounding and for files with few digits.
constexpr float kTolerance = 0.01F;

/// A null probability below this makes log-odds that overflow.
constexpr float kLeastNull = 1e-30F;

bool is_probability(float p) { return p >= 0.0F && p <= 1.0F + kTolerance; }

bool is_distribution(std::span<const float> values) {
  float sum = 0;
  for (const float p : values) {
    if (!is_probability(p)) return false;
    sum += p;
  }
  return std::fabs(sum - 1.0F) <= kTolerance;
}

bool is_pair(float a, float b) {
  const float pair[] = {a, b};
  return is_distribution(pair);
}

bool is_finite(const std::optional<ScoreCutoff>& cutoff) {
  return !cutoff || (std::isfinite(cutoff->sequence) && std::isfinite(cutoff->domain));
}

std::string null_model_fault(const Profile& profile) {
  if (!(profile.null_loop >= kLeastNull && profile.null_loop < 1.0F)) {
    return "the null model's loop probability is not between 0 and 1";
  }
  if (!is_distribution(profile.null_emission)) {
    return "the null model's residue frequencies do not sum to 1";
  }
  for (const float f : profile.null_emission) {
    if (f < kLeastNull) return "a residue frequency of the null model is zero";
  }
  return {};
}

std::string node_fault(const Profile& profile, int k) {
  const auto row = [&](const std::vector<float>& table) {
    return std::span<const float>(table).subspan(static_cast<std::size_t>(k) * profile.residues(),
                                                 static_cast<std::size_t>(profile.residues()));
  };
  const std::string node = " of node " + std::to_string(k);
  if (!is_distribution(row(profile.match))) return "match emissions" + node + " do not sum to 1";
  if (!is_probability(profile.begin[k])) return "begin probability" + node + " is not a probability";
  if (k == profile.nodes) {
    return std::isfinite(profile.end[k]) ? "" : "end probability" + node + " is not a number";
  }
  if (!is_distribution(row(profile.insert))) return "insert emissions" + node + " do not sum to 1";
  const Transitions& t = profile.transition[k];
  if (!is_probability(t.mm) || !is_probability(t.mi) || !is_probability(t.md) ||
      !is_probability(profile.end[k])) {
    return "match transitions" + node + " are not probabilities";
  }
  if (!is_pair(t.im, t.ii)) return "insert transitions" + node + " do not sum to 1";
  if (!is_pair(t.dm, t.dd)) return "delete transitions" + node + " do not sum to 1";
  return {};
}

}  // namespace

std::string profile_fault(const Profile& profile) {
  if (std::string fault = null_model_fault(profile); !fault.empty()) return fault;
  const SpecialTransitions& s = profile.special;
  if (!is_pair(s.n_move, s.n_loop) || !is_pair(s.e_move, s.e_loop) || !is_pair(s.c_move, s.c_loop) ||
      !is_pair(s.j_move, s.j_loop)) {
    return "a pair of special transitions does not sum to 1";
  }
  if (profile.evd && !(std::isfinite(profile.evd->mu) && std::isfinite(profile.evd->lambda))) {
    return "the extreme-value distribution is not given by numbers";
  }
  if (!is_finite(profile.gathering) || !is_finite(profile.trusted) || !is_finite(profile.noise)) {
    return "a score cut-off is not a number";
  }
  if (!is_probability(profile.begin_delete)) return "the begin probabilities are not probabilities";
  for (int k = 1; k <= profile.nodes; ++k) {
    if (std::string fault = node_fault(profile, k); !fault.empty()) return fault;
  }
  return {};
}

}  // namespace gpuhmm
