// Histogram of the scores of all sequences of a search, in bins of one bit (docs/spec/reports.md, 6.7).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

namespace gpuhmm {

/// Consecutive bins, both ends included.
struct BinRange {
  int low = 0, high = 0;
};

/// Counts of floor(score) over all sequences.
class ScoreHistogram {
 public:
  /// The bin of a score in bits.
  static int bin_of(float score) { return static_cast<int>(std::floor(score)); }

  void add(float score) { add(bin_of(score), 1); }
  /// Adds `count` scores of one bin.
  void add(int bin, std::int64_t count) {
    bins_[bin] += count;
    total_ += count;
  }
  /// Bin -> count, occupied bins only.
  const std::map<int, std::int64_t>& bins() const { return bins_; }
  std::int64_t total() const { return total_; }
  /// The count of any bin; 0 if it is empty.
  std::int64_t count(int bin) const {
    const auto found = bins_.find(bin);
    return found == bins_.end() ? 0 : found->second;
  }
  /// The bin with the largest count, the lowest of several. The histogram must not be empty.
  int peak() const {
    return std::max_element(bins_.begin(), bins_.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
  }

 private:
  std::map<int, std::int64_t> bins_;
  std::int64_t total_ = 0;
};

}  // namespace gpuhmm
