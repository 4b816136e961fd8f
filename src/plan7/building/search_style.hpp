// The configuration of a profile for one of HMMER 2's styles of search (docs/spec/model-configuration.md,
// 3.3; docs/spec/building.md, 9.8).
#pragma once

#include "plan7/profile.hpp"

namespace gpuhmm {

enum class SearchStyle {
  Glocal,        ///< ls: several domains, each whole
  Local,         ///< fs: several domains or parts of them
  GlocalSingle,  ///< g: one whole domain
  LocalSingle,   ///< s: one domain or a part of it
};

/// Probabilities of local styles that a domain begins behind its first node, and ends before its last.
struct LocalEnds {
  float entry = 0.5F;
  float exit = 0.5F;
};

/// Sets the special, begin and end probabilities. The profile has null_loop, begin_delete and transitions;
/// those out of match states are scaled.
void configure(Profile& profile, SearchStyle style, LocalEnds ends = {});

}  // namespace gpuhmm
