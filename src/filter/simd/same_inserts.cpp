// Compares the insert scores of nodes, and replaces them by those of most nodes.
#include "filter/simd/same_inserts.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "plan7/arithmetic.hpp"

namespace gpuhmm::simd {

namespace {

// 1/1000 bit. Profiles from alignments differ by 0.15 bits at most.
constexpr std::int64_t kMostAdded = 300;

// The insert scores of a residue code at nodes 1 .. M-1; the last node has no insert state.
std::span<const std::int32_t> inner_scores(const ScoreModel& model, int code) {
  return model.insert_row(code).subspan(1, static_cast<std::size_t>(model.nodes) - 1);
}

std::int32_t median(std::span<const std::int32_t> scores) {
  std::vector<std::int32_t> sorted(scores.begin(), scores.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return *middle;
}

}  // namespace

bool has_same_inserts(const ScoreModel& model) {
  if (model.nodes < 2) return false;
  for (int x = 0; x < model.code_count(); ++x) {
    const std::span<const std::int32_t> scores = inner_scores(model, x);
    if (std::ranges::any_of(scores, [&](std::int32_t score) { return score != scores[0]; })) return false;
  }
  return true;
}

std::optional<ScoreModel> with_same_inserts(const ScoreModel& model) {
  if (model.nodes < 2) return std::nullopt;
  ScoreModel same = model;
  std::vector<std::int64_t> added(static_cast<std::size_t>(model.nodes),
                                  std::numeric_limits<std::int64_t>::min());
  for (int x = 0; x < model.code_count(); ++x) {
    const std::span<const std::int32_t> scores = inner_scores(model, x);
    const std::int32_t common = median(scores);
    for (std::size_t k = 1; k <= scores.size(); ++k) {
      added[k] = std::max(added[k], std::int64_t{scores[k - 1]} - common);
      same.insert[static_cast<std::size_t>(x) * (scores.size() + 2) + k] = common;
    }
  }
  for (std::size_t k = 1; k < added.size(); ++k) {
    if (added[k] > kMostAdded) return std::nullopt;
    for (auto* steps : {&same.mi, &same.ii}) {
      // Fewer than nothing is added where all residues score less than at most nodes.
      std::int32_t& step = (*steps)[k];
      step = static_cast<std::int32_t>(std::max<std::int64_t>(step + added[k], kMinusInfinity));
    }
  }
  return same;
}

}  // namespace gpuhmm::simd
