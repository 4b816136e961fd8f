// Writes the best subsequence of a vector as a table or as a JSON object.
#pragma once

#include <string>

#include "companion/subsequence/subsequence.hpp"
#include "formats/numbers/numbers.hpp"

namespace gpuhmm {

/// A table: a remark with the sum, then a line for each element with its position, counted from 0, and its
/// value. Only a remark if there is no answer. `vector`: the vector that was searched.
std::string subsequence_table(const Subsequence& answer, const SubsequenceQuery& query,
                              const NumberValues& vector);
/// One line with a JSON object; docs/subsequence.md describes its keys. `vector`: the vector that was
/// searched.
std::string subsequence_json(const Subsequence& answer, const NumberValues& vector);

}  // namespace gpuhmm
