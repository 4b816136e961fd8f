// Calibration: the extreme-value distribution of a profile's scores from random sequences, and hmmcalibrate's
// report (docs/spec/calibration.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gpuhmm/engine.hpp"
#include "gpuhmm/histogram.hpp"
#include "gpuhmm/output.hpp"
#include "gpuhmm/profile.hpp"

namespace gpuhmm {

/// A fitted distribution and the bins it was fitted to.
struct ExtremeValueFit {
  ExtremeValue evd;
  BinRange bins;
};

/// Left-censored maximum-likelihood fit to the scores from the most frequent bin on, all to HMMER 2.3.2's
/// roundings; the highest scores are left out step by step while they are unlikely to belong to the
/// distribution. Nothing if there are fewer than 5 bins or 100 scores to fit, or no solution is found.
std::optional<ExtremeValueFit> fit_extreme_value(const ScoreHistogram& scores);

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

/// What the head of a calibration report says.
struct CalibrationSettings {
  std::string profile_file;
  int fixed_length = 0;  ///< residues; 0: drawn from the distribution
  float mean = 0, deviation = 0;
  int count = 0;
  std::int32_t seed = 0;
  std::optional<std::string> histogram_file;
  std::optional<unsigned> worker_threads;  ///< of HMMER; none in its serial mode
};

/// The lines behind the banner.
void write_hmmcalibrate_header(const TextSink& out, const CalibrationSettings& settings);

/// One profile's results. `largest` is the best score of a random sequence, in bits.
void write_hmmcalibrate_result(const TextSink& out, std::string_view profile, const ExtremeValue& evd,
                               float largest);

/// One profile's entry of the histogram file.
void write_hmmcalibrate_histogram(const TextSink& out, std::string_view profile, const ScoreHistogram& scores,
                                  const ExtremeValueFit& fit);

}  // namespace gpuhmm
