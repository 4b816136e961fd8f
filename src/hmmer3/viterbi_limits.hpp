// When a pair needs a Viterbi score, and passes by it.
#pragma once

#include <limits>

namespace gpuhmm::hmmer3 {

/// Of a pair that the Viterbi filter decides on if another score of it is from `least` to `most`; no score is
/// if the first is above the second.
struct ViterbiLimits {
  float least = std::numeric_limits<float>::infinity(), most = -std::numeric_limits<float>::infinity();
  /// How far above that of the bias filter, nats, a Viterbi score is that passes.
  float above_bias = 0;
};

}  // namespace gpuhmm::hmmer3
