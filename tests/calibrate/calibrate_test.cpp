// Calibration: HMMER's numbers, samples kept or drawn again, failing engines.
#include "gpuhmm/calibrate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "filter/failing_engine.hpp"
#include "gpuhmm/profile_file.hpp"
#include "gpuhmm/random.hpp"
#include "plan7/arithmetic.hpp"
#include "plan7/score_model.hpp"
#include "plan7/viterbi.hpp"

namespace gpuhmm {
namespace {

using testing::FailingEngine;

Profile toy() { return read_profiles(GPUHMM_TESTDATA "/vectors/toy5cal.hmm").front(); }

std::unique_ptr<EnginePool> pool_of(std::unique_ptr<ScoreEngine> engine) {
  std::vector<std::unique_ptr<ScoreEngine>> engines;
  engines.push_back(std::move(engine));
  return std::make_unique<EnginePool>(std::move(engines), [](const std::string&) {});
}

SampleOptions options(int count, std::int32_t seed) {
  SampleOptions result;
  result.count = count;
  result.seed = seed;
  return result;
}

/// The numbers of hmm2calibrate --seed 7 --num 1000 on a file that holds the profile twice.
TEST(Calibrate, GivesTheNumbersOfHmmer) {
  const Profile profile = toy();
  Calibrator calibrator(profile.alphabet, options(1000, 7), pool_of(make_simd_engine(1)), 1);
  const Calibration first = calibrator.calibrate(profile);
  ASSERT_TRUE(first.fit);
  EXPECT_EQ(std::to_string(first.fit->evd.mu), "-4.978280");
  EXPECT_EQ(std::to_string(first.fit->evd.lambda), "0.654920");
  EXPECT_EQ(std::to_string(first.largest), "3.633000");
  const Calibration second = calibrator.calibrate(profile);
  ASSERT_TRUE(second.fit);
  EXPECT_EQ(std::to_string(second.fit->evd.mu), "-4.956307");
  EXPECT_EQ(std::to_string(second.fit->evd.lambda), "0.681777");
  EXPECT_EQ(std::to_string(second.largest), "2.523000");
}

/// The scores of one sample, drawn and scored by the plain reference.
ScoreHistogram plain_histogram(const Profile& profile, const SampleOptions& sampling, RandomStream& stream) {
  const ScoreModel model(profile);
  const RandomChoice residue(default_frequencies(profile.alphabet));
  ScoreHistogram scores;
  stream.seed(sampling.seed);
  for (int i = 0; i < sampling.count; ++i) {
    int length = sampling.fixed_length;
    while (length < 1) length = static_cast<int>(stream.normal(sampling.mean, sampling.deviation));
    std::vector<std::uint8_t> codes(static_cast<std::size_t>(length));
    std::ranges::generate(codes, [&] { return residue.draw(stream); });
    scores.add(bits_of(viterbi_score(model, codes)));
  }
  return scores;
}

/// With many profiles, most samples are kept ones.
TEST(Calibrate, KeptSamplesAreThoseDrawnAnew) {
  const Profile profile = toy();
  for (const char* const style : {"lengths drawn", "length fixed"}) {
    SampleOptions sampling = options(20, 5);
    sampling.mean = 30;
    sampling.deviation = 20;
    if (style == std::string("length fixed")) sampling.fixed_length = 25;
    Calibrator calibrator(profile.alphabet, sampling, pool_of(make_simd_engine(2)), 1);
    RandomStream stream;
    for (int i = 0; i < 300; ++i) {
      const Calibration calibration = calibrator.calibrate(profile);
      ASSERT_EQ(calibration.histogram.bins(), plain_histogram(profile, sampling, stream).bins())
          << style << ", " << i;
      EXPECT_FALSE(calibration.fit);  // of 20 scores
    }
  }
}

/// Several threads draw parts of a sample while others are scored. The sample of the last profile is not
/// kept, which must not change its scores.
TEST(Calibrate, SamplesDrawnAheadAreThoseDrawnAtOnce) {
  const Profile profile = toy();
  const SampleOptions sampling = options(2500, 11);  // 800,000 residues: some 18 parts
  for (const unsigned calls : {1U, 3U}) {
    Calibrator calibrator(profile.alphabet, sampling, pool_of(make_simd_engine(1, calls)), 3);
    RandomStream stream;
    for (int i = 0; i < 3; ++i) {
      const Calibration calibration = calibrator.calibrate(profile, i == 2);
      EXPECT_EQ(calibration.histogram.bins(), plain_histogram(profile, sampling, stream).bins());
    }
  }
}

TEST(Calibrate, GoesOnWhenAnEngineFails) {
  const Profile profile = toy();
  for (const auto call : {FailingEngine::Call::Prepare, FailingEngine::Call::Score}) {
    std::vector<std::unique_ptr<ScoreEngine>> engines;
    engines.push_back(std::make_unique<FailingEngine>("device", call, 1));
    engines.push_back(make_simd_engine(1));
    int warnings = 0;
    Calibrator calibrator(
        profile.alphabet, options(300, 3),
        std::make_unique<EnginePool>(std::move(engines), [&](const std::string&) { ++warnings; }), 1);
    Calibrator again(profile.alphabet, options(300, 3), pool_of(make_reference_engine(1)), 1);
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(calibrator.calibrate(profile).histogram.bins(), again.calibrate(profile).histogram.bins());
    }
    EXPECT_EQ(warnings, 1);
  }
}

TEST(Calibrate, NucleicProfilesGetNucleicSequences) {
  const Profile profile = read_profiles(GPUHMM_TESTDATA "/vectors/toydna.hmm").front();
  Calibrator calibrator(profile.alphabet, options(100, 1), pool_of(make_simd_engine(1)), 1);
  RandomStream stream;
  EXPECT_EQ(calibrator.calibrate(profile).histogram.bins(),
            plain_histogram(profile, options(100, 1), stream).bins());
}

}  // namespace
}  // namespace gpuhmm
