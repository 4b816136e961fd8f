// Histogram of the scores of all sequences of a search, in bins of one bit (spec: reports 6.7).
#pragma once

#include <cmath>
#include <cstdint>
#include <map>

namespace gpuhmm {

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

 private:
  std::map<int, std::int64_t> bins_;
  std::int64_t total_ = 0;
};

}  // namespace gpuhmm
