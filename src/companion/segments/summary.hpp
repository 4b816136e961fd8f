// Summaries of blocks of a vector that can be merged into the best segment of the whole vector.
//
// Four numbers suffice: the sum of the block, and the sums of its best prefix, suffix and segment, any of
// which may be empty. Alves, Caceres and Song (2004) use five, which are equivalent: the best segment M, the
// best prefix P of the elements left of M, the best suffix S of those right of M, and the sums N1, N2 <= 0 of
// the gaps between P, M and S. Merging is associative for both.
#pragma once

#include <algorithm>
#include <cstdint>

#include "companion/segments/segment.hpp"

namespace gpuhmm {

/// The four numbers of a block, with positions. By default an empty block, the neutral element of merge().
template <class Score>
struct BlockSummary {
  Score total{};                 // sum of the block
  Score prefix{};                // sum of the best prefix, the shortest of equal ones
  std::uint64_t prefix_end = 0;  // end of that prefix; unspecified if prefix is 0
  Score suffix{};                // sum of the best suffix, the shortest of equal ones
  std::uint64_t suffix_begin = 0;
  Segment<Score> best;
};

/// The summary of one element at `position`.
template <class Score>
BlockSummary<Score> element_summary(Score value, std::uint64_t position) {
  if (!(value > Score{})) return {value, {}, 0, {}, 0, {}};
  return {value, value, position + 1, value, position, {position, position + 1, value}};
}

/// True if `a` is the better segment: it has the larger score or, of equal scores, ends first, then is
/// shorter.
template <class Score>
bool better(const Segment<Score>& a, const Segment<Score>& b) {
  if (a.score != b.score) return a.score > b.score;
  if (a.end != b.end) return a.end < b.end;
  return a.begin > b.begin;
}

/// The summary of block `left` followed by block `right`.
template <class Score>
BlockSummary<Score> merge(const BlockSummary<Score>& left, const BlockSummary<Score>& right) {
  BlockSummary<Score> whole;
  whole.total = left.total + right.total;
  const Score longer_prefix = left.total + right.prefix;
  const bool keep_prefix = left.prefix >= longer_prefix;
  whole.prefix = keep_prefix ? left.prefix : longer_prefix;
  whole.prefix_end = keep_prefix ? left.prefix_end : right.prefix_end;
  const Score longer_suffix = left.suffix + right.total;
  const bool keep_suffix = right.suffix >= longer_suffix;
  whole.suffix = keep_suffix ? right.suffix : longer_suffix;
  whole.suffix_begin = keep_suffix ? right.suffix_begin : left.suffix_begin;
  Segment<Score> candidates[] = {left.best, {}, right.best};
  // A segment that crosses the border has a part in each block; without one it belongs to the other block.
  if (left.suffix > Score{} && right.prefix > Score{}) {
    candidates[1] = {left.suffix_begin, right.prefix_end, left.suffix + right.prefix};
  }
  for (const Segment<Score>& candidate : candidates) {
    if (candidate.score > Score{} && (whole.best.empty() || better(candidate, whole.best)))
      whole.best = candidate;
  }
  return whole;
}

/// The five numbers of Alves, Caceres and Song; prefix, best and suffix >= 0, the gaps <= 0.
template <class Score>
struct FiveNumbers {
  Score prefix{}, left_gap{}, best{}, right_gap{}, suffix{};
  bool operator==(const FiveNumbers&) const = default;
};

/// The four numbers equivalent to five; without positions.
template <class Score>
BlockSummary<Score> four_of(const FiveNumbers<Score>& five) {
  BlockSummary<Score> four;
  four.total = five.prefix + five.left_gap + five.best + five.right_gap + five.suffix;
  four.prefix = std::max(five.prefix, five.prefix + five.left_gap + five.best);
  four.suffix = std::max(five.suffix, five.best + five.right_gap + five.suffix);
  four.best.score = five.best;
  return four;
}

/// Five numbers equivalent to the four. One of the five is redundant, so a block has several such quintuples;
/// all of them merge to the same sums.
template <class Score>
FiveNumbers<Score> five_of(const BlockSummary<Score>& four) {
  const Score best = four.best.score;
  if (best == Score{}) return {Score{}, Score{}, Score{}, four.total, Score{}};
  const Score gap = four.prefix + four.suffix - best - four.total;
  if (gap == Score{}) return {Score{}, four.prefix - best, best, four.suffix - best, Score{}};
  return {four.prefix, -best - gap, best, four.suffix - best, Score{}};
}

}  // namespace gpuhmm
