// A profile as a search or a scan uses it.
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
  /// `asked`: thresholds of the run. Throws SearchError for a profile without the cut-offs asked for, or for
  /// --xnu with a nucleic one.
  RunProfile(Profile&& read, const Thresholds& asked) : profile(std::move(read)) {
    check_masking(profile, asked);
    thresholds = thresholds_for(profile, asked);
  }

  /// Makes the model, if that was not done.
  void configure() {
    if (!model) model.emplace(profile, thresholds.forward ? WingFolding::Sum : WingFolding::Max);
  }

  Profile profile;
  Thresholds thresholds;            ///< as thresholds_for gives them
  std::optional<ScoreModel> model;  ///< made by configure
};

}  // namespace gpuhmm
