// Calibration: the extreme-value distribution of a profile's scores from random sequences
// (docs/spec/calibration.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "filter/engine_pool.hpp"
#include "plan7/extreme_value_fit.hpp"
#include "plan7/histogram.hpp"
#include "plan7/profile.hpp"

namespace gpuhmm {

class RandomSamples;

/// How many sequences are drawn, and how long they are (residues).
struct SampleOptions {
  int count = 5000;
  int fixed_length = 0;  ///< 0: lengths are normal deviates, cut to integers and drawn again below 1
  float mean = 325;
  float deviation = 200;
  std::int32_t seed = 0;

  /// Residues of a whole sample, about.
  double expected_residues() const;
  /// No sequence is longer.
  std::size_t longest() const;
};

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
  /// `threads`: host threads that draw sequences and hand them to the engines; these score while others draw.
  Calibrator(AlphabetKind alphabet, const SampleOptions& options, std::unique_ptr<EnginePool> pool,
             unsigned threads);
  ~Calibrator();

  /// `last`: no other profile follows, so that nothing need be kept for it. Throws EngineFailure if the host
  /// fails, and WrongScore. `meter`, if there is one, counts the cells scored.
  Calibration calibrate(const Profile& profile, bool last = false, WorkMeter* meter = nullptr);

 private:
  std::unique_ptr<EnginePool> pool_;  // outlives the samples, which hold what its engines have prepared
  std::unique_ptr<RandomSamples> samples_;
};

}  // namespace gpuhmm
