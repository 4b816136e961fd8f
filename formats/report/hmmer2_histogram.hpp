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
/// profile. `fitted` is given where `evd` was fitted to these very scores, in these bins: only they enter the
/// statistics then.
void write_hmmer2_histogram(const TextSink& out, const ScoreHistogram& scores,
                            const std::optional<ExtremeValue>& evd,
                            const std::optional<BinRange>& fitted = std::nullopt);

/// The value that Debian's HMMER 2.3.2 prints as "P(chi-square)" for `bins` bins that entered the statistic
/// `chi_square`. It is no probability: there the result of the gamma function is read from an integer
/// register, where the exponential function left part of a table entry.
float hmmer2_chi_square_p(int bins, float chi_square);

}  // namespace gpuhmm
