// Compares grid alignment with the plain full matrix: same scores and same paths for all kinds of models, on
// every instruction set, however sequences are batched.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "align/batch_aligner.hpp"
#include "align/grid_aligner.hpp"
#include "align/random_cases.hpp"
#include "align/vector_sets.hpp"
#include "filter/random_models.hpp"
#include "plan7/random_models.hpp"
#include "plan7/score_model.hpp"
#include "simd/instruction_set.hpp"

namespace gpuhmm {
namespace {

using test::Random;
using test::wingless_profile;
using testing::Generator;

class EveryInstructionSet : public test::WithInstructionSet {};
// Only instruction sets with vectors, which the sweep needs.
class EveryVectorSet : public EveryInstructionSet {};

INSTANTIATE_TEST_SUITE_P(Alignment, EveryInstructionSet, ::testing::ValuesIn(simd::instruction_sets()),
                         test::name_of_set);
INSTANTIATE_TEST_SUITE_P(Alignment, EveryVectorSet, ::testing::ValuesIn(test::vector_sets()),
                         test::name_of_set);

// The result of aligning one sequence; `failed` if no predecessor explains a cell.
struct Outcome {
  std::int32_t score = 0;
  std::optional<Trace> trace;
  bool failed = false;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome outcome_of(FullAligner& aligner, std::span<const std::uint8_t> residues) {
  Outcome outcome;
  outcome.score = aligner.score(residues);
  try {
    outcome.trace = aligner.trace();
  } catch (const std::runtime_error&) {
    outcome.failed = true;
  }
  return outcome;
}

// Aligners of both kinds for one model, which must outlive this, as must the profile.
class Comparison {
 public:
  Comparison(const ScoreModel& model, const Profile& profile)
      : grid_model_(model), by_matrix_(model, profile, matrix_), by_grid_(grid_model_, profile) {}

  // True if the sweep was used.
  bool compare(std::span<const std::uint8_t> residues) {
    EXPECT_EQ(outcome_of(by_grid_, residues), outcome_of(by_matrix_, residues));
    return by_grid_.by_sweep();
  }

