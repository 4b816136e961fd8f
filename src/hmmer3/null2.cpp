// Sums over nodes in the order of the stripes.
#include "hmmer3/null2.hpp"

#include <array>

namespace gpuhmm::hmmer3 {

namespace {

constexpr std::size_t kTogether = 4;  // residues whose sums are computed side by side; divides 20 and 4

}  // namespace

std::vector<float> null2_odds(const FloatModel& model, const Alphabet& alphabet, std::span<const float> match,
                              std::span<const float> insert, float outside) {
  std::vector<float> odds(static_cast<std::size_t>(alphabet.code_count()), 1.0F);
  const auto residues = static_cast<std::size_t>(alphabet.size());
  for (std::size_t x = 0; x < residues; x += kTogether) {
    std::array<std::array<float, kStripes>, kTogether> sums{};
    const float* const emission = model.emissions(x);
    const std::size_t row = model.steps() * kStripes;
    for (std::size_t at = 0; at < row; at += kStripes) {
      for (std::size_t y = 0; y < kTogether; ++y) {
        const float* const here = emission + y * row + at;
        for (std::size_t r = 0; r < kStripes; ++r) sums[y][r] = sums[y][r] + match[at + r] * here[r];
      }
      if (insert.empty()) continue;
      for (std::size_t y = 0; y < kTogether; ++y) {
        for (std::size_t r = 0; r < kStripes; ++r) sums[y][r] = sums[y][r] + insert[at + r];
      }
    }
    for (std::size_t y = 0; y < kTogether; ++y) {
      const std::array<float, kStripes>& sum = sums[y];
      odds[x + y] = ((sum[0] + sum[1]) + (sum[2] + sum[3])) + outside;
    }
  }
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
  return odds;
}

}  // namespace gpuhmm::hmmer3
