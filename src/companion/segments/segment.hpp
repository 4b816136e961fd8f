// Maximum-sum segments of a vector: the plain algorithms, which define the results of all faster ones.
//
// The score of a segment [begin, end) is the sum of its elements. The best segment has the largest score; of
// equal scores it is the one that ends first, then the shortest. If no element is positive, it is the empty
// segment with score 0. A segment is tight if all prefix sums S inside it satisfy S[begin] < S[k] < S[end],
// begin < k < end, and S[begin] < S[end]. The maximal segments (Ruzzo and Tompa 1999) are the tight segments
// that no other tight segment contains. They neither overlap nor touch; the best segment is the first of
// those with the highest score.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gpuhmm {

/// A segment and its score. Score: std::int64_t, __int128 or double.
template <class Score>
struct Segment {
  std::uint64_t begin = 0, end = 0;  // elements [begin, end), counted from 0; equal: no segment
  Score score{};

  bool empty() const { return begin == end; }
  std::uint64_t length() const { return end - begin; }
  bool operator==(const Segment&) const = default;
};

/// Keeps the `most` segments with the highest scores, of equal scores the first; their order stays.
template <class Score>
void keep_highest(std::vector<Segment<Score>>& segments, std::uint64_t most) {
  if (segments.size() <= most) return;
  std::stable_sort(segments.begin(), segments.end(),
                   [](const Segment<Score>& a, const Segment<Score>& b) { return a.score > b.score; });
  segments.resize(most);
  std::sort(segments.begin(), segments.end(),
            [](const Segment<Score>& a, const Segment<Score>& b) { return a.begin < b.begin; });
}

/// The best segment, in one pass (Kadane's algorithm). The caller makes sure that Score can hold the sum of
/// every part of `values`.
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

/// The stack of Ruzzo and Tompa (1999). push() takes runs of positive elements from left to right; after
/// each, the stack holds the maximal segments of all elements so far. Each item links to the nearest item
/// before it with a lower start, which makes the algorithm linear. push() also takes maximal segments of
/// consecutive blocks in place of runs: inside such a segment all prefix sums lie between those of its ends,
/// and between two of them no element is positive. So blocks can be searched separately.
template <class Score>
class MaximalSegmentStack {
 public:
  /// Adds the run [begin, end). `low` and `high`, low < high, are the prefix sums before and after it,
  /// counted from the same element in all calls.
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

  /// The maximal segments, in order.
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
    std::size_t lower;  // index of the nearest item before it with a smaller `low`, or kNone
  };
  std::vector<Item> items_;
};

/// Converts an element to a score of the same value.
template <class Score>
struct AsScore {
  template <class T>
  Score operator()(T value) const {
    return static_cast<Score>(value);
  }
};

/// The stack after all of `values`. `convert` gives the score of an element; its sign must be the element's.
/// The caller makes sure that Score can hold the sum of every part of `values`.
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

/// All maximal segments of `values`, in order. Score: as for maximal_segment_stack.
template <class Score, class T>
std::vector<Segment<Score>> maximal_segments(std::span<const T> values) {
  return maximal_segment_stack<Score, T>(values).segments();
}

}  // namespace gpuhmm
