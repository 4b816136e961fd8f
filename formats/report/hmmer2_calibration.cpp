// Writes hmmcalibrate's report and histogram file.
#include "formats/report/hmmer2_histogram.hpp"
#include "gpuhmm/calibrate.hpp"
#include "gpuhmm/report.hpp"
#include "util/format.hpp"

namespace gpuhmm {

void write_hmmcalibrate_header(const TextSink& out, const CalibrationSettings& settings) {
  out("HMM file:                 " + settings.profile_file + "\n");
  if (settings.fixed_length != 0) {
    out(format("Length fixed to:          %d\n", settings.fixed_length));
  } else {
    out(format("Length distribution mean: %.0f\n", settings.mean));
    out(format("Length distribution s.d.: %.0f\n", settings.deviation));
  }
  out(format("Number of samples:        %d\n", settings.count));
  out(format("random seed:              %d\n", settings.seed));
  out("histogram(s) saved to:    " + settings.histogram_file.value_or("[not saved]") + "\n");
  if (settings.worker_threads) out(format("POSIX threads:            %u\n", *settings.worker_threads));
  out(dashed_line(kSettingsDashes) + "\n");
}

void write_hmmcalibrate_result(const TextSink& out, std::string_view profile, const ExtremeValue& evd,
                               float largest) {
  out("HMM    : " + std::string(profile) + "\n");
  out(format("mu     : %12f\n", evd.mu));
  out(format("lambda : %12f\n", evd.lambda));
  out(format("max    : %12f\n", largest));
  out("//\n");
}

void write_hmmcalibrate_histogram(const TextSink& out, std::string_view profile, const ScoreHistogram& scores,
                                  const ExtremeValueFit& fit) {
  out("HMM: " + std::string(profile) + "\n");
  write_hmmer2_histogram(out, scores, fit.evd, fit.bins);
  out("//\n");
}

}  // namespace gpuhmm
