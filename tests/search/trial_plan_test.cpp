// Tests the choice of samples, with runs whose time is computed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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
std::vector<RunTrial> trials_of(const RunSize& whole, const Clock& clock, const RunSize& least = {},
                                double batch_residues = 0) {
  TrialPlan plan(whole, kSeconds, least);
  while (const std::optional<RunSize> size = plan.next()) {
    RunTrial trial{*size, {}, batch_residues};
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

double cells_of(const RunTrial& trial) { return trial.size.cells(); }

RunSize largest_of(const std::vector<RunTrial>& trials) {
  return std::ranges::max_element(trials, {}, cells_of)->size;
}

// How many samples tell the costs of profiles and of cells apart, beside the largest one: with as many nodes,
// or with as many residues.
std::ptrdiff_t contrasts_by(double RunSize::*same, const std::vector<RunTrial>& trials) {
  const RunSize largest = largest_of(trials);
  return std::ranges::count_if(trials, [&](const RunTrial& trial) {
    const double share = cells_of(trial) / largest.cells();
    return share >= 1.0 / 8 && share <= 0.5 && trial.size.*same == largest.*same;
  });
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
  EXPECT_EQ(contrasts_by(&RunSize::nodes, trials) + contrasts_by(&RunSize::residues, trials), 1);
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

TEST(TrialPlan, DoesARunThatFitsIntoTheTimeAsAWhole) {
  const RunSize fits{.profiles = 200, .nodes = 40'000, .sequences = 500'000, .residues = 2e8};
  const auto clock = [](const RunSize& size) { return 0.5 + 1e-12 * size.cells(); };  // 8.5 s
  EXPECT_EQ(trials_of(fits, clock).back().size, fits);
  const RunSize longer{.profiles = 200, .nodes = 40'000, .sequences = 650'000, .residues = 2.6e8};
  for (const RunTrial& trial : trials_of(longer, clock)) EXPECT_LT(trial.size.cells(), longer.cells());
}

TEST(TrialPlan, DoesNotTakeALongRunForOneThatFits) {
  // The second sample takes no longer than the first one, by chance; the whole takes 18 s.
  const RunSize whole{.profiles = 150, .nodes = 30'000, .sequences = 60'000, .residues = 2.1e7};
  int calls = 0;
  const auto clock = [&](const RunSize& size) {
    return 0.04 + 2.9e-11 * size.cells() + (++calls == 1 ? 0.02 : 0);
  };
  for (const RunTrial& trial : trials_of(whole, clock)) EXPECT_LT(trial.size.cells(), whole.cells());
}

TEST(TrialPlan, SamplesWholeBatchesOfManyProfiles) {
  const RunSize whole{.profiles = 2000, .nodes = 400'000, .sequences = 1e6, .residues = 3.5e8};
  const auto clock = [](const RunSize& size) { return 0.5 + 5e-7 * size.nodes + 5e-13 * size.cells(); };
  const std::vector<RunTrial> trials = trials_of(whole, clock, {}, 6.5e7);
  EXPECT_GE(largest_of(trials).residues, 6.5e7);
  EXPECT_GE(largest_of(trials).nodes, 100'000);
  // Where it would leave few profiles a sample has fewer sequences.
  const auto slow = [](const RunSize& size) { return 0.5 + 5e-11 * size.cells(); };
  const std::vector<RunTrial> few = trials_of(whole, slow, {}, 6.5e7);
  EXPECT_LT(largest_of(few).residues, 6.5e7);
  EXPECT_GE(largest_of(few).nodes, 50'000);
}

TEST(TrialPlan, TakesASampleForTheContrastThatItHas) {
  // Each sample grows sixteenfold at most; one tells that a larger one is twice as fast for its size.
  const RunSize whole{.profiles = 10, .nodes = 2000, .sequences = 1e8, .residues = 3.5e10};
  const auto clock = [](const RunSize& size) { return 1e-5 * std::pow(size.cells(), 0.55); };
  const std::vector<RunTrial> trials = trials_of(whole, clock);
  EXPECT_EQ(contrasts_by(&RunSize::nodes, trials), 1);
  EXPECT_EQ(trials.back().size, largest_of(trials));
}

TEST(TrialPlan, TakesTheSameProfilesForTheContrast) {
  // The samples that come have other sizes than those wanted, and tell how many profiles they have.
  TrialPlan plan(kLarge, kSeconds);
  std::vector<RunSize> wanted;
  while (const std::optional<RunSize> size = plan.next()) {
    wanted.push_back(*size);
    RunSize come = *size;
    if (come.profiles == 0) come.profiles = std::round(come.nodes / 210);
    come.nodes = 200 * come.profiles;
    plan.add({come, {.seconds = 0.05 + 3e-12 * come.cells()}});
    ASSERT_LT(wanted.size(), 50U);
  }
  ASSERT_GE(wanted.size(), 3U);
  const RunSize before = plan.trials()[wanted.size() - 2].size;
  EXPECT_EQ(wanted.back().profiles, before.profiles);
  EXPECT_EQ(wanted.back().sequences, 0);
  EXPECT_DOUBLE_EQ(wanted.back().residues, before.residues / 3);
}

TEST(TrialPlan, SamplesOneProfileBySequences) {
  const RunSize one{.profiles = 1, .nodes = 300, .sequences = 5e7, .residues = 175e8};
  const std::vector<RunTrial> trials = trials_of(one, steady);
  ASSERT_GE(trials.size(), 3U);
  for (const RunTrial& trial : trials) EXPECT_EQ(trial.size.nodes, one.nodes);
  EXPECT_GE(contrasts_by(&RunSize::nodes, trials), 1);
}

TEST(TrialPlan, SamplesOneSequenceByProfiles) {
  const RunSize one{.profiles = 2e6, .nodes = 4e8, .sequences = 1, .residues = 350};
  const std::vector<RunTrial> trials = trials_of(one, steady);
  ASSERT_GE(trials.size(), 3U);
  for (const RunTrial& trial : trials) EXPECT_EQ(trial.size.residues, one.residues);
  EXPECT_GE(contrasts_by(&RunSize::residues, trials), 1);
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
