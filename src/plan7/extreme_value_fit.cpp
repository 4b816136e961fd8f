// Fits an extreme-value distribution by censored maximum likelihood.
#include <algorithm>
#include <cmath>
#include <vector>

#include "gpuhmm/calibrate.hpp"

namespace gpuhmm {

namespace {

constexpr int kFewestBins = 5;
constexpr std::int64_t kFewestScores = 100;
constexpr int kMostRounds = 100;
constexpr int kHighestBin = 9999;
constexpr int kMostSteps = 100;
constexpr double kBelowMode = 0.58198;  // scores below a Gumbel's mode per score above it: 1 / (e - 1)

/// The scores used in one round, and the number of those censored at their left.
struct CensoredSample {
  std::vector<float> scores;  // middles of bins
  std::vector<std::int64_t> counts;
  double total = 0;
  double censored = 0;
  float cut = 0;  // censored scores are below this
};

/// Sums of y x^i exp(-lambda x) for i = 0, 1, 2, with the censored scores at the cut.
struct Moments {
  double zeroth = 0, first = 0, second = 0;
};

Moments moments(const CensoredSample& sample, float lambda) {
  Moments sums;
  for (std::size_t i = 0; i < sample.scores.size(); ++i) {
    const double x = sample.scores[i];
    const auto y = static_cast<double>(sample.counts[i]);
    const double weight = std::exp(-1.0 * lambda * x);
    sums.zeroth += y * weight;
    sums.first += y * x * weight;
    sums.second += y * x * x * weight;
  }
  const double x = sample.cut;
  const double weight = std::exp(-1.0 * lambda * x);
  sums.zeroth += sample.censored * weight;
  sums.first += sample.censored * x * weight;
  sums.second += sample.censored * x * x * weight;
  return sums;
}

/// The slope at which the likelihood is largest, by Newton's method (Lawless 1982).
std::optional<float> solve_slope(const CensoredSample& sample) {
  constexpr float kStart = 0.2F, kAfterNegative = 0.001F, kTolerance = 1e-5F;
  double weighted = 0;
  for (std::size_t i = 0; i < sample.scores.size(); ++i) {
    weighted += static_cast<double>(sample.counts[i]) * sample.scores[i];
  }
  float lambda = kStart;
  for (int step = 0; step < kMostSteps; ++step) {
    const Moments m = moments(sample, lambda);
    const auto value = static_cast<float>(1.0 / lambda - weighted / sample.total + m.first / m.zeroth);
    if (std::fabs(value) < kTolerance) return lambda;
    const float square = lambda * lambda;
    const auto slope =
        static_cast<float>((m.first / m.zeroth) * (m.first / m.zeroth) - m.second / m.zeroth - 1.0 / square);
    const float change = value / slope;
    lambda = lambda - change;
    if (!(lambda > 0)) lambda = kAfterNegative;
  }
  return std::nullopt;
}

std::optional<ExtremeValue> solve(const CensoredSample& sample) {
  const std::optional<float> lambda = solve_slope(sample);
  if (!lambda) return std::nullopt;
  const double mean = moments(sample, *lambda).zeroth / sample.total;
  return ExtremeValue{static_cast<float>(-1.0 * std::log(mean) / *lambda), *lambda};
}

CensoredSample sample_of(const ScoreHistogram& scores, BinRange bins) {
  CensoredSample sample;
  std::int64_t total = 0;
  for (int bin = bins.low; bin <= bins.high; ++bin) {
    sample.scores.push_back(static_cast<float>(bin + 0.5));
    sample.counts.push_back(scores.count(bin));
    total += sample.counts.back();
  }
  sample.total = static_cast<double>(total);
  sample.cut = static_cast<float>(bins.low);
  return sample;
}

}  // namespace

std::optional<ExtremeValueFit> fit_extreme_value(const ScoreHistogram& scores) {
  if (scores.total() == 0) return std::nullopt;
  ExtremeValueFit fit;
  fit.bins = {scores.peak(), std::min(kHighestBin, scores.bins().rbegin()->first)};
  for (int round = 0; round < kMostRounds; ++round) {
    if (fit.bins.high - fit.bins.low + 1 < kFewestBins) return std::nullopt;
    CensoredSample sample = sample_of(scores, fit.bins);
    if (sample.total < kFewestScores) return std::nullopt;
    const double unseen = static_cast<double>(scores.total()) - sample.total;
    double expected = kBelowMode * sample.total;
    if (round > 0) {
      const float distance = static_cast<float>(fit.bins.low) - fit.evd.mu;
      const double below = std::exp(-1.0 * std::exp(-1.0 * fit.evd.lambda * distance));
      expected = sample.total * below / (1.0 - below);
    }
    sample.censored = std::min(unseen, std::trunc(expected));
    const std::optional<ExtremeValue> solution = solve(sample);
    if (!solution) return std::nullopt;
    fit.evd = *solution;
    const double all = sample.total + sample.censored;
    const double reach = fit.evd.mu - std::log(-1.0 * std::log((all - 1) / all)) / fit.evd.lambda;
    if (!(reach < fit.bins.high)) return fit;  // also if `reach` is not a number
    const int high = static_cast<int>(std::max(reach, static_cast<double>(fit.bins.low)));
    if (high >= fit.bins.high) return fit;
    fit.bins.high = high;
  }
  return fit;
}

}  // namespace gpuhmm
