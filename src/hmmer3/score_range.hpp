// A range of scores.
#pragma once

#include <limits>

namespace gpuhmm::hmmer3 {

/// Scores from one to another; none if the first is above the second.
struct ScoreRange {
  float least = std::numeric_limits<float>::infinity(), most = -std::numeric_limits<float>::infinity();

  bool empty() const { return !(least <= most); }
};

}  // namespace gpuhmm::hmmer3
