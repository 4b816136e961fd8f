// Calibration: the extreme-value distribution of a profile's scores from random sequences (spec:
// calibration).
#pragma once

#include <memory>
#include <optional>

#include "plan7/extreme_value_fit.hpp"
#include "plan7/histogram.hpp"
#include "plan7/profile.hpp"
#include "search/random_samples.hpp"
#include "search/scorer.hpp"

namespace gpuhmm {

/// What the random sequences said about a profile.
struct Calibration {
  ScoreHistogram histogram;
  float largest = 0;                   ///< bits
  std::optional<ExtremeValueFit> fit;  ///< nothing if the scores allow none
};

/// Calibrates profiles of one alphabet in the order of their file. The results depend on that order (see
/// RandomSamples), not on the engines.
class Calibrator {
 public:
  /// `threads`: host threads for checking the scores of devices.
  Calibrator(AlphabetKind alphabet, const SampleOptions& options, std::unique_ptr<Scorer> scorer,
             unsigned threads);

  /// Throws EngineFailure if the last engine fails, and WrongScore.
  Calibration calibrate(const Profile& profile);

 private:
  std::unique_ptr<Scorer> scorer_;  // outlives the samples, which hold what its engines have prepared
  RandomSamples samples_;
  unsigned threads_;
};

}  // namespace gpuhmm
