// What must be known of each block of a vector so that best segments of blocks make the best segment of the
// whole.
//
// Four numbers are enough: the sum, the best prefix, the best suffix and the best segment, all allowed to be
// empty. The five of Alves, Caceres and Song (2004) say the same: the best segment M, the best prefix P of
// what lies left of it, the best suffix S of what lies right of it, and the sums N1, N2 <= 0 of the gaps
// between them. Both forms merge associatively.
#pragma once

#include <algorithm>
#include <cstdint>

#include "companion/segments/segment.hpp"

namespace gpuhmm {

/// The four numbers of a block with positions. The default is that of an empty block, which changes nothing.
template <class Score>
struct BlockSummary {
  Score total{};
  Score prefix{};                // of the best prefix, the shortest of equal ones
  std::uint64_t prefix_end = 0;  // where it ends; not meaningful if prefix is 0
  Score suffix{};                // of the best suffix, the shortest of equal ones
  std::uint64_t suffix_begin = 0;
  Segment<Score> best;
};

/// Of one element at `position`.
template <class Score>
BlockSummary<Score> element_summary(Score value, std::uint64_t position) {
  if (!(value > Score{})) return {value, {}, 0, {}, 0, {}};
  return {value, value, position + 1, value, position, {position, position + 1, value}};
}

/// True if `a` is the better answer: the larger score; of equal ones the one that ends first, then the
/// shortest.
template <class Score>
bool better(const Segment<Score>& a, const Segment<Score>& b) {
  if (a.score != b.score) return a.score > b.score;
  if (a.end != b.end) return a.end < b.end;
  return a.begin > b.begin;
}

/// Of a block `left` followed by a block `right`.
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
  // A crossing segment needs both of its parts; without one it is a segment of the other block.
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

/// The four numbers out of the five; positions are not kept.
template <class Score>
BlockSummary<Score> four_of(const FiveNumbers<Score>& five) {
  BlockSummary<Score> four;
  four.total = five.prefix + five.left_gap + five.best + five.right_gap + five.suffix;
  four.prefix = std::max(five.prefix, five.prefix + five.left_gap + five.best);
  four.suffix = std::max(five.suffix, five.best + five.right_gap + five.suffix);
  four.best.score = five.best;
  return four;
}

/// Five numbers with the meaning of the four: one of five is redundant, so several fives may belong to a
/// block; all of them merge to the same sums.
template <class Score>
FiveNumbers<Score> five_of(const BlockSummary<Score>& four) {
  const Score best = four.best.score;
  if (best == Score{}) return {Score{}, Score{}, Score{}, four.total, Score{}};
  const Score gap = four.prefix + four.suffix - best - four.total;
  if (gap == Score{}) return {Score{}, four.prefix - best, best, four.suffix - best, Score{}};
  return {four.prefix, -best - gap, best, four.suffix - best, Score{}};
}

}  // namespace gpuhmm
