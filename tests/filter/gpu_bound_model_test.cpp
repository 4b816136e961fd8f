// The 16-bit model of the packed GPU kernels, checked by scalar code in 64 bits: no sum falls below 1, none
// exceeds 16 bits unless the peak shows it, and the bound is never below the exact score.
#include "filter/opencl/gpu_bound_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "filter/random_models.hpp"
#include "plan7/arithmetic.hpp"
#include "plan7/score_model.hpp"
#include "plan7/viterbi.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;

struct Sweep {
  std::int64_t lowest = 65'535;   // of all sums
  std::int64_t peak = 0;          // largest match score in 16 bits, up to the row after the first overflow
  bool overflow = false;          // a match score, or another sum of a row before the last, exceeded 16 bits
  std::int32_t best = kGpuFloor;  // E
};

// The recurrence of gpu_packed_step.cl for one sequence, after one row of padding.
Sweep sweep(const GpuBoundModel& model, int nodes, bool floored, std::span<const std::uint8_t> residues) {
  const auto signed_half = [](std::uint32_t word, int half) {
    return std::int64_t{static_cast<std::int16_t>(word >> (16 * half) & 0xffffU)};
  };
  const auto move = [&](int k, int which) {
    return signed_half(model.moves[k / 2 * std::size_t{kGpuMoveWords} + 4 * (k % 2) + which], 0);
  };
  const std::int64_t begin = model.begin & 0xffffU;
  std::vector<std::int64_t> x(nodes, begin);
  std::vector<std::int64_t> p(nodes, model.start_p & 0xffffU);
  Sweep result;
  std::size_t overflow_row = residues.size() + 1;
  for (std::size_t row = 0; row <= residues.size(); ++row) {
    const std::size_t code = row == 0 ? kGpuCodes - 1 : residues[row - 1];
    const auto checked = [&](std::int64_t sum) {
      result.lowest = std::min(result.lowest, sum);
      if (sum > 65'535 && row < residues.size()) overflow_row = std::min(overflow_row, row);
      return sum;
    };
    std::int64_t d = begin;
    std::int64_t above = begin;
    for (int k = 0; k < nodes; ++k) {
      const std::int64_t m =
          checked((floored ? above : std::max(above, begin)) +
                  signed_half(model.emissions[k / 2 * std::size_t{kGpuCodes} + code], k % 2));
      if (m > 65'535) overflow_row = std::min(overflow_row, row);
      if (m <= 65'535 && row <= overflow_row + 1) result.peak = std::max(result.peak, m);
      const auto end = static_cast<std::int32_t>(model.moves[k / 2 * std::size_t{kGpuMoveWords} + 8 + k % 2]);
      result.best = std::max(result.best, static_cast<std::int32_t>(m) + end);
      above = x[k];
      if (k + 1 == nodes) break;  // insert and delete of the last node do not matter
      const std::int64_t i = checked(p[k] + signed_half(model.inserts[code], 0));
      x[k] = std::max({m, i, d});
      p[k] = std::max(checked(i + move(k, 1)), checked(m + move(k, 0)));
      d = std::max({checked(d + move(k, 3)), checked(m + move(k, 2)), floored ? begin : std::int64_t{0}});
    }
  }
  result.overflow = overflow_row <= residues.size();
  return result;
}

TEST(GpuBoundModel, KeepsAllSumsIn16Bits) {
  Generator rng(91);
  int high_peaks = 0, low_peaks = 0;
  for (int round = 0; round < 200; ++round) {
    RandomModelOptions options;
    options.nodes = detail::between(rng, 1, 90);
    options.style = kAllStyles[round % 4];
    options.impossible = round % 3 == 0 ? 0.1 : 0;
    ScoreModel model = random_model(rng, options);
    if (round % 5 == 0) std::fill(model.end.begin(), model.end.end() - 1, kMinusInfinity);
    const GpuBoundModel bound(model, detail::between(rng, -20'000, 20'000));
    for (int s = 0; s < 8; ++s) {
      const std::size_t length = detail::between(rng, 1, 400);
      const std::vector<std::uint8_t> residues =
          s % 2 == 0 ? random_residues(rng, model.alphabet, length) : repeat_residues(rng, model, length);
      const Sweep result = sweep(bound, model.nodes, s % 4 < 2, residues);
      EXPECT_GE(result.lowest, 1) << style_name(options.style) << " of " << options.nodes;
      if (result.peak <= bound.peak_limit) {
        ++low_peaks;
        EXPECT_FALSE(result.overflow) << style_name(options.style) << " of " << options.nodes;
      } else {
        ++high_peaks;
      }
      const std::int32_t exact = viterbi_score(model, residues);
      const bool single = model.e_to_j == kMinusInfinity || exact <= 0;
      if (single) {
        EXPECT_GE(bound.score(result.best, residues.size()), exact);
      }
    }
  }
  EXPECT_GT(low_peaks, 100);
  EXPECT_GT(high_peaks, 100);
}

}  // namespace
}  // namespace gpuhmm
