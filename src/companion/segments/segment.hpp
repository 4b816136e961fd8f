// Maximum-sum segments of a vector: the plain algorithms, which define what every faster path must give.
//
// A segment [begin, end) scores the sum of its elements. The best one has the largest positive score; of
// equal ones it ends first, then is the shortest. If no element is positive it is the empty segment with sum
// 0. All maximal segments (Ruzzo and Tompa 1999): a segment is tight if every proper part of it that shares
// an end with it scores strictly less than it and more than nothing: S[begin] < S[k] < S[end] for the prefix
// sums S inside. The maximal ones are the tight ones in no other tight one; they neither overlap nor touch,
// and the best segment is the first of the highest-scoring ones.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gpuhmm {

/// A segment with its score, elements counted from 0. Score: std::int64_t, __int128 or double.
template <class Score>
struct Segment {
  std::uint64_t begin = 0, end = 0;  // half-open; equal: no segment
  Score score{};

  bool empty() const { return begin == end; }
  std::uint64_t length() const { return end - begin; }
  bool operator==(const Segment&) const = default;
};

/// Leaves the `most` highest-scoring ones, of equal ones the first, in their order.
template <class Score>
void keep_highest(std::vector<Segment<Score>>& segments, std::uint64_t most) {
  if (segments.size() <= most) return;
  std::stable_sort(segments.begin(), segments.end(),
                   [](const Segment<Score>& a, const Segment<Score>& b) { return a.score > b.score; });
  segments.resize(most);
  std::sort(segments.begin(), segments.end(),
            [](const Segment<Score>& a, const Segment<Score>& b) { return a.begin < b.begin; });
}

/// The best segment by one pass (Kadane). The caller makes sure that no sum of a part of `values` leaves
/// Score.
template <class Score, class T>
Segment<Score> best_segment(std::span<const T> values) {
  Segment<Score> best;
  Score sum{}, lowest{};
  std::uint64_t lowest_at = 0;
  for (std::uint64_t i = 0; i < values.size(); ++i) {
    sum += static_cast<Score>(values[i]);
    if (sum - lowest > best.score) best = {lowest_at, i + 1, sum - lowest};
    if (sum <= lowest) {
      lowest = sum;
      lowest_at = i + 1;
    }
  }
  return best;
}

/// The stack of Ruzzo and Tompa: positive runs are given from left to right, and after each the maximal
/// segments of what was given so far are known. Linear, for each item knows the nearest one before it that
/// starts lower. A run may also be a maximal segment of a block of the vector: inside it all prefix sums lie
/// between those of its ends, and between two of them no element is positive, so that blocks can be searched
/// apart and their answers be pushed in order.
template <class Score>
class MaximalSegmentStack {
 public:
  /// The run [begin, end) between the prefix sums `low` and `high`, low < high. Both count from the same
  /// origin in all calls.
  void push(std::uint64_t begin, std::uint64_t end, Score low, Score high) {
    Item item{low, high, begin, end, kNone};
    std::size_t lower = items_.empty() ? kNone : items_.size() - 1;
    for (;;) {
      while (lower != kNone && !(items_[lower].low < item.low)) lower = items_[lower].lower;
      if (lower == kNone || items_[lower].high >= item.high) break;
      item.low = items_[lower].low;
      item.begin = items_[lower].begin;
      const std::size_t next = items_[lower].lower;
      items_.resize(lower);
      lower = next;
    }
    item.lower = lower;
    items_.push_back(item);
  }

  /// The maximal segments in order.
  std::vector<Segment<Score>> segments() const {
    std::vector<Segment<Score>> found;
    found.reserve(items_.size());
    for (const Item& item : items_) found.push_back({item.begin, item.end, item.high - item.low});
    return found;
  }
  /// The prefix sum before segment i of segments().
  Score low(std::size_t i) const { return items_[i].low; }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  struct Item {
    Score low, high;
    std::uint64_t begin, end;
    std::size_t lower;  // nearest item before it with a smaller `low`
  };
  std::vector<Item> items_;
};

/// Takes an element as a score.
template <class Score>
struct AsScore {
  template <class T>
  Score operator()(T value) const {
    return static_cast<Score>(value);
  }
};

/// The stack after all of `values`. `convert` gives the score of an element, of the same sign. The caller
/// makes sure that no sum of a part of the vector leaves Score.
template <class Score, class T, class Convert = AsScore<Score>>
MaximalSegmentStack<Score> maximal_segment_stack(std::span<const T> values, const Convert& convert = {}) {
  MaximalSegmentStack<Score> stack;
  Score sum{};
  for (std::uint64_t i = 0; i < values.size();) {
    if (!(values[i] > T{})) {
      sum += convert(values[i++]);
      continue;
    }
    const std::uint64_t begin = i;
    const Score low = sum;
    while (i < values.size() && values[i] > T{}) sum += convert(values[i++]);
    stack.push(begin, i, low, sum);
  }
  return stack;
}

/// All maximal segments in order, as above.
template <class Score, class T>
std::vector<Segment<Score>> maximal_segments(std::span<const T> values) {
  return maximal_segment_stack<Score, T>(values).segments();
}

}  // namespace gpuhmm
