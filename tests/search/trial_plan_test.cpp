// Tests the choice of samples, with runs whose time is computed.
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <vector>

#include "gpuhmm/run_plan.hpp"

namespace gpuhmm {
namespace {

constexpr double kSeconds = 10;
const RunSize kLarge{.profiles = 1000, .nodes = 200'000, .sequences = 500'000, .residues = 175e6};

using Clock = std::function<double(const RunSize&)>;

double steady(const RunSize& size) { return 0.05 + 5e-6 * size.nodes + 2e-10 * size.cells(); }

// All samples of a run; every run takes what `clock` says.
std::vector<RunTrial> trials_of(const RunSize& whole, const Clock& clock, const RunSize& least = {}) {
  TrialPlan plan(whole, kSeconds, least);
  while (const std::optional<RunSize> size = plan.next()) {
    RunTrial trial{*size, {}};
    trial.costs.seconds = clock(*size);
    plan.add(trial);
    if (plan.trials().size() > 50) break;
  }
  EXPECT_LE(plan.trials().size(), 50U);
  for (const RunTrial& trial : plan.trials()) {
    EXPECT_LE(trial.size.nodes, whole.nodes);
    EXPECT_LE(trial.size.residues, whole.residues);
    EXPECT_GE(trial.size.nodes, least.nodes);
  }
  return plan.trials();
}

TEST(TrialPlan, GrowsUntilTheTimeIsUsed) {
  const std::vector<RunTrial> trials = trials_of(kLarge, steady);
  ASSERT_GE(trials.size(), 3U);
  double seconds = 0;
  for (const RunTrial& trial : trials) seconds += trial.costs.seconds;
  EXPECT_GE(seconds, kSeconds / 2);
  EXPECT_LE(seconds, kSeconds + 1);
  for (std::size_t i = 1; i + 1 < trials.size(); ++i) {
    EXPECT_GT(trials[i].size.cells(), trials[i - 1].size.cells());
  }
  // The last one has the same profiles and a third of the residues.
  const RunSize& last = trials.back().size;
  const RunSize& largest = trials[trials.size() - 2].size;
  EXPECT_EQ(last.nodes, largest.nodes);
  EXPECT_DOUBLE_EQ(last.residues, largest.residues / 3);
}

TEST(TrialPlan, DoesAShortRunAsAWhole) {
  const RunSize few{.profiles = 10, .nodes = 1000, .sequences = 1000, .residues = 350'000};
  const std::vector<RunTrial> trials = trials_of(few, steady);
  ASSERT_EQ(trials.size(), 1U);
  EXPECT_EQ(trials[0].size, few);
  // A run of more cells, too, if the first samples tell that it is short.
  const RunSize fast{.profiles = 100, .nodes = 20'000, .sequences = 10'000, .residues = 3.5e6};
  const std::vector<RunTrial> some =
      trials_of(fast, [](const RunSize& size) { return 1e-11 * size.cells(); });
  EXPECT_EQ(some.back().size, fast);
}

TEST(TrialPlan, SamplesOneProfileBySequences) {
  const RunSize one{.profiles = 1, .nodes = 300, .sequences = 5e7, .residues = 175e8};
  const std::vector<RunTrial> trials = trials_of(one, steady);
  ASSERT_GE(trials.size(), 3U);
  for (const RunTrial& trial : trials) EXPECT_EQ(trial.size.nodes, one.nodes);
  EXPECT_DOUBLE_EQ(trials.back().size.residues, trials[trials.size() - 2].size.residues / 3);
}

TEST(TrialPlan, SamplesOneSequenceByProfiles) {
  const RunSize one{.profiles = 2e6, .nodes = 4e8, .sequences = 1, .residues = 350};
  const std::vector<RunTrial> trials = trials_of(one, steady);
  ASSERT_GE(trials.size(), 3U);
  for (const RunTrial& trial : trials) EXPECT_EQ(trial.size.residues, one.residues);
  EXPECT_DOUBLE_EQ(trials.back().size.nodes, trials[trials.size() - 2].size.nodes / 3);
}

TEST(TrialPlan, KeepsToTheLeastSample) {
  const std::vector<RunTrial> trials = trials_of(kLarge, steady, {.nodes = kLarge.nodes});
  for (const RunTrial& trial : trials) EXPECT_EQ(trial.size.nodes, kLarge.nodes);
  EXPECT_GE(trials.size(), 2U);
}

TEST(TrialPlan, EndsWhateverTheClockSays) {
  EXPECT_EQ(trials_of(kLarge, [](const RunSize&) { return 0.0; }).back().size, kLarge);
  EXPECT_GE(trials_of(kLarge, [](const RunSize&) { return 100.0; }).size(), 2U);
  int calls = 0;
  EXPECT_GE(trials_of(kLarge, [&](const RunSize& size) { return steady(size) / ++calls; }).size(), 2U);
  EXPECT_EQ(trials_of({}, [](const RunSize&) { return 0.0; }).size(), 1U);
}

}  // namespace
}  // namespace gpuhmm
