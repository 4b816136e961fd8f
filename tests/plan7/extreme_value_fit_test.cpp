// The fit to samples of known distributions, and samples that cannot be fitted.
// tests/calibrate/calibrate_test.cpp and tests/oracle/calibrate.py compare exact numbers with HMMER's.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "gpuhmm/calibrate.hpp"

namespace gpuhmm {
namespace {

ScoreHistogram gumbel_sample(double mu, double lambda, int count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(1e-12, 1);
  ScoreHistogram scores;
  for (int i = 0; i < count; ++i) {
    scores.add(static_cast<float>(mu - std::log(-std::log(uniform(random))) / lambda));
  }
  return scores;
}

TEST(ExtremeValueFit, FindsTheDistributionOfASample) {
  unsigned seed = 0;
  for (const double lambda : {0.1, 0.25, 0.5, 0.69}) {
    for (const double mu : {-150.0, -20.0, 3.0}) {
      const auto fit = fit_extreme_value(gumbel_sample(mu, lambda, 20'000, ++seed));
      ASSERT_TRUE(fit);
      EXPECT_NEAR(fit->evd.lambda, lambda, 0.05 * lambda);
      EXPECT_NEAR(fit->evd.mu, mu, 0.2 / lambda);
    }
  }
}

TEST(ExtremeValueFit, LeavesHighOutliersOut) {
  ScoreHistogram scores = gumbel_sample(-20, 0.3, 5000, 1);
  const auto clean = fit_extreme_value(scores);
  scores.add(300, 3);
  scores.add(20'000, 1);
  const auto fit = fit_extreme_value(scores);
  ASSERT_TRUE(clean && fit);
  EXPECT_LT(fit->bins.high, 100);
  EXPECT_NEAR(fit->evd.lambda, clean->evd.lambda, 0.01);
}

TEST(ExtremeValueFit, BeginsAtTheMostFrequentBin) {
  const ScoreHistogram scores = gumbel_sample(-20, 0.3, 5000, 2);
  const auto fit = fit_extreme_value(scores);
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->bins.low, scores.peak());
}

TEST(ExtremeValueFit, NeedsEnoughScoresAndBins) {
  EXPECT_FALSE(fit_extreme_value({}));
  EXPECT_FALSE(fit_extreme_value(gumbel_sample(0, 0.3, 50, 3)));
  ScoreHistogram narrow;
  for (int bin = 0; bin < 4; ++bin) narrow.add(bin, 1000 - bin);
  EXPECT_FALSE(fit_extreme_value(narrow));
  ScoreHistogram single;
  single.add(-987655, 5000);
  EXPECT_FALSE(fit_extreme_value(single));
}

}  // namespace
}  // namespace gpuhmm
