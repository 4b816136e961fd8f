// Sweeps over the Fenwick tree. The compiler vectorises the loops over the levels of a node.
#include "companion/subsequence/fenwick.hpp"

#include <algorithm>
#include <deque>
#include <type_traits>
#include <vector>

#include "companion/subsequence/sweep_progress.hpp"
#include "util/parallel.hpp"

#define HWY_TARGET_INCLUDE "companion/subsequence/fenwick.cpp"
#include "simd/foreach_target.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::HWY_NAMESPACE {
namespace {

constexpr std::size_t kAhead = 8;     // elements by which nodes are prefetched
constexpr std::size_t kBlock = 1024;  // elements after which a sweep reports its progress

// A node of the Fenwick tree: the sums of W levels, aligned so that it does not cross a cache line.
template <class Sum, std::size_t W>
struct alignas(std::min<std::size_t>(64, W * sizeof(Sum))) LevelSums {
  Sum sum[W];

  HWY_INLINE void raise(const LevelSums& other) {
    for (std::size_t w = 0; w < W; ++w) sum[w] = sum[w] > other.sum[w] ? sum[w] : other.sum[w];
  }
};

// Computes `count` <= W levels above `level` into `rows`, lowest first. Another thread may still be computing
// `level`; `below` is its progress. Reports the progress of the rows in `own_progress`.
template <class Sum, std::size_t W>
HWY_INLINE void sweep(const RankedVector<Sum>& vector, const Sum* level, Sum* const* rows, std::size_t count,
                      const SweepProgress& below, SweepProgress& own_progress) {
  using Node = LevelSums<Sum, W>;
  const std::size_t n = vector.size();
  Node nothing;
  for (Sum& sum : nothing.sum) sum = no_sum<Sum>();
  std::vector<Node> nodes(n + 1, nothing);  // node 0 is unused
  for (std::size_t i = n; i-- > 0;) {
    if (i % kBlock == kBlock - 1 || i + 1 == n) {
      own_progress.reach(i + 1);
      below.wait_for(i / kBlock * kBlock);
    }
    if (i >= kAhead) {
      const std::size_t above = n - 1 - static_cast<std::size_t>(vector.ranks[i - kAhead]);
      std::size_t down = above, up = above + 1;
      for (int steps = 0; steps < 3; ++steps) {
        __builtin_prefetch(&nodes[down]);
        __builtin_prefetch(&nodes[std::min(up, n)]);
        down &= down - 1;
        up += up & -up;
      }
    }
    // The tree holds elements by falling rank, so the nodes up to `above` cover the elements of higher rank.
    const std::size_t above = n - 1 - static_cast<std::size_t>(vector.ranks[i]);
    Node best = nothing;
    for (std::size_t k = above; k > 0; k &= k - 1) best.raise(nodes[k]);
    const Sum value = vector.values[i];
    for (Sum& sum : best.sum) sum = sum == no_sum<Sum>() ? sum : static_cast<Sum>(sum + value);
    for (std::size_t w = 0; w < count; ++w) rows[w][i] = best.sum[w];
    Node own;
    own.sum[0] = level[i];
    // Levels beyond `count` stay empty, because their sums might not fit Sum.
    for (std::size_t w = 1; w < W; ++w) own.sum[w] = w < count ? best.sum[w - 1] : no_sum<Sum>();
    for (std::size_t k = above + 1; k <= n; k += k & -k) nodes[k].raise(own);
  }
  own_progress.reach(0);
}

constexpr std::size_t kLevels = 8;  // of a sweep at most
constexpr std::size_t kFewLevels = 4;

template <class Sum>
void sweep_levels(const RankedVector<Sum>& vector, const Sum* level, Sum* const* rows, std::size_t count,
                  const SweepProgress& below, SweepProgress& own) {
  if (std::is_integral_v<Sum> && count <= kFewLevels) {
    sweep<Sum, kFewLevels>(vector, level, rows, count, below, own);
  } else {
    sweep<Sum, kLevels>(vector, level, rows, count, below, own);
  }
}

}  // namespace
}  // namespace gpuhmm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm {

