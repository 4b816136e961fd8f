// A HMMER3 profile with all that comparisons with it need.
#pragma once

#include <utility>

#include "gpuhmm/hmmer3_profile.hpp"
#include "hmmer3/fast_filters.hpp"
#include "hmmer3/float_model.hpp"
#include "hmmer3/log_odds.hpp"

namespace gpuhmm::hmmer3 {

/// The parameters of one profile; they do not depend on the other side of a comparison.
struct SearchProfile {
  explicit SearchProfile(Profile&& read) : SearchProfile(std::move(read), LogOdds(read)) {}
  /// The same from parameters that were made before. Of the profile, probabilities are not used.
  SearchProfile(Profile&& read, FilterProfile&& for_filters, FloatModel&& for_forward)
      : profile(std::move(read)), filters(std::move(for_filters)), floats(std::move(for_forward)) {}

  Profile profile;
  FilterProfile filters;
  FloatModel floats;

 private:
  SearchProfile(Profile&& read, const LogOdds& scores)
      : profile(std::move(read)), filters(profile, scores), floats(scores) {}
};

}  // namespace gpuhmm::hmmer3
