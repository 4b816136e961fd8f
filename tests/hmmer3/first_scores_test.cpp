// What SSV tells of the first filter's score: the score itself, or less than that of MSV; the scores of
// P-values.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "hmmer3/arithmetic.hpp"
#include "hmmer3/comparison_part.hpp"
#include "hmmer3/random_profiles.hpp"

namespace gpuhmm::hmmer3 {
namespace {

using test::between;
using test::Generator;

TEST(FirstScores, AreTheScoreOrLess) {
  Generator random(1);
  const FlushToZero flush;
  int by_ssv = 0, overflows = 0, equal = 0, less = 0, unknown = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    // A large model with a long sequence has no use of SSV.
    const bool large = trial % 100 == 0;
    const float peak = trial % 2 == 0 ? 0.3F : 0.05F;
    const Profile profile =
        test::random_profile(random, AlphabetKind::Hmmer3Amino, large ? 4000 : between(random, 1, 300),
                             {peak, 0.05, 0.5, between(random, 0, 3) == 0 ? 0.1 : 0});
    const ByteModel model{LogOdds(profile)};
    const int length = large ? 100'000 : between(random, 1, 500);
    std::vector<std::uint8_t> sequence = test::random_sequence(random, profile.alphabet, length);
    for (int plants = large ? 0 : between(random, 0, 3); plants > 0; --plants) {
      const auto at = static_cast<std::size_t>(between(random, 0, length - 1));
      test::plant(profile, sequence, at, between(random, 1, profile.nodes));
    }
    const int rise = large ? 30 : ssv_largest_cell(model, sequence) - kSsvFloor;
    const FirstScore first = first_score_of(model, {0, rise}, length);
    if (large) {
      ASSERT_TRUE(ssv_applies(model, length) || (!first.is_exact && std::isinf(first.score)));
      unknown += ssv_applies(model, length) ? 0 : 1;
      continue;
    }
    const float score = msv_score(model, sequence);
    if (first.is_exact) {
      ASSERT_EQ(first.score, score) << trial;
      const auto maximum = ssv_maximum_of(model, rise + kSsvFloor);
      ++(ssv_result(model, maximum, length).result == ByteResult::NeedsMsv ? overflows : by_ssv);
    } else {
      ASSERT_LE(first.score, score) << trial;
      ++(first.score == score ? equal : less);
    }
  }
  EXPECT_GT(by_ssv, 500);
  EXPECT_GT(overflows, 100);
  EXPECT_GT(equal, 100);
  EXPECT_GT(less, 20);
  EXPECT_GT(unknown, 10);
}

TEST(GumbelBits, AreWhereThePValueIs) {
  for (const float mu : {-8.5F, 0.0F, -20.25F}) {
    for (const float lambda : {0.7F, 0.69315F, 1.5F}) {
      for (const double p : {1e-300, 1e-10, 1e-3, 0.02, 0.5, 0.99}) {
        const auto bits = static_cast<float>(gumbel_bits(p, mu, lambda));
        EXPECT_NEAR(gumbel_survival(bits, mu, lambda) / p, 1, 2e-3) << p;
      }
      EXPECT_EQ(gumbel_bits(0, mu, lambda), std::numeric_limits<double>::infinity());
      EXPECT_EQ(gumbel_bits(1, mu, lambda), -std::numeric_limits<double>::infinity());
    }
  }
}

}  // namespace
}  // namespace gpuhmm::hmmer3
