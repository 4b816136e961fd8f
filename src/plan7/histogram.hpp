// Histogram of the scores of all sequences of a search, in bins of one bit (spec: reports 6.7).
#pragma once

#include <cmath>
#include <cstdint>
#include <map>

namespace gpuhmm {

/// Counts of floor(score) over all sequences.
class ScoreHistogram {
 public:
  void add(float score) {
    ++bins_[static_cast<int>(std::floor(score))];
    ++total_;
  }
  /// Bin -> count, occupied bins only.
  const std::map<int, std::int64_t>& bins() const { return bins_; }
  std::int64_t total() const { return total_; }

 private:
  std::map<int, std::int64_t> bins_;
  std::int64_t total_ = 0;
};

}  // namespace gpuhmm
