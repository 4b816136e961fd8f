// A profile with everything that a search or a scan needs of it.
#pragma once

#include <optional>
#include <utility>

#include "gpuhmm/hits.hpp"
#include "gpuhmm/profile.hpp"
#include "plan7/score_model.hpp"
#include "search/thresholds.hpp"

namespace gpuhmm {

/// A profile, its own thresholds and its integer model.
struct RunProfile {
  /// `asked`: thresholds of the run. Throws SearchError if the profile lacks the cut-offs that these request,
  /// or for
  /// --xnu with a nucleic profile.
  RunProfile(Profile&& read, const Thresholds& asked) : profile(std::move(read)) {
    check_masking(profile, asked);
    thresholds = thresholds_for(profile, asked);
  }

  /// Makes the model, unless it is there already.
  void configure() {
    if (!model) model.emplace(profile, thresholds.forward ? WingFolding::Sum : WingFolding::Max);
  }

  Profile profile;
  Thresholds thresholds;            ///< by thresholds_for
  std::optional<ScoreModel> model;  ///< made by configure
};

}  // namespace gpuhmm
