// "did you mean" suggestions for mistyped words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpuhmm::cli {

/// The optimal string alignment distance: the smallest number of letters to insert, delete, change or swap
/// with their neighbour to turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// "; did you mean 'search'?" with the known word that is closest to `word`, or else the only one that begins
/// or ends with it. Empty if there is none. Ignores case.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace gpuhmm::cli
