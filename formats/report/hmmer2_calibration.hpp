// The text output of HMMER 2.3.2's hmmcalibrate (docs/spec/calibration.md, 7.1), byte for byte but for the
// banner.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "formats/report/text_sink.hpp"
#include "plan7/extreme_value_fit.hpp"
#include "plan7/histogram.hpp"

namespace gpuhmm {

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
