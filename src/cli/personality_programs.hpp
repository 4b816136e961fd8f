// The programs of HMMER 2.3.2 that the executable stands in for.
#pragma once

#include "cli/personality.hpp"

namespace gpuhmm::cli {

const Personality& hmmsearch_personality();
const Personality& hmmpfam_personality();
const Personality& hmmcalibrate_personality();
const Personality& hmmconvert_personality();
const Personality& hmmfetch_personality();
const Personality& hmmbuild_personality();
const Personality& hmmalign_personality();
const Personality& hmmemit_personality();
const Personality& hmmindex_personality();

}  // namespace gpuhmm::cli
