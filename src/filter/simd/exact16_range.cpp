// Computes the zero point and the mark of exact 16-bit scores, and checks the conditions of the proof.
#include "filter/simd/exact16_range.hpp"

#include <algorithm>
#include <limits>

namespace gpuhmm::simd {

Exact16Range::Exact16Range(const SingleHitModel& single, const RebasedModel& rebased, DeleteSums sums)
    : single_(single), rebased_(rebased), sums_(sums), harmless_(harmless_deletes(single, rebased)) {
  const int nodes = single.nodes;
  first_delete_ = entry(1);
  for (int k = 1; k < nodes; ++k) first_delete_ = std::min(first_delete_, harmless_[k]);
  std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
  for (int k = 1; k <= nodes; ++k) {
    const std::int64_t emission = single.match[k].low + rebased.match_shift[k];
    lowest_match_ = std::min(lowest_match_, emission);
    std::int64_t level = lowest_m(k);
    if (k < nodes && loop_gain(k) > 0) {
      // I~ does not saturate when it is entered, and its value before row 1 is a loop gain below what M~
      // gives it then.
      level += std::min({rebased.mi[k] + std::min(single.insert[k].low, std::int64_t{0}),
                         rebased.mi[k] - loop_gain(k), std::int64_t{0}});
    }
    lowest = std::min(lowest, level);
  }
  if (sums == DeleteSums::Fit) lowest = std::min(lowest, lowest_delete());
  zero_ = lowest - kLowest16;
  mark_ = kHighest16 + lowest_match_ - 1;
  if (single.multihit) mark_ = std::min(mark_, single.multihit_mark - zero_);
  for (std::int64_t& level : harmless_) level -= zero_;
  first_delete_ -= zero_;
}

std::int64_t Exact16Range::lowest_delete() const {
  std::int64_t lowest = first_delete_;
  for (int k = 1; k < single_.nodes; ++k) {
    const std::int64_t opened = lowest_m(k) + rebased_.md[k];
    const std::int64_t extended = k + 1 < single_.nodes ? opened + rebased_.dd[k + 1] : opened;
    lowest = std::min({lowest, opened, extended, first_delete_ + rebased_.dd[k]});
  }
  return lowest;
}

std::int64_t Exact16Range::delete_gain() const {
  std::int64_t gain = 0, most = 0;
  for (int k = 1; k < single_.nodes; ++k) {
    gain = std::max({gain + rebased_.dd[k], rebased_.md[k], std::int64_t{0}});
    most = std::max(most, gain);
  }
  return most;
}

bool Exact16Range::delete_sums_fit() const {
  const std::int64_t gain = delete_gain();
  return std::max(mark_, first_delete_) + gain <= kHighest16 && lowest_match_ - gain > kLowest16;
}

bool Exact16Range::scores_fit() const {
  for (int k = 1; k <= single_.nodes; ++k) {
    if (entry(k) - zero_ > kHighest16) return false;
    if (single_.match[k].high + rebased_.match_shift[k] > kHighest16) return false;
    if (single_.match[k].low + rebased_.match_shift[k] < kLowest16) return false;
    if (k == single_.nodes) break;
    for (const auto* scores : {&rebased_.mi, &rebased_.ii, &rebased_.md, &rebased_.dd}) {
      if ((*scores)[k] > kHighest16) return false;
    }
    if (single_.insert[k].high > kHighest16 || single_.insert[k].low < kLowest16) return false;
  }
  return true;
}

// Every I~ that starts at the lowest value or is raised by saturation must stay below the entry from B.
bool Exact16Range::inserts_hold() const {
  for (int k = 1; k < single_.nodes; ++k) {
    const std::int64_t begin = entry(k + 1) - zero_;
    const bool opening_fits = rebased_.mi[k] >= kLowest16;
    const bool loop_fits = rebased_.ii[k] >= kLowest16;
    if (loop_gain(k) > 0 && !opening_fits) return false;
    std::int64_t highest_raised = kLowest16;
    if (!opening_fits) highest_raised = std::max(highest_raised, mark_ + kLowest16);
    if (!loop_fits) highest_raised = std::max(highest_raised, kHighest16 + kLowest16);
    if (highest_raised + std::max(single_.insert[k].high, std::int64_t{0}) > begin) return false;
  }
  return true;
}

// Every D~ that saturation or a score outside 16 bits can raise must be harmless where it arrives. `highest`
// is an upper bound of the D~ of sequences below the mark, raised values included.
bool Exact16Range::deletes_hold(const StripedShape& shape, const DeletePaths& deletes) const {
  const int nodes = single_.nodes;
  std::vector<std::int64_t> highest(static_cast<std::size_t>(nodes) + 2, std::max(harmless_[1], kLowest16));
  const auto arrives = [&](std::int64_t from, std::int64_t score, std::size_t to) {
    return score >= kLowest16 || from + kLowest16 <= harmless_[to];
  };
  for (int k = 1; k < nodes; ++k) {
    if (harmless_[k] < kLowest16) return false;
    if (!arrives(mark_, rebased_.md[k], k + 1) || !arrives(highest[k], rebased_.dd[k], k + 1)) return false;
    highest[k + 1] =
        std::max({harmless_[k + 1], highest[k] + rebased_.dd[k], mark_ + rebased_.md[k], kLowest16});
  }
  bool held = true;
  const auto check = [&](std::size_t from, std::size_t to) {
    if (to > static_cast<std::size_t>(nodes)) return;
    const std::int64_t score = deletes.between(from, to);
    held = held && score <= kHighest16 && arrives(highest[from], score, to);
  };
  for_each_crossing(shape,
                    [&](std::size_t, std::size_t, std::size_t from, std::size_t to) { check(from, to); });
  for (std::size_t k = 1; k <= static_cast<std::size_t>(nodes); ++k) check(shape.lane_start(k), k);
  return held;
}

}  // namespace gpuhmm::simd
