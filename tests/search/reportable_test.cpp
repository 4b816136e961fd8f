// No pair with a score below that of LeastWanted is among the wanted hits.
#include "search/reportable.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfloat>
#include <vector>

#include "plan7/aligner.hpp"
#include "plan7/arithmetic.hpp"
#include "plan7/postprocess.hpp"
#include "plan7/random_models.hpp"
#include "plan7/statistics.hpp"

namespace gpuhmm {
namespace {

using test::Random;
using test::Style;

// Pieces of the best path through the profile, with other residues between them.
std::vector<std::uint8_t> pieces_of(Random& random, const Profile& profile, int pieces) {
  std::vector<std::uint8_t> residues;
  const int letters = profile.residues();
  for (int piece = 0; piece < pieces; ++piece) {
    const int first = random.integer(1, profile.nodes);
    for (int k = first; k <= random.integer(first, profile.nodes); ++k) {
      const float* const emitted = &profile.match[static_cast<std::size_t>(k) * letters];
      residues.push_back(static_cast<std::uint8_t>(std::max_element(emitted, emitted + letters) - emitted));
    }
    const auto between = random.sequence(profile.alphabet, random.integer(0, 6));
    residues.insert(residues.end(), between.begin(), between.end());
  }
  return residues;
}

// A pair and its hits.
struct Scored {
  RunProfile query;
  std::size_t length;
  PairScore pair;
  PostprocessedPair found;
};

Scored random_pair(Random& random, int trial) {
  Profile profile = random_profile(random, random.integer(1, 60), static_cast<Style>(trial % 4));
  if (trial % 3 != 0) {  // so that single transitions through delete wings are rounded differently
    for (int k = 1; k < profile.nodes; ++k) {
      Transitions& t = profile.transition[k];
      t.dd = random.chance(0.5) ? 0.97F : t.dd;
      t.dm = 1 - t.dd;
    }
  }
  if (trial % 7 == 0) profile.special.n_loop *= 0.9F;
  if (trial % 11 == 0) profile.special.j_move *= 1.3F;
  const auto tenths = [&](int low, int high) { return static_cast<float>(random.integer(low, high)) / 10; };
  if (trial % 5 != 0) profile.evd = ExtremeValue{tenths(-300, 100), 0.01F + tenths(0, 6)};
  const auto residues = pieces_of(random, profile, random.integer(1, 12));
  Thresholds thresholds;
  thresholds.null2 = random.chance(0.5);
  thresholds.forward = trial % 13 == 0;
  Scored scored{RunProfile(std::move(profile), thresholds), residues.size(), {}, {}};
  scored.query.configure();
  MatrixRule rule(scored.query.profile.nodes);
  const ScoreModel& model = *scored.query.model;
  scored.pair = score_pair(scored.query.profile, model, residues, thresholds, rule);
  scored.found = postprocess(scored.query.profile, model, {"s", "", "", residues},
                             scored.pair.trace ? &*scored.pair.trace : nullptr, scored.pair.score, thresholds,
                             Target::Sequence, nullptr);
  return scored;
}

TEST(LeastWanted, KeepsEverySequenceThatIsReported) {
  Random random(31);
  int above = 0, bounded = 0;
  for (int trial = 0; trial < 6000; ++trial) {
    Scored scored = random_pair(random, trial);
    if (!scored.found.sequence) continue;
    // The largest database in which the sequence is still reported.
    const double p = scored.found.sequence->p_value;
    if (p < 1e-300) continue;
    scored.query.thresholds.sequence_e = 10;
    const double size = 10 / p;
    const float least = LeastWanted(scored.query, HitsWanted::Reported, size).score(scored.length);
    EXPECT_LE(least, scored.pair.score) << "trial " << trial << ", E " << p * size;
    above += scored.found.score > scored.pair.score ? 1 : 0;
    bounded += least > scored.pair.score - 1 ? 1 : 0;
  }
  EXPECT_GT(above, 20);  // sequences that score more than their paths
  EXPECT_GT(bounded, 1000);
}

// Every domain enters node 30 through deletes, whose scores are all rounded up.
TEST(LeastWanted, CountsTheRoundingOfEveryDomain) {
  Random random(35);
  Profile profile = random_profile(random, 40, Style::GlocalMultihit);
  const int letters = profile.residues();
  for (int k = 1; k <= profile.nodes; ++k) {
    for (int x = 0; x < letters; ++x) {
      profile.match[static_cast<std::size_t>(k) * letters + x] = x == (k < 30 ? 1 : 2) ? 0.99F : 0.01F / 19;
    }
    if (k < profile.nodes) profile.transition[k] = {0.99F, 0.005F, 0.005F, 0.5F, 0.5F, 0.000312F, 0.999688F};
  }
  profile.begin_delete = 0.5F;
  profile.evd = ExtremeValue{-5, 0.4F};
  Thresholds thresholds;
  thresholds.null2 = false;
  RunProfile query(std::move(profile), thresholds);
  query.configure();
  const std::vector<std::uint8_t> residues(11 * 8, 2);  // eight domains
  MatrixRule rule(query.profile.nodes);
  const PairScore pair = score_pair(query.profile, *query.model, residues, thresholds, rule);
  ASSERT_TRUE(pair.trace);
  const PostprocessedPair found =
      postprocess(query.profile, *query.model, {"s", "", "", residues}, &*pair.trace, pair.score, thresholds,
                  Target::Sequence, nullptr);
  ASSERT_TRUE(found.sequence);
  ASSERT_GT(found.domains.size(), 4U);
  const float excess = bits_of(domain_excess(*query.model, query.profile).value());
  ASSERT_GT(found.score, pair.score + 2 * excess);
  const LeastWanted least(query, HitsWanted::Reported, 10 / found.sequence->p_value);
  EXPECT_LE(least.score(residues.size()), pair.score);
}

TEST(LeastWanted, KeepsEverySequenceWithADomainThatIsReported) {
  Random random(32);
  int bounded = 0;
  for (int trial = 0; trial < 6000; ++trial) {
    Scored scored = random_pair(random, trial);
    for (const DomainHit& domain : scored.found.domains) {
      if (domain.p_value < 1e-300) continue;
      Thresholds& thresholds = scored.query.thresholds;
      thresholds.sequence_e = kNoEvalue;
      thresholds.domain_e = trial % 2 == 0 ? kNoEvalue : 3;
      thresholds.domain_t = trial % 2 == 0 ? domain.score : kNoScore;
      const float least =
          LeastWanted(scored.query, HitsWanted::WithDomains, 3 / domain.p_value).score(scored.length);
      EXPECT_LE(least, scored.pair.score) << "trial " << trial;
      bounded += least > domain.score - 0.1F ? 1 : 0;
    }
  }
  EXPECT_GT(bounded, 1000);
}

TEST(LeastWanted, DropsNothingThatMustBeRegistered) {
  Random random(33);
  const Scored scored = random_pair(random, 1);
  EXPECT_EQ(LeastWanted(scored.query, HitsWanted::Registered, 1e9).score(100), -FLT_MAX);
  EXPECT_EQ(LeastWanted(scored.query, HitsWanted::Reported, 0).score(100), -FLT_MAX);
  EXPECT_EQ(LeastWanted(scored.query, HitsWanted::Reported, -5).score(100), -FLT_MAX);
}

// Other special transitions than HMMER's give no bound: each domain pays less by itself than in the path.
TEST(DomainExcess, HasNoBoundIfDomainsTogetherMayScoreMoreThanThePath) {
  Random random(34);
  const Profile usual = random_profile(random, 20, Style::GlocalMultihit);
  EXPECT_TRUE(domain_excess(ScoreModel(usual), usual));
  for (float SpecialTransitions::*changed : {&SpecialTransitions::n_loop, &SpecialTransitions::c_loop,
                                             &SpecialTransitions::j_loop, &SpecialTransitions::j_move}) {
    Profile other = usual;
    other.special.*changed *= 0.5F;
    EXPECT_FALSE(domain_excess(ScoreModel(other), other));
  }
  const Profile single = random_profile(random, 20, Style::LocalSingle);
  EXPECT_TRUE(domain_excess(ScoreModel(single), single));
}

}  // namespace
}  // namespace gpuhmm
