// Fits the extreme-value distribution to the scores of random sequences (docs/spec/calibration.md, 7.6).
#pragma once

#include <optional>

#include "plan7/histogram.hpp"
#include "plan7/profile.hpp"

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

}  // namespace gpuhmm
