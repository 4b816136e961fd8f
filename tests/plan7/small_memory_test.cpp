// Compares small-memory alignment with the full matrix, and tests the rule that chooses between them.
#include "plan7/small_memory.hpp"

#include <gtest/gtest.h>

#include "plan7/aligner.hpp"
#include "plan7/random_models.hpp"
#include "plan7/trace_score.hpp"
#include "plan7/viterbi.hpp"

namespace gpuhmm {
namespace {

using test::ModelStyle;
using test::Random;
using test::wingless_profile;

constexpr ModelStyle kStyles[] = {
    {1, 0, true, true}, {1, 0.1, true, true}, {1000, 0, true, true}, {1000, 0.2, true, true}};

TEST(SmallMemory, ParseHasTheOptimalScore) {
  Random random(4);
  for (int trial = 0; trial < 1500; ++trial) {
    ModelStyle style = kStyles[trial % 4];
    style.free_loops = trial % 8 < 4;
    const ScoreModel model = random_model(random, random.integer(1, 60), style);
    const auto residues = random.sequence(model.alphabet, random.integer(0, 80));
    const std::int32_t expected = viterbi_score(model, residues);
    const SegmentParse parse = parse_segments(model, residues);
    if (expected < kMinusInfinity / 2) {
      EXPECT_LT(parse.score, kMinusInfinity / 2);
      continue;
    }
    ASSERT_EQ(parse.score, expected) << "trial " << trial;
    ASSERT_FALSE(parse.segments.empty());
    // The scores of the segments alone, each forced to be one domain, and of the loops between them add up to
    // the score.
    ScoreModel single = model;
    single.e_to_j = single.n_loop = single.c_loop = kMinusInfinity;
    std::int64_t sum = 0;
    std::int32_t last = 0;
    for (std::size_t s = 0; s < parse.segments.size(); ++s) {
      const auto [begin, end] = parse.segments[s];
      ASSERT_LE(last, begin);
      ASSERT_LT(begin, end);
      const auto part = std::span(residues).subspan(begin, end - begin);
      sum += viterbi_score(single, part) - model.n_begin - model.e_to_c - model.c_end;
      sum += s == 0 ? model.n_begin + std::int64_t{model.n_loop} * begin
                    : model.e_to_j + model.j_begin + std::int64_t{model.j_loop} * (begin - last);
      last = end;
    }
    sum += model.e_to_c + model.c_end + model.c_loop * (static_cast<std::int64_t>(residues.size()) - last);
    ASSERT_EQ(sum, expected) << "trial " << trial;
  }
}

TEST(SmallMemory, TiesEndAtTheSmallestNodeAndLeaveLoopsLast) {
  ScoreModel model(AlphabetKind::Amino, 2);
  std::fill(model.match.begin(), model.match.end(), 0);
  model.begin[1] = model.begin[2] = model.end[1] = model.mm[1] = 0;
  model.n_begin = model.n_loop = model.e_to_c = model.c_end = model.c_loop = 0;
  // M1 and M2 both explain each E; C keeps the first E.
  EXPECT_EQ(parse_segments(model, std::vector<std::uint8_t>(3, 0)).segments,
            (std::vector<DomainSpan>{{0, 1}}));
  model.begin[2] = kMinusInfinity;
  model.c_loop = kMinusInfinity;
  // Only the last E counts; M1, entered at once, wins over M2.
  EXPECT_EQ(parse_segments(model, std::vector<std::uint8_t>(3, 0)).segments,
            (std::vector<DomainSpan>{{2, 3}}));
}

TEST(SmallMemory, MatchWinsOverBeginAndBeginOverDelete) {
  ScoreModel model(AlphabetKind::Amino, 3);
  std::fill(model.match.begin(), model.match.end(), 0);
  model.begin[1] = model.n_begin = model.n_loop = model.e_to_c = model.c_end = 0;
  const std::vector<std::uint8_t> residues(2, 0);
  // M3 of the second residue can come from B at once or from M1 of the first through D2 ...
  model.begin[3] = model.md[1] = model.dm[2] = 0;
  EXPECT_EQ(parse_segments(model, residues).segments, (std::vector<DomainSpan>{{1, 2}}));
  // ... or, M2 being an entry as well, from M2 of the first.
  model.begin[2] = model.mm[2] = 0;
  EXPECT_EQ(parse_segments(model, residues).segments, (std::vector<DomainSpan>{{0, 2}}));
}

TEST(SmallMemory, DivideAndConquerIsOptimal) {
  Random random(5);
  int with_path = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    ModelStyle style = kStyles[trial % 4];
    style.multihit = false;
    style.free_loops = trial % 8 < 4;
    const ScoreModel model = random_model(random, random.integer(1, 60), style);
    const auto residues = random.sequence(model.alphabet, random.integer(1, 70));
    const Profile profile = wingless_profile(model);
    const std::int32_t expected = viterbi_score(model, residues);
    if (expected < kMinusInfinity / 2) continue;
    const auto trace = align_segment(model, profile, residues);
    ASSERT_TRUE(trace.has_value()) << "trial " << trial;
    ++with_path;
    ASSERT_EQ(trace_score(model, profile, residues, *trace), expected) << "trial " << trial;
  }
  EXPECT_GT(with_path, 1000);
}

// Columns with which the full matrix can have at most `rows` rows, not counting the pad of 25.
std::int64_t columns_for(std::int64_t rows) { return 34'600'000 / (12 * (rows + 25)); }

TEST(Aligner, SegmentsGiveTheScoreOfTheFullMatrix) {
  Random random(6);
  int segmented = 0;
  for (int trial = 0; trial < 800; ++trial) {
    const ScoreModel model = random_model(random, random.integer(1, 40), kStyles[trial % 4]);
    const auto residues = random.sequence(model.alphabet, random.integer(1, 150));
    const Profile profile = wingless_profile(model);
    // No full matrix at all (divide and conquer), or only for segments of up to 30 residues.
    MatrixRule rule(model.nodes, 1, 25, trial % 3 == 0 ? 10'000'000 : columns_for(30));
    if (!rule.full_allowed(static_cast<std::int64_t>(residues.size()))) ++segmented;
    const std::int32_t expected = viterbi_score(model, residues);
    if (expected < kMinusInfinity / 2) continue;
    const AlignedSequence aligned = align(model, profile, residues, rule);
    ASSERT_TRUE(aligned.trace.has_value());
    ASSERT_EQ(aligned.score, expected);
    ASSERT_EQ(trace_score(model, profile, residues, *aligned.trace), expected) << "trial " << trial;
    std::int32_t position = 0;
    for (const TraceStep& step : *aligned.trace) {
      if (step.position != 0) {
        ASSERT_EQ(step.position, ++position);
      }
    }
    ASSERT_EQ(position, static_cast<std::int32_t>(residues.size()));
  }
  EXPECT_GT(segmented, 400);
}

// Limits calculated by hand (docs/spec/viterbi-and-traceback.md, 4.4): bytes = 80 + (N + 1) (12 (M + 2) + 52)
// < 33 * 2^20.
TEST(MatrixRule, SearchKeepsOneModelAndPadsRows) {
  const MatrixRule rule(263);
  const std::int64_t limit = (33 * 1048576 - 81) / (12 * 265 + 52) - 1 - 25;
  EXPECT_TRUE(rule.full_allowed(limit));
  EXPECT_FALSE(rule.full_allowed(limit + 1));
  EXPECT_TRUE(rule.full_allowed(0));
}

TEST(MatrixRule, CapacityGrowsByVisitsThatFitAndNeverShrinks) {
  MatrixRule rule(263);
  EXPECT_EQ(rule.rows(), 1);
  EXPECT_EQ(rule.columns(), 263);
  rule.visit(1);
  EXPECT_EQ(rule.rows(), 1);
  rule.visit(400);
  EXPECT_EQ(rule.rows(), 425);
  rule.visit(425);
  EXPECT_EQ(rule.rows(), 425);
  rule.visit(100'000);
  EXPECT_EQ(rule.rows(), 425);
  rule.visit(426);
  EXPECT_EQ(rule.rows(), 451);
  // A sequence within the capacity is allowed even if a new matrix would not allow it.
  const std::int64_t limit = (33 * 1048576 - 81) / (12 * 265 + 52) - 1 - 25;
  rule.visit(limit);
  EXPECT_EQ(rule.rows(), limit + 25);
  EXPECT_TRUE(rule.full_allowed(limit + 25));
  EXPECT_FALSE(MatrixRule(263).full_allowed(limit + 25));
  EXPECT_FALSE(rule.full_allowed(limit + 26));
}

TEST(MatrixRule, ScanStartsAt300AndPadsColumns) {
  MatrixRule rule = MatrixRule::for_scan(100);
  EXPECT_EQ(rule.rows(), 300);
  EXPECT_EQ(rule.columns(), 300);
  rule.visit(200);
  EXPECT_EQ(rule.rows(), 300);
  rule.set_nodes(500);
  rule.visit(200);
  EXPECT_EQ(rule.rows(), 300);
  EXPECT_EQ(rule.columns(), 525);
  rule.set_nodes(100);
  rule.visit(301);
  EXPECT_EQ(rule.rows(), 326);
  EXPECT_EQ(rule.columns(), 525);
  // The remembered width counts for narrow models as well.
  const std::int64_t limit = (33 * 1048576 - 81) / (12 * 527 + 52) - 1 - 25;
  EXPECT_TRUE(rule.full_allowed(limit));
  EXPECT_FALSE(rule.full_allowed(limit + 1));
}

TEST(MatrixRule, MayGrowBySegmentsIfAVisitCouldGrowIt) {
  MatrixRule rule = MatrixRule::for_scan(100);
  EXPECT_FALSE(rule.may_grow(300));
  EXPECT_TRUE(rule.may_grow(301));
  rule.set_nodes(301);
  EXPECT_TRUE(rule.may_grow(1));
  // Too wide for the limit even without residues.
  rule.set_nodes(100'000);
  EXPECT_FALSE(rule.may_grow(1));
  EXPECT_FALSE(rule.may_grow(100'000));
  // Grow to as many rows as the limit allows.
  rule.set_nodes(300);
  while (rule.may_grow(1'000'000)) rule.visit(rule.rows() + 1);
  EXPECT_FALSE(rule.full_allowed(rule.rows() + 1));
  EXPECT_TRUE(rule.full_allowed(rule.rows()));
}

}  // namespace
}  // namespace gpuhmm
