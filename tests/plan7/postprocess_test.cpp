// Post-processing: kept domains, thresholds, names and the rows of alignments.
#include "plan7/postprocess.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gpuhmm/profile_file.hpp"
#include "plan7/arithmetic.hpp"
#include "plan7/domain_alignment.hpp"
#include "plan7/forward.hpp"
#include "plan7/random_models.hpp"
#include "plan7/statistics.hpp"
#include "plan7/trace_score.hpp"

namespace gpuhmm {
namespace {

class ToySearch {
 public:
  explicit ToySearch(const std::string& profile_name, const std::string& letters)
      : profile(read_profiles(GPUHMM_TESTDATA "/vectors/" + profile_name + ".hmm").at(0)) {
    for (const char c : letters) residues_.push_back(Alphabet::get(profile.alphabet).code(c));
  }

  PairScore score() const {
    MatrixRule rule(profile.nodes);
    return score_pair(profile, model(), residues_, thresholds, rule);
  }
  PostprocessedPair run(Target target = Target::Sequence, bool alignments = true) const {
    const PairScore pair = score();
    const Consensus consensus(profile);
    return postprocess(profile, model(), {"seq", "ACC1", "some sequence", residues_},
                       pair.trace ? &*pair.trace : nullptr, pair.score, thresholds, target,
                       alignments ? &consensus : nullptr);
  }

  Profile profile;
  Thresholds thresholds;

