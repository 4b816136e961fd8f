// Extracts and counts residues of an alignment.
#include "plan7/building/training_alignment.hpp"

#include <bit>

namespace gpuhmm {

std::vector<std::uint8_t> TrainingAlignment::residues(std::size_t row) const {
  std::vector<std::uint8_t> codes;
  for (const char c : rows[row]) {
    if (!is_gap(c)) codes.push_back(letters().code(c));
  }
  return codes;
}

void count_residue(const Alphabet& alphabet, std::uint8_t code, float weight, float* counts) {
  if (code < alphabet.size()) {
    counts[code] += weight;
    return;
  }
  const std::uint32_t members = alphabet.members(code);
  const float part = weight / static_cast<float>(std::popcount(members));
  for (int x = 0; x < alphabet.size(); ++x) {
    if ((members >> x & 1) != 0) counts[x] += part;
  }
}

}  // namespace gpuhmm
