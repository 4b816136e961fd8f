// The steps from an alignment to a profile. tests/oracle/build.py compares the numbers of whole profiles.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "gpuhmm/build.hpp"
#include "plan7/arithmetic.hpp"
#include "plan7/building/architecture.hpp"
#include "plan7/building/dirichlet_prior.hpp"
#include "plan7/building/maximum_entropy.hpp"
#include "plan7/building/search_style.hpp"
#include "plan7/building/sequence_weights.hpp"
#include "plan7/building/training_alignment.hpp"
#include "plan7/building/training_traces.hpp"

namespace gpuhmm {
namespace {

using Rows = std::vector<std::string>;

TrainingAlignment alignment_of(Rows rows) {
  const std::size_t count = rows.size();
  return {AlphabetKind::Amino, std::move(rows), std::vector<float>(count, 1.0F)};
}

/// Builds a profile with the standard priors.
BuildResult build(TrainingAlignment& alignment, const BuildOptions& options) {
  RandomStream random;
  random.start_unseeded();
  return build_profile(alignment, "", ProfilePrior::standard(alignment.alphabet),
                       NullModel::standard(alignment.alphabet), options, random);
}

MatchColumns columns(std::string_view marks) { return columns_by_hand(marks); }

/// The steps between B and E: state and node, and the position of the residue if there is one.
std::string path_of(const std::string& row, std::string_view marks) {
  std::string text;
  const Trace trace = training_traces(alignment_of({row}), columns(marks)).front();
  for (const TraceStep& step : trace) {
    if (step.node == 0) continue;
    text += std::string(text.empty() ? "" : " ") + "SNBMDIECTJ"[static_cast<std::size_t>(step.state)];
    text += std::to_string(step.node) + (step.position > 0 ? ":" + std::to_string(step.position) : "");
  }
  return text;
}

TEST(SequenceWeights, TreeSharesBranches) {
  EXPECT_EQ(tree_weights({"ACDEF"}), std::vector<float>{1});
  EXPECT_EQ(tree_weights({"ACDEF", "ACDEF", "ACDKK"}), (std::vector<float>{0.75F, 0.75F, 1.5F}));
}

TEST(SequenceWeights, RareResiduesCountMore) {
  const std::vector<float> weights = position_based_weights({"ACDEF", "ACDEK", "ACDKK"});
  EXPECT_FLOAT_EQ(weights[0], 1.05F);
  EXPECT_FLOAT_EQ(weights[1], 0.9F);
  EXPECT_FLOAT_EQ(weights[2], 1.05F);
}

TEST(SequenceWeights, SimilarRowsShareClusters) {
  const Rows rows = {"ACDEF", "ACDEK", "CCCCC", "-----"};
  // a row without residues has no column in common with any other, so it joins all clusters
  EXPECT_EQ(cluster_count({rows.begin(), rows.begin() + 3}, 0.75F), 2);
  EXPECT_EQ(cluster_count({rows.begin(), rows.begin() + 3}, 0.9F), 3);
  EXPECT_EQ(cluster_count(rows, 1.0F), 1);
  EXPECT_EQ(cluster_weights({rows.begin(), rows.begin() + 3}, 0.75F), (std::vector<float>{0.5F, 0.5F, 1}));
}

TEST(SequenceWeights, VoronoiWeightsAreThoseOfHmmer) {
  RandomStream random;
  random.start_unseeded();
  // hits of 150 random sequences, as found by hmm2build
  const std::vector<float> expected = {60 / 50.0F, 53 / 50.0F, 37 / 50.0F};
  EXPECT_EQ(voronoi_weights({"AACC", "ACAA", "ACCC"}, random), expected);
  // the random numbers continue
  EXPECT_NE(voronoi_weights({"AACC", "ACAA", "ACCC"}, random), expected);
  EXPECT_EQ(voronoi_weights({"ACCC"}, random), std::vector<float>{1});
  for (const float w : voronoi_weights({"**", "**", "**"}, random)) EXPECT_GE(w, 0);
}

TEST(MaximumEntropy, EndsWithEqualScores) {
  // rows that score less the more they weigh, with different offsets
  const auto scores_of = [](const std::vector<float>& w) {
    return std::vector<float>{std::log2(w[0]) + 1, std::log2(w[1]) + 2, std::log2(w[2]) + 2};
  };
  const EntropyWeights found = maximum_entropy_weights(scores_of({1, 1, 1}), scores_of);
  EXPECT_TRUE(found.converged);
  EXPECT_NEAR(found.weights[0], 1.5F, 0.05);
  EXPECT_NEAR(found.weights[1], 0.75F, 0.05);
  EXPECT_NEAR(found.weights[2], 0.75F, 0.05);
  EXPECT_FALSE(found.steps.front().convergence.has_value());
  EXPECT_LT(found.steps.back().entropy, found.steps.front().entropy);
  EXPECT_LT(*found.steps.back().convergence, 1e-5);
}

TEST(MaximumEntropy, GivesUpIfScoresAreNotNumbers) {
  const auto no_number = [](const std::vector<float>& w) {
    return std::vector<float>(w.size(), std::numeric_limits<float>::quiet_NaN());
  };
  const EntropyWeights found = maximum_entropy_weights({-20, 20}, no_number);
  EXPECT_FALSE(found.converged);
  EXPECT_EQ(found.weights, (std::vector<float>{2, 0}));  // those of the step before
  EXPECT_EQ(found.steps.size(), 666U);
}

TEST(MaximumEntropy, ScalesScoresOfPartsToAllNodes) {
  TrainingAlignment alignment = alignment_of({"AAAA", "--AA"});
  BuildOptions options;
  options.effective_number = false;
  options.construction = Construction::Fast;
  options.map.largest_gap_part = 1;
  options.style = SearchStyle::LocalSingle;
  options.weighting = Weighting::None;
  const BuildResult result = build(alignment, options);
  const std::vector<float> scores = whole_scores(result.profile, alignment, result.traces, {1, 1});
  EXPECT_FLOAT_EQ(scores[0], result.scores[0]);
  EXPECT_NEAR(scores[1] / result.scores[1], 2, 0.2);
}

TEST(SubstitutionPrior, ExpectsSubstitutesOfTheResidue) {
  const NullModel null = NullModel::standard(AlphabetKind::Amino);
  SubstitutionScores scores{};
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i][i] = 2;
  ProfilePrior prior = ProfilePrior::standard(AlphabetKind::Amino);
  prior.match = substitution_prior(scores, std::numbers::ln2_v<float>, null.emission, 20);
  prior.by_residue = true;
  std::vector<float> counts(20);
  counts[0] = 2;
  apply_match_prior(counts, prior, GammaFunction::Debian);
  // among 20 pseudocounts, A is four times as likely as by chance
  double sum = 0;
  for (const float f : null.emission) sum += static_cast<double>(f);
  const double a = static_cast<double>(null.emission[0]);
  EXPECT_NEAR(counts[0], (2 + 20 * 4 * a / (sum + 3 * a)) / 22, 1e-6);
  EXPECT_NEAR(counts[1], 20 * static_cast<double>(null.emission[1]) / (sum + 3 * a) / 22, 1e-6);
  // without counts and pseudocounts
  prior.match = substitution_prior(scores, 1, null.emission, 0);
  std::vector<float> none(20);
  apply_match_prior(none, prior, GammaFunction::Debian);
  EXPECT_FLOAT_EQ(none[7], 0.05F);
}

TEST(TrainingTraces, DeletesAtTheEndsAreDropped) {
  EXPECT_EQ(path_of("--CD-", "xxxxx"), "M3:1 M4:2");
  EXPECT_EQ(path_of("A-C", "xxx"), "M1:1 D2 M3:2");
}

TEST(TrainingTraces, InsertsBesideDeletesBecomeMatches) {
  EXPECT_EQ(path_of("AC-aaEF", "xxx..xx"), "M1:1 M2:2 M3:3 I3:4 M4:5 M5:6");
  EXPECT_EQ(path_of("ACDaa-F", "xxx..xx"), "M1:1 M2:2 M3:3 I3:4 M4:5 M5:6");
  EXPECT_EQ(path_of("-a-EF", "x.xxx"), "M2:1 M3:2 M4:3");
  EXPECT_EQ(path_of("-aDEF", "x.xxx"), "M1:1 M2:2 M3:3 M4:4");
  EXPECT_EQ(path_of("ACDaa--", "xxx..xx"), "M1:1 M2:2 M3:3 I3:4 M4:5");
}

TEST(TrainingTraces, ResiduesOutsideFillEmptyRows) {
  EXPECT_EQ(path_of("ab---cd", "..xxx.."), "M1:2");
  EXPECT_EQ(path_of("-----cd", "..xxx.."), "M3:1");
  EXPECT_THROW(path_of("-------", "..xxx.."), std::invalid_argument);
}

TEST(TrainingTraces, DegenerateResiduesCountInParts) {
  TrainingAlignment alignment = alignment_of({"AB", "A-"});
  alignment.weights = {0.5F, 2};
  const Profile counts = count_traces(alignment, training_traces(alignment, columns("xx")), 2);
  const auto code = [&](char c) { return alignment.letters().code(c); };
  EXPECT_EQ(counts.match_emission(1, code('A')), 2.5F);
  EXPECT_EQ(counts.match_emission(2, code('D')), 0.25F);
  EXPECT_EQ(counts.match_emission(2, code('N')), 0.25F);
  EXPECT_EQ(counts.begin[1], 2.5F);
  EXPECT_EQ(counts.end[1], 2);
  EXPECT_EQ(counts.transition[1].mm, 0.5F);
}

TEST(DirichletPrior, GammaDecidesTheComponents) {
  const ProfilePrior prior = ProfilePrior::standard(AlphabetKind::Amino);
  std::vector<float> debian(20), meant(20);
  debian[0] = meant[0] = 1;  // one alanine
  apply_prior(debian, prior.match, GammaFunction::Debian);
  apply_prior(meant, prior.match, GammaFunction::True);
  EXPECT_FLOAT_EQ(debian[0], 0.4335904F);  // only the component of aromatic residues
  EXPECT_FLOAT_EQ(meant[0], 0.52823607F);
  std::vector<float> single(4);
  apply_prior(single, ProfilePrior::standard(AlphabetKind::Nucleic).match, GammaFunction::Debian);
  EXPECT_EQ(single, std::vector<float>(4, 0.25F));
}

// The bits of node 23 of a profile of hmm2build. The logarithms of two components differ by 1, near 2^24.
TEST(DirichletPrior, SharesOfComponentsSumToOne) {
  const ProfilePrior prior = ProfilePrior::standard(AlphabetKind::Amino);
  std::vector<float> counts(20, 0.0F);
  counts[17] = 0.5F;
  apply_match_prior(counts, prior, GammaFunction::Debian);
  normalise(counts);  // as the profile's style does
  EXPECT_EQ(counts[0], 0x1.eeff0ap-4F);
  EXPECT_EQ(counts[17], 0x1.4b6a48p-2F);
}

TEST(Architecture, ChoosesColumnsByGaps) {
  const TrainingAlignment alignment = alignment_of({"A-C-", "AC--", "A---"});
  EXPECT_EQ(columns_without_many_gaps(alignment, 0.5F), (MatchColumns{true, false, false, false}));
  EXPECT_EQ(columns_without_many_gaps(alignment, 0.7F), (MatchColumns{true, true, true, false}));
  EXPECT_THROW(columns_without_many_gaps(alignment_of({"A-", "-C", "--"}), 0.5F), std::invalid_argument);
  EXPECT_THROW(columns_by_hand("..-"), std::invalid_argument);
}

TEST(Architecture, ChoosesMoreColumnsForALargerPrior) {
  const ProfilePrior prior = ProfilePrior::standard(AlphabetKind::Nucleic);
  const NullModel null = NullModel::standard(AlphabetKind::Nucleic);
  TrainingAlignment alignment = alignment_of({"AA", "AA"});
  alignment.alphabet = AlphabetKind::Nucleic;
  // the first column is worth 0.67947 nats per row, and hmm2build changes its choice there
  MapOptions options;
  options.column_prior = 0.5068F;
  EXPECT_EQ(most_probable_columns(alignment, prior, null, options), (MatchColumns{false, true}));
  options.column_prior = 0.507F;
  EXPECT_EQ(most_probable_columns(alignment, prior, null, options), (MatchColumns{true, true}));
}

// Equally good architectures differ in the last bit of their scores: the order of additions decides.
TEST(Architecture, ChoosesAmongEquallyGoodColumnsAsHmmbuild) {
  TrainingAlignment alignment =
      alignment_of({"ACAAUAUAAAACC-ACAAUUGCACGGCCCUAGAACACGGC", "ACAAUACAAAACCCACAAUUGCACGGACCUAGUACACGGC",
                    "GCAAC-CCAAACACACAAUUGCACGUACCUAGUUCACGGU"});
  alignment.alphabet = AlphabetKind::Nucleic;
  MapOptions options;
  options.column_prior = 0.5F;
  const MatchColumns columns = most_probable_columns(alignment, ProfilePrior::standard(AlphabetKind::Nucleic),
                                                     NullModel::standard(AlphabetKind::Nucleic), options);
  EXPECT_EQ(columns, columns_by_hand("..............xxxxxxxxxxx.xxxxxx.xxxxxxx"));
}

TEST(Architecture, RowsWithoutWeightForbidColumnsToo) {
  TrainingAlignment alignment = alignment_of({"AC-DE", "--WDE"});
  alignment.weights = {2, 0};
  // without column 3 the second row would have to go from deletes to an insert state
  EXPECT_EQ(most_probable_columns(alignment, ProfilePrior::standard(AlphabetKind::Amino),
                                  NullModel::standard(AlphabetKind::Amino), {}),
            (MatchColumns{true, true, true, true, true}));
}

TEST(BuildProfile, StylesDifferInTheirEnds) {
  const auto build_as = [](SearchStyle style) {
    TrainingAlignment alignment = alignment_of({"ACDEF", "ACDEF"});
    BuildOptions options;
    options.style = style;
    return build(alignment, options).profile;
  };
  const Profile glocal = build_as(SearchStyle::Glocal), local = build_as(SearchStyle::LocalSingle);
  EXPECT_EQ(glocal.nodes, 5);
  EXPECT_FLOAT_EQ(glocal.begin_delete, 1.0F / 3);
  EXPECT_EQ(glocal.begin[2], 0);
  EXPECT_FLOAT_EQ(local.begin[2], 0.5F * 2 / 3 / 4);
  EXPECT_FLOAT_EQ(local.end[1], 0.125F);
  EXPECT_EQ(local.special.e_loop, 0);
  EXPECT_EQ(glocal.special.e_loop, 0.5F);
}

TEST(BuildProfile, WeightsSumToTheClustersOfProteins) {
  TrainingAlignment alignment = alignment_of({"ACDEF", "ACDEF", "WWWWW"});
  const BuildResult result = build(alignment, {});
  EXPECT_EQ(result.effective_number, 2);
  EXPECT_FLOAT_EQ(alignment.weights[0] + alignment.weights[1] + alignment.weights[2], 2);
}

}  // namespace
}  // namespace gpuhmm
