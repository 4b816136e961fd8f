// Checks that a search can use the numbers of a profile.
#pragma once

#include <string>

#include "gpuhmm/profile.hpp"

namespace gpuhmm {

/// Describes the first fault of a profile; empty if it has none: all numbers are finite, all probabilities
/// lie between 0 and 1, emissions and pairs of transitions sum to about 1, and the null model is a
/// distribution. Match transitions and begin probabilities need not sum to 1, because HMMER 2.3.2 writes
/// local models not quite normalised into binary files.
std::string profile_fault(const Profile& profile);

}  // namespace gpuhmm
