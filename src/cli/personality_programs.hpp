// The programs of HMMER 2.3.2 that the executable stands in for.
#pragma once

#include "cli/personality.hpp"

namespace gpuhmm::cli {

const Personality& hmmsearch_personality();
const Personality& hmmpfam_personality();

}  // namespace gpuhmm::cli
