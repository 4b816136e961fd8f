// Full-matrix Viterbi and its traceback: properties for random models, and choices among ties.
#include "plan7/viterbi_matrix.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "plan7/random_models.hpp"
#include "plan7/trace_score.hpp"
#include "plan7/viterbi.hpp"

namespace gpuhmm {
namespace {

using test::ModelStyle;
using test::Random;
using test::wingless_profile;

constexpr ModelStyle kStyles[] = {{1, 0, true, false},     {1, 0.1, true, false},    {1000, 0, true, false},
                                  {1000, 0.1, true, true}, {1000, 0.4, true, false}, {1, 0.9, true, false},
                                  {1, 0.1, false, false},  {500, 0.05, true, true}};

// Expects every residue once and in order, and nodes ascending within a domain.
void expect_well_formed(const Trace& trace, std::size_t length, int nodes) {
  ASSERT_GE(trace.size(), 7U);
  EXPECT_EQ(trace.front(), (TraceStep{State::S}));
  EXPECT_EQ(trace.back(), (TraceStep{State::T}));
  std::int32_t position = 0;
  for (std::size_t t = 0; t < trace.size(); ++t) {
    const TraceStep& step = trace[t];
    if (step.position != 0) {
      ASSERT_EQ(step.position, ++position);
    }
    const bool core = step.state == State::M || step.state == State::D || step.state == State::I;
    ASSERT_EQ(step.node != 0, core);
    ASSERT_LE(step.node, nodes);
    if (step.state == State::M || step.state == State::I) {
      ASSERT_NE(step.position, 0);
    }
    // N, C and J emit on their loops only.
    if (step.state == State::N || step.state == State::C || step.state == State::J) {
      ASSERT_EQ(step.position != 0, trace[t - 1].state == step.state);
    }
  }
  EXPECT_EQ(static_cast<std::size_t>(position), length);
}

TEST(ViterbiMatrix, ScoreIsThatOfTheReferenceAndPathHasIt) {
  Random random(2);
  ViterbiMatrix matrix;
  int with_path = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const ModelStyle& style = kStyles[trial % std::size(kStyles)];
    const int nodes = trial % 50 == 0 ? random.integer(61, 400) : random.integer(1, 60);
    const ScoreModel model = random_model(random, nodes, style);
    const auto residues = random.sequence(model.alphabet, random.integer(0, trial % 10 == 0 ? 200 : 40));
    const std::int32_t score = matrix.fill(model, residues);
    ASSERT_EQ(score, viterbi_score(model, residues)) << "nodes " << nodes << ", trial " << trial;
    const Profile profile = wingless_profile(model);
    // Cells without a path drift around minus infinity, so that a path may seem to exist; such scores are not
    // compared.
    if (score < kMinusInfinity / 2) continue;
    const auto trace = matrix.traceback(model, profile, residues);
    ASSERT_TRUE(trace.has_value()) << score;
    ++with_path;
    expect_well_formed(*trace, residues.size(), nodes);
    ASSERT_EQ(trace_score(model, profile, residues, *trace), score) << "trial " << trial;
  }
  EXPECT_GT(with_path, 1500);
}

// Compares each cell with the recurrence in 64 bits.
TEST(ViterbiMatrix, CellsAreThoseOfTheRecurrence) {
  Random random(3);
  for (int trial = 0; trial < 60; ++trial) {
    const ScoreModel model = random_model(random, random.integer(1, 40), {1, trial % 2 ? 0.5 : 0.0});
    const auto residues = random.sequence(model.alphabet, random.integer(1, 20));
    ViterbiMatrix matrix;
    matrix.fill(model, residues);
    const auto floored = [](std::int64_t v) { return std::max<std::int64_t>(v, kMinusInfinity); };
    for (int i = 1; i <= static_cast<int>(residues.size()); ++i) {
      const auto sum = [](std::int64_t a, std::int64_t b) { return a + b; };
      for (int k = 1; k <= model.nodes; ++k) {
        const std::int64_t into = std::max({sum(matrix.match(i - 1, k - 1), model.mm[k - 1]),
                                            sum(matrix.insert(i - 1, k - 1), model.im[k - 1]),
                                            sum(matrix.del(i - 1, k - 1), model.dm[k - 1]),
                                            sum(matrix.special(i - 1).b, model.begin[k])});
        ASSERT_EQ(matrix.match(i, k), floored(into + model.match_row(residues[i - 1])[k]));
        ASSERT_EQ(matrix.del(i, k), floored(std::max(sum(matrix.match(i, k - 1), model.md[k - 1]),
                                                     sum(matrix.del(i, k - 1), model.dd[k - 1]))));
        if (k == model.nodes) continue;
        ASSERT_EQ(matrix.insert(i, k), floored(std::max(sum(matrix.match(i - 1, k), model.mi[k]),
                                                        sum(matrix.insert(i - 1, k), model.ii[k])) +
                                               model.insert_row(residues[i - 1])[k]));
      }
    }
  }
}

// A model in which every transition and emission is free, so that only the choices among ties decide.
ScoreModel free_model(int nodes) {
  ScoreModel model(AlphabetKind::Amino, nodes);
  for (auto* row : {&model.mm, &model.mi, &model.md, &model.im, &model.ii, &model.dm, &model.dd}) {
    std::fill(row->begin() + 1, row->end() - 1, 0);
  }
  std::fill(model.begin.begin() + 1, model.begin.end(), 0);
  std::fill(model.end.begin() + 1, model.end.end(), 0);
  std::fill(model.match.begin(), model.match.end(), 0);
  std::fill(model.insert.begin(), model.insert.end(), 0);
  for (auto* s : {&model.n_begin, &model.n_loop, &model.e_to_c, &model.e_to_j, &model.c_end, &model.c_loop,
                  &model.j_begin, &model.j_loop}) {
    *s = 0;
  }
  return model;
}

Trace path_of(const ScoreModel& model, std::size_t length) {
  const std::vector<std::uint8_t> residues(length, 0);
  ViterbiMatrix matrix;
  matrix.fill(model, residues);
  return matrix.traceback(model, wingless_profile(model), residues).value();
}

constexpr TraceStep m(int node, int position) { return {State::M, node, position}; }
constexpr TraceStep i(int node, int position) { return {State::I, node, position}; }
constexpr TraceStep d(int node) { return {State::D, node}; }
constexpr TraceStep c(int position = 0) { return {State::C, 0, position}; }
constexpr TraceStep S{State::S}, N{State::N}, B{State::B}, E{State::E}, T{State::T};

TEST(ViterbiMatrix, PrefersLoopsAndTheLargestExitNodeAndBegin) {
  EXPECT_EQ(path_of(free_model(3), 3), (Trace{S, N, B, m(3, 1), E, c(), c(2), c(3), T}));
}

TEST(ViterbiMatrix, PrefersMatchToInsertToDelete) {
  ScoreModel model = free_model(3);
  model.begin[2] = model.begin[3] = kMinusInfinity;
  model.end[1] = model.end[2] = kMinusInfinity;
  model.c_loop = model.n_loop = model.e_to_j = kMinusInfinity;
  // Three residues, M1 .. M3: M2 explains M3, before I2 and D2 are tried.
  EXPECT_EQ(path_of(model, 3), (Trace{S, N, B, m(1, 1), m(2, 2), m(3, 3), E, c(), T}));
  // Four residues: M3 from M2, and M2 from the unavoidable insert.
  EXPECT_EQ(path_of(model, 4), (Trace{S, N, B, m(1, 1), i(1, 2), m(2, 3), m(3, 4), E, c(), T}));
  // Two residues: a delete is needed.
  EXPECT_EQ(path_of(model, 2), (Trace{S, N, B, m(1, 1), d(2), m(3, 2), E, c(), T}));
  // Insert before delete: with M2 -> M3 closed, I2 explains M3 (path M1 M2 I2 M3), as does D2 (M1 I1 ..
  // cannot).
  model.mm[2] = kMinusInfinity;
  EXPECT_EQ(path_of(model, 4), (Trace{S, N, B, m(1, 1), m(2, 2), i(2, 3), m(3, 4), E, c(), T}));
}

TEST(ViterbiMatrix, ShowsDeleteWingsThatGainOneBit) {
  ScoreModel model = free_model(4);
  std::fill(model.begin.begin() + 1, model.begin.end(), kMinusInfinity);
  std::fill(model.end.begin() + 1, model.end.end(), kMinusInfinity);
  model.begin[3] = -3000;
  model.end[3] = -3000;
  Profile profile = wingless_profile(model);
  const std::vector<std::uint8_t> residues(1, 0);
  ViterbiMatrix matrix;
  ASSERT_EQ(matrix.fill(model, residues), -6000);
  const auto path = [&] { return matrix.traceback(model, profile, residues).value(); };
  EXPECT_EQ(path(), (Trace{S, N, B, m(3, 1), E, c(), T}));
  profile.begin[3] = profile.end[3] = 0.0625F;  // -4000: exactly one bit
  EXPECT_EQ(path(), (Trace{S, N, B, d(1), d(2), m(3, 1), d(4), E, c(), T}));
  profile.begin[3] = profile.end[3] = 0.0626F;
  EXPECT_EQ(path(), (Trace{S, N, B, m(3, 1), E, c(), T}));
  profile.begin[3] = profile.end[3] = 0;
  EXPECT_EQ(path(), (Trace{S, N, B, d(1), d(2), m(3, 1), d(4), E, c(), T}));
}

TEST(ViterbiMatrix, EmptySequenceHasNoPath) {
  const ScoreModel model = free_model(2);
  ViterbiMatrix matrix;
  EXPECT_LE(matrix.fill(model, {}), kMinusInfinity);
  EXPECT_FALSE(matrix.traceback(model, wingless_profile(model), {}).has_value());
}

TEST(TraceScore, SplitsDomainsIntoSingleHits) {
  const Trace trace{S, N, B, m(1, 1), E, {State::J}, {State::J, 0, 2}, B, d(1), m(2, 3), E, c(), c(4), T};
  const auto domains = split_domains(trace);
  ASSERT_EQ(domains.size(), 2U);
  EXPECT_EQ(domains[0], (Trace{S, N, B, m(1, 1), E, c(), T}));
  EXPECT_EQ(domains[1], (Trace{S, N, B, d(1), m(2, 3), E, c(), T}));
}

TEST(TraceScore, ImpossibleStepsAreRefused) {
  const ScoreModel model = free_model(2);
  const std::vector<std::uint8_t> residues(1, 0);
  EXPECT_THROW(trace_score(model, wingless_profile(model), residues, {S, B}), std::invalid_argument);
  EXPECT_THROW(split_domains({S, N, B, m(1, 1), T}), std::invalid_argument);
}

}  // namespace
}  // namespace gpuhmm
