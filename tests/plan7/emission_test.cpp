// Random sequences: shape of the paths, and frequencies of states and residues. tests/oracle/emit.py compares
// HMMER's own draws.
#include <gtest/gtest.h>

#include <cmath>

#include "gpuhmm/emit.hpp"
#include "gpuhmm/profile_file.hpp"

namespace gpuhmm {
namespace {

Profile toy() { return read_profiles(GPUHMM_TESTDATA "/vectors/toy5.hmm").front(); }

TEST(Emission, PathsVisitEveryNodeOnce) {
  for (const char* const name :
       {"/vectors/toy5.hmm", "/hmm/RRM_1_fs.hmm", "/hmm/RRM_1_s.hmm", "/hmm/MADE1_fs.hmm"}) {
    const Profile profile = read_profiles(std::string(GPUHMM_TESTDATA) + name).front();
    const SequenceEmitter emitter(profile);
    RandomStream stream;
    stream.seed(1);
    for (int i = 0; i < 200; ++i) {
      int node = 0;
      for (const EmissionStep& step : emitter.draw(stream)) {
        if (step.state != State::I) ++node;
        EXPECT_EQ(step.node, node);
        EXPECT_LT(step.code, profile.residues());
      }
      EXPECT_EQ(node, profile.nodes);
    }
  }
}

TEST(Emission, FrequenciesAreTheProbabilities) {
  const Profile profile = toy();
  const SequenceEmitter emitter(profile);
  RandomStream stream;
  stream.seed(2);
  constexpr int kCount = 50'000;
  double first_deleted = 0, third_matched = 0, inserts_after_third = 0, third_is_d = 0;
  for (int i = 0; i < kCount; ++i) {
    for (const EmissionStep& step : emitter.draw(stream)) {
      if (step.node == 1 && step.state == State::D) ++first_deleted;
      if (step.node == 3 && step.state == State::M) ++third_matched;
      if (step.node == 3 && step.state == State::M && step.code == 2) ++third_is_d;
      if (step.node == 3 && step.state == State::I) ++inserts_after_third;
    }
  }
  EXPECT_NEAR(first_deleted / kCount, profile.begin_delete, 0.01);
  EXPECT_NEAR(third_is_d / third_matched, profile.match_emission(3, 2), 0.01);
  const Transitions& t = profile.transition[3];
  EXPECT_NEAR(inserts_after_third / third_matched, t.mi / (1 - t.ii), 0.02);
}

TEST(Emission, ConsensusIsThatOfTheMajority) {
  Profile profile = toy();
  EXPECT_EQ(majority_consensus(profile), "acdef");
  profile.begin_delete = 0.6F;
  EXPECT_EQ(majority_consensus(profile), "cdef");
  profile.begin_delete = 0;
  profile.transition[2].mi = 20;  // more than half of the sum with m->m and m->d
  profile.transition[2].im = 0.2F;
  profile.transition[2].ii = 0.8F;
  EXPECT_EQ(majority_consensus(profile), "acxxxxxdef");
}

}  // namespace
}  // namespace gpuhmm