 private:
  ViterbiMatrix matrix_;
  grid::GridModel grid_model_;
  MatrixAligner by_matrix_;
  grid::GridAligner by_grid_;
};

// Random emissions, transitions, begins and ends; many ties with a step of 1000.
TEST_P(EveryVectorSet, RandomScoresGiveThePathsOfTheMatrix) {
  constexpr test::ModelStyle kStyles[] = {
      {1, 0, true, false},      {1, 0.1, true, false}, {1000, 0, true, false},    {1000, 0.1, true, true},
      {1000, 0.4, true, false}, {1, 0.9, true, false}, {1000, 0.1, false, false}, {2000, 0.02, true, true}};
  Random random(21);
  int swept = 0;
  for (int trial = 0; trial < 8000; ++trial) {
    const int nodes = trial % 40 == 0 ? random.integer(61, 600) : random.integer(1, 60);
    const ScoreModel model = random_model(random, nodes, kStyles[trial % std::size(kStyles)]);
    const Profile profile = wingless_profile(model);
    const auto residues = random.sequence(model.alphabet, random.integer(0, trial % 10 == 0 ? 300 : 50));
    swept += Comparison(model, profile).compare(residues);
    ASSERT_FALSE(HasFailure()) << "trial " << trial << ", nodes " << nodes << ", length " << residues.size();
  }
  EXPECT_GT(swept, 4000);
}

// Models of HMMER's four styles with sequences that have many domains.
TEST_P(EveryVectorSet, RepeatsGiveThePathsOfTheMatrix) {
  Generator rng(22);
  int swept = 0;
  int tried = 0;
  for (int trial = 0; trial < 960; ++trial) {
    const ScoreModel model = test::model_of_any_style(rng, trial);
    const Profile profile = wingless_profile(model);
    Comparison comparison(model, profile);
    const SequenceBatch batch = testing::random_batch(rng, model, 8, 1, 600);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      swept += comparison.compare(batch.residues(i));
      ++tried;
      ASSERT_FALSE(HasFailure()) << "trial " << trial << ", nodes " << model.nodes << ", sequence " << i;
    }
  }
  EXPECT_GT(swept, tried / 2);
}

// Profiles like those of hmmbuild, with delete wings.
TEST_P(EveryVectorSet, ProfilesShowTheSameWings) {
  Random random(23);
  constexpr test::Style kStyles[] = {test::Style::GlocalMultihit, test::Style::LocalMultihit,
                                     test::Style::GlocalSingle, test::Style::LocalSingle};
  for (int trial = 0; trial < 60; ++trial) {
    const Profile profile = random_profile(random, random.integer(1, 120), kStyles[trial % 4]);
    const ScoreModel model(profile);
    Comparison comparison(model, profile);
    for (int s = 0; s < 6; ++s) {
      EXPECT_TRUE(comparison.compare(random.sequence(model.alphabet, random.integer(1, 250))));
      ASSERT_FALSE(HasFailure()) << "trial " << trial;
    }
  }
}

// Every cell that a path can use is that of the matrix, read in random order.
TEST_P(EveryVectorSet, TilesHoldTheCellsOfTheMatrix) {
  Random random(24);
  for (const int nodes : {1, 7, 8, 9, 40, 67}) {
    const ScoreModel model = random_model(random, nodes, {1, 0, true, false});
    const auto residues = random.sequence(model.alphabet, random.integer(1, 70));
    const grid::GridModel grid_model(model);
    grid::Track track;
    track.residues = residues;
    grid::sweep(grid_model, std::array{&track});
    ASSERT_TRUE(grid_model.proves(track.score, residues.size()));
    grid::TileSpace space;
    grid::TileCells cells(grid_model, track, space);
    ViterbiMatrix matrix;
    matrix.fill(model, residues);
    const auto expect_same = [](std::int32_t cell, std::int32_t expected) {
      if (expected > kMinusInfinity / 2) {
        EXPECT_EQ(cell, expected);
      } else {
        EXPECT_LT(cell, -kImpossible / 2);
      }
    };
    for (int read = 0; read < 20'000 && !HasFailure(); ++read) {
      const int i = random.integer(0, static_cast<int>(residues.size()));
      const int k = random.integer(0, nodes);
      expect_same(cells.match(i, k), matrix.match(i, k));
      if (k < nodes) expect_same(cells.insert(i, k), matrix.insert(i, k));
      expect_same(cells.del(i, k), matrix.del(i, k));
      if (matrix.special(i).e > kMinusInfinity / 2) {
        EXPECT_EQ(cells.special(i).e, matrix.special(i).e);
        EXPECT_EQ(cells.exit_node(model, i), matrix.exit_node(model, i));
      }
    }
    ASSERT_FALSE(HasFailure()) << "nodes " << nodes;
  }
}

// Scores that cannot be proven come from the matrix: a path that loses more than the range allows, and one
// that must use an impossible step.
TEST_P(EveryVectorSet, ScoresNearMinusInfinityComeFromTheMatrix) {
  Random random(25);
  ScoreModel model = random_model(random, 5, {1, 0, true, false});
  const auto residues = random.sequence(model.alphabet, 30);
  model.n_begin = -300'000'000;
  const Profile profile = wingless_profile(model);
  EXPECT_FALSE(Comparison(model, profile).compare(residues));
  model.n_begin = kMinusInfinity;
  EXPECT_FALSE(Comparison(model, profile).compare(residues));
}

std::vector<AlignedSequence> results_of(const Profile& profile, const ScoreModel& model,
                                        const std::vector<AlignmentTask>& tasks, unsigned threads) {
  std::vector<AlignedSequence> results(tasks.size());
  std::vector<int> taken(tasks.size());
  std::mutex mutex;
  align_batch(profile, model, tasks, threads, [&](std::size_t t, AlignedSequence&& aligned) {
    const std::lock_guard lock(mutex);
    results[t] = std::move(aligned);
    ++taken[t];
  });
  EXPECT_EQ(taken, std::vector<int>(tasks.size(), 1));
  return results;
}

// Tasks with and without the full matrix, together and alone.
TEST_P(EveryInstructionSet, BatchesGiveWhatAlignGives) {
  Generator rng(26);
  for (const auto style : testing::kAllStyles) {
    testing::RandomModelOptions options;
    options.nodes = 37;
    options.style = style;
    options.coarse = true;
    const ScoreModel model = testing::random_model(rng, options);
    const Profile profile = wingless_profile(model);
    const SequenceBatch batch = testing::random_batch(rng, model, 61, 0, 400);
    // Full matrices for up to about 100 rows of a matrix this wide; or for all.
    const MatrixRule narrow(model.nodes, 1, 25, 34'600'000 / (12 * 125));
    std::vector<AlignmentTask> tasks;
    std::vector<AlignedSequence> expected;
    int segmented = 0;
    int untraced = 0;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      AlignmentTask task{batch.residues(i), i % 3 == 0 ? narrow : MatrixRule(model.nodes)};
      segmented += !task.rule.full_allowed(static_cast<std::int64_t>(batch.length(i)));
      MatrixRule rule = task.rule;
      expected.push_back(align(model, profile, task.residues, rule));
      if (i % 5 == 0) task.lowest_traced = expected.back().score + static_cast<int>(i % 2);
      if (expected.back().score < task.lowest_traced) {
        expected.back().trace.reset();
        ++untraced;
      }
      tasks.push_back(task);
    }
    EXPECT_GT(segmented, 5);
    EXPECT_GT(untraced, 3);
    for (const unsigned threads : {1U, 3U}) {
      const auto results = results_of(profile, model, tasks, threads);
      for (std::size_t i = 0; i < tasks.size(); ++i) {
        ASSERT_EQ(results[i].score, expected[i].score) << i;
        ASSERT_EQ(results[i].trace, expected[i].trace) << i;
      }
    }
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const auto alone = results_of(profile, model, {tasks[i]}, 1);
      ASSERT_EQ(alone[0].trace, expected[i].trace) << i;
    }
  }
  EXPECT_TRUE(results_of({}, ScoreModel(AlphabetKind::Amino, 1), {}, 2).empty());
}

TEST(AlignBatch, EndsSoonWhenTheTakerFails) {
  const ScoreModel model(AlphabetKind::Amino, 3);
  const std::vector<std::uint8_t> residues(5, 0);
  const std::vector<AlignmentTask> tasks(1000, {residues, MatrixRule(3)});
  constexpr unsigned kThreads = 4;
  std::atomic<int> taken = 0;
  const AlignmentTaker take = [&](std::size_t, AlignedSequence&&) {
    if (++taken == 10) throw std::runtime_error("full");
    if (taken > 10) std::this_thread::sleep_for(std::chrono::milliseconds(20));  // until that is known
  };
  EXPECT_THROW(align_batch(wingless_profile(model), model, tasks, kThreads, take), std::runtime_error);
  EXPECT_LT(taken, 100);
}

}  // namespace
}  // namespace gpuhmm
