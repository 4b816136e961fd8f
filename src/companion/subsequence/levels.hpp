// Finds the best subsequence of a given number of elements by levels. A LevelEngine computes each level from
// the one before.
//
// Level j holds for every element i the largest sum of a subsequence of j elements that begins with i: a[i]
// plus the largest entry of level j - 1 among the elements that may follow i. This is the recurrence of
// Goncalves, Miranda and Guardia in reverse direction, so that tracing from the front finds the smallest
// positions of equal sums.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "companion/subsequence/ranked_vector.hpp"

namespace gpuhmm {

/// A vector as ranks (follower_ranks) and summands (exact_summands). Refers to them.
template <class Sum>
struct RankedVector {
  std::span<const std::int32_t> ranks;
  std::span<const Sum> values;

  std::size_t size() const { return values.size(); }
};

/// Number of elements and sum of the best subsequence.
template <class Sum>
struct BestLevel {
  std::size_t elements = 0;  ///< 0: there is none
  Sum sum = no_sum<Sum>();
};

/// Computes levels on the host.
template <class Sum>
class LevelEngine {
 public:
  virtual ~LevelEngine() = default;
  /// The number of levels after level `from` that one call of advance() can compute.
  virtual std::size_t width(std::size_t from) const = 0;
  /// Computes the levels from + 1, from + 2, ... into `next`, at most width(from) of them. `level` is level
  /// `from`. All rows have the vector's length.
  virtual void advance(std::size_t from, std::span<const Sum> level, std::span<Sum* const> next) = 0;
};

/// Replaces `best` if `level`, that of `elements` elements, has a larger sum. Called with rising `elements`,
/// it keeps the fewest elements of equal sums.
template <class Sum>
void improve(BestLevel<Sum>& best, std::size_t elements, std::span<const Sum> level) {
  for (const Sum sum : level) {
    if (sum > best.sum) best = {elements, sum};
  }
}

/// Traces a subsequence through the levels from its first element to its last.
template <class Sum>
class LevelTrace {
 public:
  explicit LevelTrace(const RankedVector<Sum>& vector) : vector_(vector) {}

  /// Takes the first element: the first one whose entry in the top level is `sum`.
  void begin(std::span<const Sum> level, Sum sum) {
    std::size_t i = 0;
    while (level[i] != sum) ++i;
    take(i, sum);
  }
  /// Takes the next element, by the level below.
  void step(std::span<const Sum> below) {
    const std::size_t last = positions_.back();
    for (std::size_t i = last + 1;; ++i) {
      if (vector_.ranks[i] > vector_.ranks[last] && below[i] != no_sum<Sum>() &&
          vector_.values[last] + below[i] == sum_) {
        return take(i, below[i]);
      }
    }
  }
  std::vector<std::size_t>& positions() { return positions_; }

 private:
  void take(std::size_t position, Sum sum) {
    positions_.push_back(position);
    sum_ = sum;
  }

  const RankedVector<Sum>& vector_;
  std::vector<std::size_t> positions_;
  Sum sum_{};
};

/// Searches a vector on the host with at most about `memory` bytes of levels. If not all levels fit, it keeps
/// some and computes the levels between them again for the trace.
template <class Sum>
class LevelSearch {
 public:
  LevelSearch(const RankedVector<Sum>& vector, LevelEngine<Sum>& engine, std::size_t memory)
      : vector_(vector), engine_(engine), most_rows_(std::max<std::size_t>(4, memory / row_bytes())) {}

  /// The positions, ascending, of the best subsequence of exactly `elements` elements, or of 1 to `elements`
  /// if `or_fewer`. Empty if there is none.
  std::vector<std::size_t> find(std::size_t elements, bool or_fewer) {
    kept_.clear();
    const std::size_t stride = stride_for(elements);
    BestLevel<Sum> best;
    compute(1, elements, [&](std::size_t level, std::vector<Sum>& row) {
      if (or_fewer || level == elements) improve(best, level, std::span<const Sum>(row));
      if ((level - 1) % stride == 0) kept_.emplace(level, row);
    });
    if (best.elements == 0) return {};
    return trace(best, stride);
  }

 private:
  using Row = std::vector<Sum>;

  std::size_t row_bytes() const { return std::max<std::size_t>(1, vector_.size()) * sizeof(Sum); }

  /// The distance between levels that are kept: 1 if all fit; else such that the kept levels and those
  /// between two of them fit, if that is possible.
  std::size_t stride_for(std::size_t elements) const {
    if (elements <= most_rows_) return 1;
    std::size_t stride = 2;
    while (stride * stride < elements && elements / stride + stride > most_rows_) ++stride;
    return stride;
  }

  /// Computes the levels from `from`, which is 1 or kept, to `to` and calls show(level, row) for each. Ends
  /// after an empty level.
  template <class Show>
  void compute(std::size_t from, std::size_t to, const Show& show) {
    Row row(vector_.values.begin(), vector_.values.end());
    if (from == 1) {
      show(std::size_t{1}, row);
    } else {
      row = kept_.at(from);
    }
    std::vector<Row> next;
    while (from < to) {
      const std::size_t count = std::min(engine_.width(from), to - from);
      next.resize(std::max(next.size(), count), Row(vector_.size()));
      std::vector<Sum*> rows;
      for (std::size_t w = 0; w < count; ++w) rows.push_back(next[w].data());
      engine_.advance(from, row, rows);
      for (std::size_t w = 0; w < count; ++w) show(from + w + 1, next[w]);
      row.swap(next[count - 1]);
      from += count;
      if (std::all_of(row.begin(), row.end(), [](Sum sum) { return sum == no_sum<Sum>(); })) return;
    }
  }

  std::vector<std::size_t> trace(const BestLevel<Sum>& best, std::size_t stride) {
    LevelTrace<Sum> walk(vector_);
    std::size_t top = best.elements;
    while (top > 0) {
      const std::size_t from = (top - 1) / stride * stride + 1;
      std::map<std::size_t, Row> rows;  // levels from + 1 to top
      if (from < top) {
        compute(from, top, [&](std::size_t level, Row& row) {
          if (level > from) rows.emplace(level, row);
        });
      }
      for (std::size_t level = top; level >= from; --level) {
        const Row& row = level == from ? kept_.at(from) : rows.at(level);
        if (level == best.elements) {
          walk.begin(row, best.sum);
        } else {
          walk.step(row);
        }
      }
      kept_.erase(from);
      top = from - 1;
    }
    return std::move(walk.positions());
  }

  const RankedVector<Sum>& vector_;
  LevelEngine<Sum>& engine_;
  std::size_t most_rows_;
  std::map<std::size_t, Row> kept_;
};

}  // namespace gpuhmm
