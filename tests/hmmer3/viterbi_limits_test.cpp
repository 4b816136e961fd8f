// The limits by which devices choose pairs for the Viterbi filter are those of the filters' P-values.
#include <gtest/gtest.h>

#include <cmath>

#include "hmmer3/arithmetic.hpp"
#include "hmmer3/comparison_part.hpp"
#include "hmmer3/random_profiles.hpp"

namespace gpuhmm::hmmer3 {
namespace {

using test::between, test::Generator;

// Nearer to a limit, roundings decide.
constexpr float kNear = 0.03F;

bool is_near(float a, float b) { return std::fabs(a - b) < kNear; }

float number(Generator& random, int least, int most) {
  return static_cast<float>(between(random, 1000 * least, 1000 * most)) / 1000;
}

TEST(ViterbiLimits, AreThoseOfTheFilters) {
  Generator random(3);
  int needing = 0, passing = 0, failing = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    Statistics statistics;
    statistics.msv_mu = number(random, -12, -6);
    statistics.viterbi_mu = number(random, -13, -7);
    statistics.msv_lambda = statistics.viterbi_lambda = number(random, 68, 74) / 100;
    Options options;
    options.f1 = 0.02 * between(random, 1, 10);
    options.f2 = 0.001 * between(random, 1, 10);
    const FilterThresholds thresholds(options);
    Candidate candidate;
    candidate.msv = number(random, -20, 20);
    const ViterbiLimits limits = candidate.needs_viterbi(thresholds.left_to_viterbi(statistics));

    const float bias = candidate.msv - number(random, -8, 8), viterbi = bias + number(random, -8, 8);
    const double p_value =
        gumbel_survival(bits_above(candidate.msv, bias), statistics.msv_mu, statistics.msv_lambda);
    const bool needs_viterbi = !fails(p_value, thresholds.f1) && fails(p_value, thresholds.f2);
    if (!is_near(bias, limits.least) && !is_near(bias, limits.most)) {
      EXPECT_EQ(bias > limits.least && bias < limits.most, needs_viterbi) << trial;
      needing += needs_viterbi ? 1 : 0;
    }
    const bool passes = thresholds.viterbi_passes(statistics, viterbi, bias);
    if (is_near(viterbi - bias, limits.above_bias)) continue;
    EXPECT_EQ(viterbi - bias > limits.above_bias, passes) << trial;
    ++(passes ? passing : failing);
  }
  EXPECT_GT(needing, 1000);
  EXPECT_GT(passing, 1000);
  EXPECT_GT(failing, 1000);
}

TEST(ViterbiLimits, LeaveOutPairsThatNeedMsv) {
  const FilterThresholds thresholds{Options()};
  Candidate candidate;
  candidate.needs_msv = true;
  const ViterbiLimits limits = candidate.needs_viterbi(thresholds.left_to_viterbi(Statistics()));
  EXPECT_GT(limits.least, limits.most);
}

TEST(ViterbiLimits, LetAllPassIfAllPValuesDo) {
  Options options;
  options.max = true;
  Statistics statistics;
  statistics.viterbi_mu = -9;
  statistics.viterbi_lambda = 0.7F;
  const ViterbiLimits limits = FilterThresholds(options).left_to_viterbi(statistics);
  EXPECT_LT(limits.above_bias, -1e30F);
}

}  // namespace
}  // namespace gpuhmm::hmmer3
