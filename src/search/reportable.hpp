// The least score with which a pair can still be reported once the final number of targets is known, at least
// from below (docs/spec/postprocessing-statistics.md, 5.2, 5.7).
#pragma once

#include <cfloat>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "gpuhmm/run.hpp"
#include "plan7/score_model.hpp"
#include "search/run_profile.hpp"

namespace gpuhmm {

/// By how much (1/1000 bit) the score of a domain in a path may exceed its part of the path's score: where a
/// trace shows delete wings, their transitions are rounded one by one. Nothing if the special transitions are
/// not those of HMMER's own profiles, N, J, C loops that cost nothing and one price for every domain: then
/// the domains together may exceed the path by any amount.
std::optional<std::int32_t> domain_excess(const ScoreModel& model, const Profile& profile);

/// The least scores before post-processing (bits) of pairs of a profile with wanted hits.
class LeastWanted {
 public:
  /// No bound: every pair may have wanted hits.
  LeastWanted() = default;
  /// `query` must be configured. `size`: the final number of targets (Z) or a smaller one.
  LeastWanted(const RunProfile& query, HitsWanted wanted, double size);

  /// The score below which a sequence of so many residues, or fewer, has no wanted hit; -FLT_MAX if there is
  /// no bound.
  float score(std::size_t residues) const;

 private:
  double sequence_ = -FLT_MAX, domain_ = -FLT_MAX;  // the least scores of a hit and of a domain, bits
  double excess_ = 0;                               // domain_excess, bits
};

}  // namespace gpuhmm
