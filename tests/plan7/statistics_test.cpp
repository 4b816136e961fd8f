// Compares P-values with the reference's table, and checks that the filter's score bound is safe.
#include "plan7/statistics.hpp"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>

#include "plan7/random_models.hpp"

namespace gpuhmm {
namespace {

struct TableRow {
  float bits;
  double bound, glocal, local;
};

constexpr TableRow kTable[] = {{-2000, 1, 1, 1},
                               {-1500, 1, 1, 1},
                               {-100, 1, 1, 1},
                               {-10, 0.999024390238, 0.999024390238, 0.00112830249855},
                               {-3.5F, 0.918789696712, 0.315990199336, 0.000421154966367},
                               {-0.001F, 0.500173286796, 0.0376712395297, 0.000247747890641},
                               {0, 0.5, 0.0376470479078, 0.000247710344094},
                               {0.001F, 0.499826713204, 0.0376228715155, 0.000247672803237},
                               {1, 0.333333333458, 0.0197372838876, 0.000212855285704},
                               {2.471F, 0.152805212617, 0.00757817186319, 0.000170295385055},
                               {10, 0.000975609761555, 5.49216808021e-05, 5.43642495446e-05},
                               {50, 8.88178444567e-16, 2.30478621256e-16, 8.88178444567e-16},
                               {100, 7.88860949393e-31, 7.88860949393e-31, 7.88860949393e-31},
                               {500, 3.0549372188e-151, 3.0549372188e-151, 3.0549372188e-151},
                               {1023, 1.11253756654e-308, 1.11253756654e-308, 1.11253756654e-308},
                               {1024, 0, 0, 0},
                               {2000, 0, 0, 0}};

constexpr ExtremeValue kGlocal{-4.97828F, 0.65492F};
constexpr ExtremeValue kLocal{-54.74649F, 0.151665F};

TEST(Statistics, PValuesAreThoseOfTheReference) {
  const auto near = [](double expected, double actual, float bits) {
    EXPECT_LE(std::abs(actual - expected), 1e-11 * expected)
        << bits << " bits: " << actual << " not " << expected;
  };
  for (const TableRow& row : kTable) {
    near(row.bound, p_value(row.bits, std::nullopt), row.bits);
    near(row.glocal, p_value(row.bits, kGlocal), row.bits);
    near(row.local, p_value(row.bits, kLocal), row.bits);
  }
}

// Expects that every score just below the bound, and many further below, has a P-value above p.
void expect_safe(double p, const std::optional<ExtremeValue>& evd, test::Random& random) {
  const float bound = score_bound_for_p(p, evd);
  float below = bound;
  for (int step = 0; step < 200; ++step) {
    below = std::nextafter(below, -FLT_MAX);
    ASSERT_GT(p_value(below, evd), p) << "p " << p << ", score " << below << ", bound " << bound;
  }
  for (int trial = 0; trial < 50; ++trial) {
    const float score = bound - 300.0F * random.probability() * random.probability() * random.probability();
    if (score < bound) {
      ASSERT_GT(p_value(score, evd), p) << "p " << p << ", score " << score;
    }
  }
  // The bound is tight: a score clearly above it is significant.
  if (bound > -FLT_MAX && bound < 1000) {
    EXPECT_LE(p_value(bound + 0.01F + std::abs(bound) * 1e-5F, evd), p);
  }
}

TEST(Statistics, NoScoreBelowTheBoundPasses) {
  test::Random random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const double p = std::pow(10.0, -random.integer(0, 300)) * random.probability();
    if (p >= 0.999) continue;
    std::optional<ExtremeValue> evd;
    if (trial % 3 != 0) evd = ExtremeValue{-300.0F * random.probability(), 0.05F + random.probability()};
    expect_safe(p, evd, random);
  }
  // Around the change of formula, where P-values are not monotonic.
  for (const double p : {9.9999e-8, 1e-7, 1.00001e-7, 0.0}) {
    expect_safe(p, kGlocal, random);
    expect_safe(p, kLocal, random);
  }
}

TEST(Statistics, BoundsExtremeThresholds) {
  EXPECT_EQ(score_bound_for_p(1, std::nullopt), -FLT_MAX);
  EXPECT_EQ(score_bound_for_p(FLT_MAX, kGlocal), -FLT_MAX);
  EXPECT_EQ(score_bound_for_p(std::nan(""), kGlocal), -FLT_MAX);
  EXPECT_EQ(score_bound_for_p(-1e-300, kGlocal), FLT_MAX);
  // A slope that is not positive allows no bound.
  EXPECT_EQ(score_bound_for_p(0.01, ExtremeValue{-5, 0}), -FLT_MAX);
  EXPECT_EQ(score_bound_for_p(0.01, ExtremeValue{-5, -1}), -FLT_MAX);
  EXPECT_EQ(score_bound_for_p(0.01, ExtremeValue{std::nanf(""), 1}), -FLT_MAX);
}

}  // namespace
}  // namespace gpuhmm
