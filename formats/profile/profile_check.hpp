// Checks whether the numbers of a profile that was read can be searched with.
#pragma once

#include <string>

#include "gpuhmm/profile.hpp"

namespace gpuhmm {

/// Empty if every number is finite and lies where a probability can lie, emissions and paired transitions sum
/// to about 1, and the null model is a proper distribution; otherwise the first complaint in words. Match
/// transitions and begin probabilities need not sum to 1: local models of HMMER 2.3.2 are not quite
/// normalised in binary files.
std::string profile_fault(const Profile& profile);

}  // namespace gpuhmm
