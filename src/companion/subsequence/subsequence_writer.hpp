// The chosen elements of a vector as a table or as a JSON object.
#pragma once

#include <string>

#include "companion/subsequence/subsequence.hpp"
#include "formats/numbers/numbers.hpp"

namespace gpuhmm {

/// A remark with the sum, then a line for each element: its position, counted from 0, and its value; only a
/// remark if there is no answer. `vector`: what was searched.
std::string subsequence_table(const Subsequence& answer, const SubsequenceQuery& query,
                              const NumberValues& vector);
/// One JSON object on a line; docs/subsequence.md describes its keys.
std::string subsequence_json(const Subsequence& answer, const NumberValues& vector);

}  // namespace gpuhmm
