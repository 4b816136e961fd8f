// The score histogram of HMMER 2.3.2 with its bars and the fit of the extreme-value distribution
// (docs/spec/reports.md, 6.7). hmmsearch prints it below a caption; hmmcalibrate's histogram file is the same
// text without the caption.
#pragma once

#include <optional>

#include "gpuhmm/histogram.hpp"
#include "gpuhmm/output.hpp"
#include "gpuhmm/profile.hpp"

namespace gpuhmm {

/// Writes headings, one line a bin and the statistics. `evd` gives the expected counts of a calibrated
/// profile. If `evd` was fitted to these scores, `fitted` gives the bins of the fit, and only they enter the
/// statistics.
void write_hmmer2_histogram(const TextSink& out, const ScoreHistogram& scores,
                            const std::optional<ExtremeValue>& evd,
                            const std::optional<BinRange>& fitted = std::nullopt);

/// The value that Debian's HMMER 2.3.2 prints as "P(chi-square)" for the statistic `chi_square` of `bins`
/// bins. It is not a probability: that build reads the result of the gamma function from an integer register,
/// in which the exponential function has left part of a table entry.
float hmmer2_chi_square_p(int bins, float chi_square);

}  // namespace gpuhmm
