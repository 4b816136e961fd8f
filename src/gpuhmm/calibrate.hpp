// Calibration: fits an extreme-value distribution to a profile's scores of random sequences, and writes
// hmmcalibrate's report (docs/spec/calibration.md).
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

/// Left-censored maximum-likelihood fit to the scores from the most frequent bin on, with HMMER 2.3.2's
/// roundings. Leaves out the highest scores step by step while they are unlikely to belong to the
/// distribution. Returns nothing if there are fewer than 5 bins or 100 scores to fit, or no solution is
/// found.
std::optional<ExtremeValueFit> fit_extreme_value(const ScoreHistogram& scores);

class RandomSamples;

/// How many random sequences are drawn, and how long they are (residues).
struct SampleOptions {
  int count = 5000;
  int fixed_length = 0;  ///< 0: lengths are normal deviates, truncated; those below 1 are drawn again
  float mean = 325;
  float deviation = 200;
  std::int32_t seed = 0;

  /// Expected residues of all sequences together.
  double expected_residues() const;
  /// Upper bound of a sequence's length.
  std::size_t longest() const;
};

/// The result of calibrating a profile.
struct Calibration {
  ScoreHistogram histogram;
  float largest = 0;                   ///< bits
  std::optional<ExtremeValueFit> fit;  ///< nothing if the scores cannot be fitted
};

/// Calibrates profiles of one alphabet in file order. The results depend on that order (see RandomSamples),
/// not on the engines.
class Calibrator {
 public:
  /// `threads`: host threads that draw sequences and pass them to the engines.
  Calibrator(AlphabetKind alphabet, const SampleOptions& options, std::unique_ptr<EnginePool> pool,
             unsigned threads);
  ~Calibrator();

  /// `last`: no other profile follows, so samples need not be kept. `meter`, if not null, counts the cells
  /// scored. Throws WrongScore, and EngineFailure if the host's engine fails.
  Calibration calibrate(const Profile& profile, bool last = false, WorkMeter* meter = nullptr);

 private:
  std::unique_ptr<EnginePool> pool_;  // outlives the samples, which hold batches that its engines prepared
  std::unique_ptr<RandomSamples> samples_;
};

/// The settings at the top of a calibration report.
struct CalibrationSettings {
  std::string profile_file;
  int fixed_length = 0;  ///< residues; 0: drawn from the distribution
  float mean = 0, deviation = 0;
  int count = 0;
  std::int32_t seed = 0;
  std::optional<std::string> histogram_file;
  std::optional<unsigned> worker_threads;  ///< of HMMER; none in its serial mode
};

/// Writes the lines after the banner.
void write_hmmcalibrate_header(const TextSink& out, const CalibrationSettings& settings);

/// Writes one profile's results. `largest` is the best score of a random sequence, in bits.
void write_hmmcalibrate_result(const TextSink& out, std::string_view profile, const ExtremeValue& evd,
                               float largest);

/// Writes one profile's entry of the histogram file.
void write_hmmcalibrate_histogram(const TextSink& out, std::string_view profile, const ScoreHistogram& scores,
                                  const ExtremeValueFit& fit);

}  // namespace gpuhmm
