// The provisional filter equals its definition, and its bound never drops a sequence that passes.
#include "search/thresholds.hpp"

#include <gtest/gtest.h>

#include <cfloat>
#include <random>

#include "plan7/arithmetic.hpp"
#include "plan7/statistics.hpp"

namespace gpuhmm {
namespace {

using Generator = std::mt19937_64;

template <class T>
T one_of(Generator& rng, std::initializer_list<T> values) {
  return values.begin()[std::uniform_int_distribution<std::size_t>(0, values.size() - 1)(rng)];
}

double uniform(Generator& rng, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(rng);
}

Thresholds random_thresholds(Generator& rng) {
  Thresholds thresholds;
  const double some_e = std::pow(10, uniform(rng, -40, 8));
  thresholds.sequence_e = one_of<double>(rng, {10, 0, -1, FLT_MAX, DBL_MAX, some_e, some_e, some_e});
  const auto some_t = static_cast<float>(uniform(rng, -200, 200));
  thresholds.sequence_t = one_of<float>(rng, {kNoScore, kNoScore, 0, 1e30F, some_t});
  const int some_z = std::uniform_int_distribution<int>(1, 50'000'000)(rng);
  thresholds.database_size = one_of<std::optional<int>>(rng, {std::nullopt, 0, 1, -7, some_z});
  return thresholds;
}

std::optional<ExtremeValue> random_evd(Generator& rng) {
  if (uniform(rng, 0, 1) < 0.25) return std::nullopt;
  const double usual = uniform(rng, 0.05, 0.9);
  const double lambda = one_of<double>(rng, {usual, usual, usual, 150, 1e-5, 0, -0.3});
  return ExtremeValue{static_cast<float>(uniform(rng, -400, 60)), static_cast<float>(lambda)};
}

bool passes_by_definition(const Thresholds& thresholds, const std::optional<ExtremeValue>& evd, float bits,
                          std::int64_t ordinal) {
  const bool given = thresholds.database_size && *thresholds.database_size != 0;
  const double z = given ? *thresholds.database_size : static_cast<double>(ordinal);
  return bits >= thresholds.sequence_t && p_value(bits, evd) * z <= thresholds.sequence_e;
}

// A score anywhere, or within a few 1/1000 bit of the bound.
float random_score(Generator& rng, float bound) {
  const double units = std::abs(bound) < 1e6F && uniform(rng, 0, 1) < 0.6
                           ? bound * kUnitsPerBit + uniform(rng, -4, 4)
                           : uniform(rng, -600'000, 1'500'000);
  return bits_of(static_cast<std::int32_t>(units));
}

TEST(ProvisionalFilter, EqualsItsDefinition) {
  Generator rng(1);
  for (int round = 0; round < 400; ++round) {
    const Thresholds thresholds = random_thresholds(rng);
    const std::optional<ExtremeValue> evd = random_evd(rng);
    ProvisionalFilter filter(thresholds, evd);
    std::int64_t ordinal = one_of<std::int64_t>(rng, {0, 0, 1'000'000'000});
    for (int i = 0; i < 300; ++i) {
      ordinal += one_of<std::int64_t>(rng, {1, 1, 1, 50, 10'000});
      const float bits = random_score(rng, filter.bound(ordinal));
      ASSERT_EQ(filter.passes(bits, ordinal), passes_by_definition(thresholds, evd, bits, ordinal))
          << bits << " bits, sequence " << ordinal << ", E " << thresholds.sequence_e << ", T "
          << thresholds.sequence_t << ", Z " << thresholds.database_size.value_or(0);
      ASSERT_EQ(filter.decides_for(bits, ordinal), filter.passes(bits, ordinal));
      ASSERT_LE(filter.recent_bound(ordinal), filter.bound(ordinal));
    }
  }
}

TEST(ProvisionalFilter, HasABoundBelowWhichNothingPassesThereOrLater) {
  Generator rng(2);
  int passed = 0;
  for (int round = 0; round < 20'000; ++round) {
    const Thresholds thresholds = random_thresholds(rng);
    const std::optional<ExtremeValue> evd = random_evd(rng);
    const ProvisionalFilter filter(thresholds, evd);
    const auto first = static_cast<std::int64_t>(std::pow(10, uniform(rng, 0, 9)));
    const std::int64_t later = first + one_of<std::int64_t>(rng, {0, 1, 100, 1'000'000});
    const float bound = filter.bound(first);
    const float bits = random_score(rng, bound);
    if (!passes_by_definition(thresholds, evd, bits, later)) continue;
    ++passed;
    ASSERT_GE(bits, bound) << "sequences " << first << " and " << later;
  }
  EXPECT_GT(passed, 1000);
}

TEST(ProvisionalFilter, PassesEnoughThereAndBefore) {
  Generator rng(3);
  int known = 0;
  for (int round = 0; round < 20'000; ++round) {
    const Thresholds thresholds = random_thresholds(rng);
    const std::optional<ExtremeValue> evd = random_evd(rng);
    const auto last = static_cast<std::int64_t>(std::pow(10, uniform(rng, 0, 9)));
    const std::int64_t before =
        std::max<std::int64_t>(1, last - one_of<std::int64_t>(rng, {0, 1, 100, 1'000'000}));
    ProvisionalFilter filter(thresholds, evd);
    const std::int32_t enough = filter.raw_enough(last);
    if (enough == std::numeric_limits<std::int32_t>::max()) continue;
    ++known;
    const auto above = static_cast<std::int32_t>(enough + one_of<std::int64_t>(rng, {0, 1, 50'000}));
    ASSERT_TRUE(filter.passes(bits_of(above), before))
        << enough << ", sequences " << before << " and " << last;
  }
  EXPECT_GT(known, 5000);
}

TEST(ProvisionalFilter, HasATightBound) {
  Thresholds thresholds;
  thresholds.database_size = 1'000'000;
  ProvisionalFilter filter(thresholds, ExtremeValue{-30, 0.25F});
  const float bound = filter.bound(1);
  EXPECT_TRUE(filter.passes(bound + 0.001F, 1));
  EXPECT_FALSE(filter.passes(bound - 0.001F, 1));
}

TEST(Thresholds, AreReplacedByCutOffs) {
  Profile profile;
  profile.name = "Some";
  profile.gathering = ScoreCutoff{25, 20};
  Thresholds asked;
  asked.sequence_e = 1e-5;
  asked.domain_e = 1;
  asked.sequence_t = 99;
  asked.database_size = 7;
  asked.cutoff = CutoffKind::Gathering;
  const Thresholds thresholds = thresholds_for(profile, asked);
  EXPECT_EQ(thresholds.sequence_t, 25);
  EXPECT_EQ(thresholds.domain_t, 20);
  EXPECT_EQ(thresholds.sequence_e, kNoEvalue);
  EXPECT_EQ(thresholds.domain_e, kNoEvalue);
  EXPECT_EQ(thresholds.database_size, 7);
}

TEST(Thresholds, NameAMissingCutOff) {
  Profile profile;
  profile.name = "Some";
  profile.gathering = ScoreCutoff{25, 20};
  Thresholds asked;
  asked.cutoff = CutoffKind::Trusted;
  try {
    thresholds_for(profile, asked);
    FAIL() << "no error";
  } catch (const SearchError& error) {
    EXPECT_STREQ(error.what(), "profile Some has no TC cut-off, which --cut_tc needs");
  }
}

}  // namespace
}  // namespace gpuhmm
