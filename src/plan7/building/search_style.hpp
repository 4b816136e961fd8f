// Configures a profile for one of HMMER 2's search styles (docs/spec/model-configuration.md, 3.3;
// docs/spec/building.md, 9.8).
#pragma once

#include "gpuhmm/build.hpp"

namespace gpuhmm {

/// Sets the special, begin and end probabilities, and scales the transitions out of match states. The profile
/// must have null_loop, begin_delete and transitions.
void configure(Profile& profile, SearchStyle style, LocalEnds ends = {});

}  // namespace gpuhmm
