// The configuration of a profile for one of HMMER 2's styles of search (docs/spec/model-configuration.md,
// 3.3; docs/spec/building.md, 9.8).
#pragma once

#include "gpuhmm/build.hpp"

namespace gpuhmm {

/// Sets the special, begin and end probabilities. The profile has null_loop, begin_delete and transitions;
/// those out of match states are scaled.
void configure(Profile& profile, SearchStyle style, LocalEnds ends = {});

}  // namespace gpuhmm
