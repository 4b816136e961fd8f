// Records of the files .h3f and .h3p of a pressed database: the scores of one profile as HMMER3's programs
// for x86 processors lay them out (docs/spec/hmmer3/hmmscan.md, 3).
#pragma once

#include <cstdint>
#include <string>

#include "gpuhmm/hmmer3_profile.hpp"
#include "hmmer3/log_odds.hpp"

namespace gpuhmm::hmmer3 {

/// Where the records of a profile begin in the files.
struct RecordOffsets {
  std::uint64_t profiles = 0, filters = 0, scores = 0;
};

/// The record of .h3f: scores of SSV and MSV.
std::string filter_record(const Profile& profile, const LogOdds& log_odds, const RecordOffsets& offsets);

/// The record of .h3p: annotation, scores of the Viterbi filter, odds of Forward.
std::string score_record(const Profile& profile, const LogOdds& log_odds);

}  // namespace gpuhmm::hmmer3
