// Sums over nodes in the order of the stripes, and the odds of degenerate codes.
#include "hmmer3/null2.hpp"

#include <array>

namespace gpuhmm::hmmer3 {

std::vector<float> null2_odds(const FloatModel& model, const Alphabet& alphabet, std::span<const float> match,
                              std::span<const float> insert, float outside) {
  std::vector<float> odds(static_cast<std::size_t>(alphabet.size()));
  for (std::size_t x = 0; x < odds.size(); ++x) {
    const float* const emission = model.emissions(x);
    std::array<float, kStripes> sum{};
    for (std::size_t at = 0; at < model.steps() * kStripes; at += kStripes) {
      for (std::size_t r = 0; r < kStripes; ++r) sum[r] = sum[r] + match[at + r] * emission[at + r];
      if (insert.empty()) continue;
      for (std::size_t r = 0; r < kStripes; ++r) sum[r] = sum[r] + insert[at + r];
    }
    odds[x] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }
  complete_odds(alphabet, outside, odds);
  return odds;
}

void complete_odds(const Alphabet& alphabet, float outside, std::vector<float>& odds) {
  const std::size_t residues = odds.size();
  for (float& x : odds) x = x + outside;
  odds.resize(static_cast<std::size_t>(alphabet.code_count()), 1.0F);
  for (std::size_t code = residues; code < odds.size(); ++code) {
    const std::uint32_t members = alphabet.members(static_cast<std::uint8_t>(code));
    if (members == 0) continue;
    float sum = 0;
    int count = 0;
    for (std::size_t y = 0; y < residues; ++y) {
      if ((members >> y & 1U) == 0) continue;
      sum = sum + odds[y];
      ++count;
    }
    odds[code] = sum / static_cast<float>(count);
  }
}

}  // namespace gpuhmm::hmmer3