namespace {

constexpr std::size_t kLevels = HWY_NAMESPACE::kLevels;
constexpr std::size_t kLeastLevels = HWY_NAMESPACE::kFewLevels;  // that are worth a separate sweep

// Computes level 2. Its sums have two elements; the best second one is the later element of highest rank,
// which is the largest.
template <class Sum>
void second_level(const RankedVector<Sum>& vector, Sum* row) {
  std::int32_t highest = -1;
  Sum value{};
  for (std::size_t i = vector.size(); i-- > 0;) {
    const bool followed = highest > vector.ranks[i];
    row[i] = followed ? static_cast<Sum>(vector.values[i] + value) : no_sum<Sum>();
    if (!followed) {
      highest = vector.ranks[i];
      value = vector.values[i];
    }
  }
}

// Computes up to kLevels levels in one sweep.
template <class Sum>
void sweep_once(const RankedVector<Sum>& vector, const Sum* level, std::span<Sum* const> rows,
                const SweepProgress& below, SweepProgress& own) {
  if constexpr (std::is_integral_v<Sum>) {
    GPUHMM_SIMD_TABLE_T(sweep_levels, sweep_levels<Sum>);
    GPUHMM_SIMD_CALL_FEW_REGISTERS(sweep_levels)(vector, level, rows.data(), rows.size(), below, own);
  } else {
    HWY_NAMESPACE::sweep_levels(vector, level, rows.data(), rows.size(), below, own);
  }
}

}  // namespace

template <class Sum>
std::size_t FenwickLevels<Sum>::width(std::size_t from) const {
  return kLevels * threads_ + (from == 1 ? 1 : 0);
}

template <class Sum>
void FenwickLevels<Sum>::advance(std::size_t from, std::span<const Sum> level, std::span<Sum* const> next) {
  const std::size_t n = vector_.size();
  if (from == 1) {
    second_level(vector_, next[0]);
    level = {next[0], n};
    next = next.subspan(1);
  }
  if (next.empty()) return;
  const std::size_t sweeps = std::max((next.size() + kLevels - 1) / kLevels,
                                      std::min<std::size_t>(threads_, next.size() / kLeastLevels));
  std::deque<SweepProgress> progress;
  progress.emplace_back(0);
  while (progress.size() <= sweeps) progress.emplace_back(n);
  // Each sweep has its own thread and follows the sweep for the levels below it through the vector.
  parallel_for(static_cast<unsigned>(sweeps), sweeps, 1, [&](std::size_t sweep, std::size_t) {
    const std::size_t begin = sweep * next.size() / sweeps, end = (sweep + 1) * next.size() / sweeps;
    try {
      sweep_once(vector_, begin == 0 ? level.data() : next[begin - 1], next.subspan(begin, end - begin),
                 progress[sweep], progress[sweep + 1]);
    } catch (...) {
      progress[sweep + 1].reach(0);  // so that the other sweeps can end
      throw;
    }
  });
}

template <class Sum>
std::vector<std::size_t> best_of_any_length(const RankedVector<Sum>& vector) {
  constexpr std::int32_t kEnd = -1;
  const std::size_t n = vector.size();
  struct Best {
    Sum sum;
    std::int32_t elements;
    std::int32_t first;  // position of the first element; kEnd: no subsequence

    bool beats(const Best& other) const {
      if (other.first == kEnd) return true;
      if (sum != other.sum) return sum > other.sum;
      return elements != other.elements ? elements < other.elements : first < other.first;
    }
  };
  const Best nothing{no_sum<Sum>(), 0, kEnd};
  std::vector<Best> nodes(n + 1, nothing);
  std::vector<std::int32_t> next(n, kEnd);
  Best overall = nothing;
  for (std::size_t i = n; i-- > 0;) {
    const std::size_t above = n - 1 - static_cast<std::size_t>(vector.ranks[i]);
    Best own{vector.values[i], 1, static_cast<std::int32_t>(i)};
    Best following = nothing;
    for (std::size_t k = above; k > 0; k &= k - 1) {
      if (nodes[k].first != kEnd && nodes[k].beats(following)) following = nodes[k];
    }
    if (following.first != kEnd && vector.values[i] + following.sum > own.sum) {
      own.sum = static_cast<Sum>(own.sum + following.sum);
      own.elements += following.elements;
      next[i] = following.first;
    }
    for (std::size_t k = above + 1; k <= n; k += k & -k) {
      if (own.beats(nodes[k])) nodes[k] = own;
    }
    if (own.beats(overall)) overall = own;
  }
  std::vector<std::size_t> positions;
  for (std::int32_t i = overall.first; i != kEnd; i = next[i])
    positions.push_back(static_cast<std::size_t>(i));
  return positions;
}

template class FenwickLevels<std::int32_t>;
template class FenwickLevels<std::int64_t>;
template class FenwickLevels<Int128>;
template class FenwickLevels<double>;
template std::vector<std::size_t> best_of_any_length(const RankedVector<std::int32_t>&);
template std::vector<std::size_t> best_of_any_length(const RankedVector<std::int64_t>&);
template std::vector<std::size_t> best_of_any_length(const RankedVector<Int128>&);
template std::vector<std::size_t> best_of_any_length(const RankedVector<double>&);

}  // namespace gpuhmm
#endif
