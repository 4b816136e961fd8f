// SSV on PoCL finds what the plain filter finds: random models and sequences, all ways through the kernel.
#include "hmmer3/opencl/ssv_device.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <limits>
#include <string>
#include <vector>

#include "gpuhmm/device.hpp"
#include "hmmer3/arithmetic.hpp"
#include "hmmer3/filters.hpp"
#include "hmmer3/null_model.hpp"
#include "hmmer3/random_profiles.hpp"

namespace gpuhmm::hmmer3 {
namespace {

using test::between;
using test::Generator;

const DeviceInfo& device() {
  static const std::vector<DeviceInfo> devices = list_devices();
  return devices.at(0);
}

// A shape with which small models and sequences take all ways.
SsvVariant small_variant() {
  SsvVariant variant = choose_ssv_variant(device());
  variant.shape.table_bytes = 6 * kSsvStepWords * sizeof(std::uint32_t);
  variant.edge_bytes = 100'000;
  variant.part_length = 150;
  variant.overlap = 20;
  variant.found_room = 3;
  return variant;
}

Profile random_profile(Generator& random, AlphabetKind alphabet, int nodes) {
  constexpr float kPeaks[] = {0.05F, 0.3F, 1, 10};
  Profile profile =
      test::random_profile(random, alphabet, nodes,
                           {kPeaks[between(random, 0, 3)], 0.05, 0.5, between(random, 0, 3) == 0 ? 0.05 : 0});
  std::uniform_real_distribution<float> mu(-11, -3), lambda(0.4F, 1);
  profile.statistics.msv_mu = mu(random);
  profile.statistics.msv_lambda = lambda(random);
  return profile;
}

// Sequences of all lengths up to `longest`, many with segments that fit one of the profiles.
SequenceBatch random_batch(Generator& random, const std::deque<Profile>& profiles, int count, int longest) {
  SequenceBatch batch;
  for (int i = 0; i < count; ++i) {
    const int length = i < 5 ? i : between(random, 0, between(random, 1, longest));
    std::vector<std::uint8_t> sequence =
        test::random_sequence(random, profiles[0].alphabet, length, between(random, 0, 9) == 0 ? 1 : 0.02);
    for (int plants = length == 0 ? 0 : between(random, 0, 2); plants > 0; --plants) {
      const Profile& profile = profiles[between(random, 0, static_cast<int>(profiles.size()) - 1)];
      test::plant(profile, sequence, static_cast<std::size_t>(between(random, 0, length - 1)),
                  between(random, 1, profile.nodes));
    }
    batch.begin_sequence("s" + std::to_string(i), "", "");
    batch.append_residues(sequence);
  }
  return batch;
}

// The first stage's decision in the steps of the plain filters, for a maximum.
bool can_pass(const ByteModel& model, const Statistics& statistics, double f1, const SsvMaximum& maximum,
              const LengthTerms& terms) {
  const FirstStage stage = ssv_result(model, maximum, terms.length);
  if (stage.result == ByteResult::NeedsMsv) return true;
  const float bits = bits_above(first_stage_score(stage, terms.length), terms.null_score);
  return !(gumbel_survival(bits, statistics.msv_mu, statistics.msv_lambda) > f1);
}

TEST(FirstStageMarks, AreTheLeastThatPass) {
  Generator random(1);
  const FlushToZero flush;
  int tight = 0, loose = 0, all = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const bool large = trial % 30 == 0;
    const Profile profile =
        random_profile(random, AlphabetKind::Hmmer3Amino, large ? 2800 : between(random, 1, 400));
    const ByteModel model{LogOdds(profile)};
    constexpr double kThresholds[] = {0.02, 0.3, 1e-3, 1e-9, 0, 1e-300};
    const double f1 = kThresholds[between(random, 0, 5)];
    const auto marks = FirstStageMarks::make(model, profile.statistics, f1);
    ASSERT_TRUE(marks);
    const LengthTerms terms(between(random, 1, large ? 100'000 : 600));
    const int least = marks->least_rise(terms);
    ASSERT_GE(least, 0);
    for (int rise = 0; rise < 300; ++rise) {
      const bool passes =
          can_pass(model, profile.statistics, f1, ssv_maximum_of(model, rise + kSsvFloor), terms);
      if (passes) {
        ASSERT_GE(rise, least) << trial;
      } else if (rise > least) {
        FAIL() << trial << ": " << rise << " does not pass, but " << least << " is the mark";
      }
      if (rise == least) ++(passes ? tight : loose);
    }
    if (least == 0) ++all;
  }
  EXPECT_GT(tight, 200);
  EXPECT_LT(loose, 30);
  EXPECT_GT(all, 0);
}

TEST(FirstStageMarks, AreNotMadeWhereTheyWouldBeOfNoUse) {
  Generator random(2);
  Profile profile = random_profile(random, AlphabetKind::Hmmer3Amino, 20);
  const ByteModel model{LogOdds(profile)};
  EXPECT_TRUE(FirstStageMarks::make(model, profile.statistics, 0.02));
  EXPECT_TRUE(FirstStageMarks::make(model, profile.statistics, -1));
  EXPECT_FALSE(FirstStageMarks::make(model, profile.statistics, 1));
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  for (const float lambda : {0.0F, -1.0F, 1e-20F, 1e20F, kNan}) {
    Statistics odd = profile.statistics;
    odd.msv_lambda = lambda;
    EXPECT_FALSE(FirstStageMarks::make(model, odd, 0.02)) << lambda;
  }
  profile.statistics.msv_mu = kNan;
  EXPECT_FALSE(FirstStageMarks::make(model, profile.statistics, 0.02));
}

struct Counts {
  int listed = 0, left_out = 0, overflows = 0, in_parts = 0;
};

void compare(SsvDevice& ssv, const std::deque<Profile>& profiles, const SequenceBatch& batch, double f1,
             Counts& counts) {
  const FlushToZero flush;
  std::deque<ByteModel> models;
  std::vector<SsvQuery> queries;
  for (const Profile& profile : profiles) {
    const ByteModel& model = models.emplace_back(LogOdds(profile));
    queries.push_back({&model, *FirstStageMarks::make(model, profile.statistics, f1)});
  }
  ssv.load(batch);
  const std::vector<std::vector<SsvFinding>> found = ssv.find(queries);
  ASSERT_EQ(found.size(), queries.size());
  for (std::size_t q = 0; q < queries.size(); ++q) {
    const ByteModel& model = models[q];
    auto next = found[q].begin();
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (batch.length(i) == 0) continue;
      const SsvMaximum expected = ssv_maximum(model, batch.residues(i));
      const LengthTerms terms(static_cast<std::int64_t>(batch.length(i)));
      const int least = queries[q].marks.least_rise(terms);
      const bool listed = next != found[q].end() && next->sequence == i;
      ASSERT_EQ(listed, expected.overflows || expected.value - 256 - kSsvFloor >= least)
          << model.nodes << " nodes, sequence " << i << " of " << terms.length;
      if (!listed) {
        ++counts.left_out;
        continue;
      }
      const SsvMaximum maximum = ssv_maximum_of(model, next->rise + kSsvFloor);
      ASSERT_EQ(maximum.overflows, expected.overflows);
      if (!maximum.overflows) {
        ASSERT_EQ(maximum.value, expected.value);
      }
      ++(expected.overflows ? counts.overflows : counts.listed);
      if (batch.length(i) > 200) ++counts.in_parts;
      ++next;
    }
    ASSERT_EQ(next, found[q].end());
  }
}

TEST(SsvDevice, FindsWhatThePlainFilterFinds) {
  Generator random(3);
  Counts counts;
  SsvDevice ssv(device(), 2, small_variant());
  for (int trial = 0; trial < 12; ++trial) {
    const auto alphabet = trial % 3 == 2 ? AlphabetKind::Hmmer3Dna : AlphabetKind::Hmmer3Amino;
    std::deque<Profile> profiles;
    for (int p = between(random, 1, 6); p > 0; --p) {
      profiles.push_back(random_profile(random, alphabet, between(random, 1, between(random, 1, 120))));
    }
    const SequenceBatch batch =
        random_batch(random, profiles, between(random, 1, 70), trial % 2 == 0 ? 100 : 900);
    compare(ssv, profiles, batch, trial % 4 == 0 ? 0.4 : 0.02, counts);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(counts.listed, 100);
  EXPECT_GT(counts.left_out, 100);
  EXPECT_GT(counts.overflows, 20);
  EXPECT_GT(counts.in_parts, 20);
}

TEST(SsvDevice, TakesTheUsualShapeToo) {
  Generator random(4);
  Counts counts;
  SsvDevice ssv(device(), 2);
  std::deque<Profile> profiles;
  for (const int nodes : {1, 4, 5, 257, 258, 450}) {
    profiles.push_back(random_profile(random, AlphabetKind::Hmmer3Amino, nodes));
  }
  compare(ssv, profiles, random_batch(random, profiles, 25, 4000), 0.02, counts);
  EXPECT_GT(counts.in_parts, 2);
}

// Diagonals whose cells wrap around 16 bits overflow, too.
TEST(SsvDevice, SeesOverflowsBeyondSixteenBits) {
  Generator random(5);
  Counts counts;
  Profile profile = random_profile(random, AlphabetKind::Hmmer3Amino, 3000);
  for (std::size_t k = 0; k < profile.match.size(); ++k) profile.match[k] = k % 20 == 3 ? 1.0F : 0.0F;
  for (float& p : profile.match) p *= 1e8F;
  SequenceBatch batch;
  for (const std::size_t length : {3000U, 700U, 10U, 1U}) {
    batch.begin_sequence("s", "", "");
    batch.append_residues(std::vector<std::uint8_t>(length, 3));
  }
  SsvDevice ssv(device(), 2);
  compare(ssv, {profile}, batch, 0.02, counts);
  EXPECT_GE(counts.overflows, 2);
}

TEST(SsvDevice, TakesBatchesWithoutResidues) {
  Generator random(6);
  const Profile profile = random_profile(random, AlphabetKind::Hmmer3Amino, 10);
  const ByteModel model{LogOdds(profile)};
  SequenceBatch batch;
  batch.begin_sequence("empty", "", "");
  SsvDevice ssv(device(), 1);
  ssv.load(batch);
  const std::vector<SsvQuery> queries = {{&model, *FirstStageMarks::make(model, profile.statistics, 0.02)}};
  EXPECT_TRUE(ssv.find(queries).at(0).empty());
}

}  // namespace
}  // namespace gpuhmm::hmmer3
