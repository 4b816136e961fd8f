// "did you mean": the known word that a mistyped one is closest to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpuhmm::cli {

/// Letters to be inserted, left out, changed or swapped with their neighbour to make `b` of `a`: the optimal
/// string alignment distance.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// "; did you mean 'search'?" for the known word that is closest to `word`, or that is the only one to begin
/// or end with it; empty if none is close. Case does not count.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace gpuhmm::cli