 private:
  ScoreModel model() const {
    return ScoreModel(profile, thresholds.forward ? WingFolding::Sum : WingFolding::Max);
  }
  std::vector<std::uint8_t> residues_;
};

constexpr const char* kTwoDomains = "ACDEFKKKSCDGEYLLACDGEF";

TEST(Postprocess, TwoDomainsAreSummed) {
  const ToySearch search("toy5", kTwoDomains);
  const PostprocessedPair pair = search.run();
  ASSERT_EQ(pair.domains.size(), 2U);
  const DomainHit& first = pair.domains[0];
  const DomainHit& second = pair.domains[1];
  EXPECT_EQ(first.score, 3.283F - 0.217F);
  EXPECT_EQ(first.bias, 0.217F);
  EXPECT_EQ(second.score, 2.471F - 0.052F);
  EXPECT_EQ(pair.score, first.score + second.score);
  EXPECT_EQ(first.p_value, p_value(first.score, std::nullopt));
  EXPECT_EQ(first.sequence_score, pair.score);
  EXPECT_EQ(first.sequence_p_value, p_value(pair.score, std::nullopt));
  EXPECT_EQ(first.number, 1);
  EXPECT_EQ(second.number, 2);
  EXPECT_EQ(second.count, 2);
  EXPECT_EQ(second.sequence_from, 17);
  EXPECT_EQ(second.sequence_to, 22);
  EXPECT_EQ(second.sequence_length, 22);
  EXPECT_EQ(second.profile_from, 1);
  EXPECT_EQ(second.profile_to, 5);
  EXPECT_EQ(second.profile_length, 5);
  ASSERT_TRUE(pair.sequence.has_value());
  EXPECT_EQ(pair.sequence->score, pair.score);
  EXPECT_EQ(pair.sequence->domain_count, 2);
  EXPECT_EQ(pair.sequence->sequence_length, 22);
}

TEST(Postprocess, AlignmentRowsAreThoseOfTheReport) {
  const auto rows = ToySearch("toy5", kTwoDomains).run().domains.at(1).alignment;
  EXPECT_EQ(rows.cs, "   HHH CC   ");
  EXPECT_EQ(rows.rf, "   xxx xx   ");
  EXPECT_EQ(rows.model, "*->acd.ef<-*");
  EXPECT_EQ(rows.middle, "   acd+ef   ");
  EXPECT_EQ(rows.sequence, "   ACDgEF   ");
  const PostprocessedPair wing = ToySearch("toy5", "GGCDEFGG").run();
  EXPECT_EQ(wing.domains.at(0).alignment.sequence, "   -CDEF   ");
  EXPECT_EQ(wing.domains.at(0).alignment.middle, "    cdef   ");
  // A delete belongs to the profile's bounds but not to the sequence's.
  EXPECT_EQ(wing.domains.at(0).profile_from, 1);
  EXPECT_EQ(wing.domains.at(0).sequence_from, 3);
  EXPECT_EQ(wing.domains.at(0).sequence_to, 6);
}

TEST(Postprocess, GivesTheWidthOfAlignmentsThatItOmits) {
  const auto pair = ToySearch("toy5", kTwoDomains).run(Target::Sequence, false);
  EXPECT_EQ(pair.domains.at(1).trace_columns, 12U);
  EXPECT_TRUE(pair.domains.at(1).alignment.model.empty());
}

TEST(Postprocess, WithoutPositiveDomainTheBestIsKept) {
  const PostprocessedPair pair = ToySearch("toy5", "GGCDEFGG").run();
  ASSERT_EQ(pair.domains.size(), 1U);
  EXPECT_EQ(pair.score, -0.383F - 0.418F);
  EXPECT_EQ(pair.sequence->domain_count, 1);
}

TEST(Postprocess, Null2OffLeavesTheTraceScores) {
  ToySearch search("toy5", kTwoDomains);
  search.thresholds.null2 = false;
  const PostprocessedPair pair = search.run();
  EXPECT_EQ(pair.domains.at(0).score, 3.283F);
  EXPECT_EQ(pair.domains.at(0).bias, 0);
  EXPECT_EQ(pair.score, 3.283F + 2.471F);
}

TEST(Postprocess, ForwardReplacesTheWholeScoreOnly) {
  ToySearch search("toy5", kTwoDomains);
  search.thresholds.forward = true;
  const PairScore scored = search.score();
  EXPECT_EQ(scored.raw, 5754);
  EXPECT_EQ(scored.score, 6.832F - 1.063F);
  const PostprocessedPair pair = search.run();
  EXPECT_EQ(pair.score, scored.score);
  EXPECT_EQ(pair.domains.at(0).score, 3.283F - 0.217F);
  search.thresholds.null2 = false;
  EXPECT_EQ(search.run().score, 6.832F);
}

TEST(Postprocess, DomainThresholdsFilterWithoutRenumbering) {
  ToySearch search("toy5", kTwoDomains);
  search.thresholds.domain_t = 2.5F;
  PostprocessedPair pair = search.run();
  ASSERT_EQ(pair.domains.size(), 1U);
  EXPECT_EQ(pair.domains[0].count, 2);
  search.thresholds.domain_t = kNoScore;
  // domE is compared with the P-value, not the E-value.
  search.thresholds.domain_e = p_value(3.0F, std::nullopt);
  pair = search.run();
  ASSERT_EQ(pair.domains.size(), 1U);
  EXPECT_EQ(pair.domains[0].number, 1);
}

TEST(Postprocess, SequenceThresholdIsOnTheCorrectedScore) {
  ToySearch search("toy5", kTwoDomains);
  search.thresholds.sequence_t = 5.6F;
  const PostprocessedPair pair = search.run();
  EXPECT_FALSE(pair.sequence.has_value());
  EXPECT_EQ(pair.domains.size(), 2U);
}

TEST(Postprocess, TargetsAreNamedAfterTheSequenceOrTheProfile) {
  const ToySearch search("toy5", kTwoDomains);
  const PostprocessedPair found = search.run(Target::Sequence);
  EXPECT_EQ(found.sequence->name, "seq");
  EXPECT_EQ(found.sequence->accession, "ACC1");
  EXPECT_EQ(found.domains.at(0).description, "some sequence");
  EXPECT_EQ(found.domains.at(0).query_name, "toy5");
  const PostprocessedPair scanned = search.run(Target::Profile);
  EXPECT_EQ(scanned.sequence->name, "toy5");
  EXPECT_EQ(scanned.sequence->accession, "XX00001");
  EXPECT_EQ(scanned.domains.at(0).description, "Tiny five node test model");
  EXPECT_EQ(scanned.domains.at(0).query_name, "seq");
}

TEST(Postprocess, WithoutPathTheScoreStaysAndNothingIsRegistered) {
  ToySearch search("toy5", "");
  const PostprocessedPair pair = search.run();
  EXPECT_LT(pair.score, -900000);
  EXPECT_FALSE(pair.sequence.has_value());
  EXPECT_TRUE(pair.domains.empty());
}

// All states of Plan7 in one row set, with a strong and a weak consensus.
TEST(DomainAlignment, EveryStateHasItsColumn) {
  Profile profile;
  profile.resize(2);
  profile.rf = " x.";
  profile.cs = " HE";
  profile.match[20 + 0] = 0.5F;  // A, upper case from 0.5
  profile.match[40 + 1] = 0.4F;  // C
  profile.match[40 + 2] = 0.4F;  // D ties with C: C is shown
  ScoreModel model(AlphabetKind::Amino, 2);
  model.match[3 * 1 + 1] = 1;  // code 1 (C) in node 1
  model.insert[3 * 1 + 1] = 1;
  const std::vector<std::uint8_t> residues{0, 1, 1, 2, 23};
  const Trace trace{{State::S},       {State::N},       {State::N, 0, 1}, {State::B},       {State::M, 1, 2},
                    {State::I, 1, 3}, {State::I, 1, 4}, {State::D, 2},    {State::E},       {State::J},
                    {State::B},       {State::M, 1, 1}, {State::M, 2, 2}, {State::M, 2, 5}, {State::E},
                    {State::C},       {State::T}};
  const DomainAlignment rows = make_domain_alignment(profile, model, Consensus(profile), residues, trace);
  EXPECT_EQ(rows.model, "*-->A..c<->Acc<-*");
  EXPECT_EQ(rows.middle, "    ++     Ac    ");
  EXPECT_EQ(rows.sequence, "  a Ccd-   ACX   ");
  EXPECT_EQ(rows.rf, "    x  .   x..   ");
  EXPECT_EQ(rows.cs, "    H  E   HEE   ");
}

TEST(DomainAlignment, NucleicConsensusIsStrongFromNineTenths) {
  Profile profile;
  profile.alphabet = AlphabetKind::Nucleic;
  profile.resize(2);
  profile.match[4 + 2] = 0.9F;
  profile.match[8 + 3] = 0.8999F;
  const ScoreModel model(AlphabetKind::Nucleic, 2);
  const Trace trace{{State::M, 1, 1}, {State::M, 2, 2}};
  const DomainAlignment rows =
      make_domain_alignment(profile, model, Consensus(profile), std::vector<std::uint8_t>{2, 3}, trace);
  EXPECT_EQ(rows.model, "Gt");
  EXPECT_EQ(rows.middle, "Gt");
  EXPECT_EQ(rows.sequence, "GT");
  EXPECT_TRUE(rows.rf.empty());
  EXPECT_TRUE(rows.cs.empty());
}

// For any profile, domains are in order, bounds are inside, and scores are sums.
TEST(Postprocess, InvariantsHoldForRandomProfiles) {
  test::Random random(10);
  for (int trial = 0; trial < 300; ++trial) {
    const Profile profile =
        random_profile(random, random.integer(1, 50), static_cast<test::Style>(trial % 4));
    Thresholds thresholds;
    thresholds.forward = trial % 5 == 0;
    const ScoreModel model(profile, thresholds.forward ? WingFolding::Sum : WingFolding::Max);
    const auto residues = random.sequence(profile.alphabet, random.integer(1, 200));
    MatrixRule rule(profile.nodes);
    const PairScore scored = score_pair(profile, model, residues, thresholds, rule);
    ASSERT_TRUE(scored.trace.has_value());
    const Consensus consensus(profile);
    const PostprocessedPair pair = postprocess(profile, model, {"s", "", "", residues}, &*scored.trace,
                                               scored.score, thresholds, Target::Sequence, &consensus);
    ASSERT_TRUE(pair.sequence.has_value());
    ASSERT_EQ(pair.sequence->domain_count, static_cast<int>(pair.domains.size()));
    float sum = 0;
    std::int64_t last = 0;
    for (const DomainHit& hit : pair.domains) {
      sum += hit.score;
      ASSERT_GT(hit.sequence_from, last);
      ASSERT_GE(hit.sequence_to, hit.sequence_from);
      ASSERT_LE(hit.sequence_to, static_cast<std::int64_t>(residues.size()));
      ASSERT_GE(hit.profile_from, 1);
      ASSERT_LE(hit.profile_to, profile.nodes);
      ASSERT_GE(hit.bias, 0);
      for (const std::string* row : {&hit.alignment.model, &hit.alignment.middle, &hit.alignment.sequence}) {
        ASSERT_EQ(row->size(), hit.trace_columns);
      }
      last = hit.sequence_to;
    }
    ASSERT_TRUE(thresholds.forward || sum == pair.score);
  }
}

}  // namespace
}  // namespace gpuhmm
