// Tests what is extrapolated from samples: costs that are known come out again.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "gpuhmm/run_plan.hpp"

namespace gpuhmm {
namespace {

constexpr RunLoops kOnePass{ReportKind::Search, 0, 0, 0};
constexpr ReadingBeside kNoReading{0, 2, 2};

// The costs of a run of each kind.
struct Rates {
  double fixed = 0, node = 0, cell = 0, hit = 0;
};

RunSize size_of(double profiles, double sequences) {
  return {.profiles = profiles, .nodes = 200 * profiles, .sequences = sequences, .residues = 350 * sequences};
}

RunTrial trial_of(const RunSize& size, const Rates& rates, const RunLoops& loops = kOnePass) {
  RunCosts costs;
  costs.seconds =
      rates.fixed + rates.node * size.nodes * loops.profile_passes(size) + rates.cell * size.cells();
  costs.processor_seconds = 2 * costs.seconds;
  costs.hits = rates.hit * size.cells();
  return {size, costs};
}

// A small sample, a large one, and one with fewer sequences.
std::vector<RunTrial> three_trials(const Rates& rates, const RunLoops& loops = kOnePass) {
  return {trial_of(size_of(4, 100), rates, loops), trial_of(size_of(40, 6000), rates, loops),
          trial_of(size_of(40, 2000), rates, loops)};
}

TEST(Forecast, GivesBackFixedProfileAndCellCosts) {
  const RunSize whole = size_of(1000, 500'000);
  for (const Rates rates : {Rates{0.3, 0, 2e-10, 0}, Rates{0, 5e-5, 2e-10, 0}, Rates{0.2, 5e-5, 0, 0},
                            Rates{0.3, 5e-5, 2e-10, 0}}) {
    const Forecast result = forecast(whole, kOnePass, three_trials(rates), kNoReading);
    const RunCosts expected = trial_of(whole, rates).costs;
    EXPECT_NEAR(result.costs.seconds, expected.seconds, 1e-6 * expected.seconds);
    EXPECT_NEAR(result.costs.processor_seconds, expected.processor_seconds,
                1e-6 * expected.processor_seconds);
    EXPECT_NEAR(result.start, rates.fixed, 1e-6);
    EXPECT_NEAR(result.profiles, rates.node * whole.nodes, 1e-6 * (1 + rates.node * whole.nodes));
    EXPECT_DOUBLE_EQ(result.measured, size_of(40, 6000).cells() / whole.cells());
  }
}

TEST(Forecast, CountsThePassesOfAScan) {
  const RunLoops loops{ReportKind::Scan, 1e6, 0, 0};
  const Rates rates{0.1, 5e-5, 2e-10, 0};
  const RunSize whole = size_of(1000, 100'000);
  EXPECT_EQ(loops.batches(whole), 35);
  EXPECT_EQ(loops.profile_passes(whole), 35);
  const Forecast result = forecast(whole, loops, three_trials(rates, loops), kNoReading);
  EXPECT_NEAR(result.costs.seconds, trial_of(whole, rates, loops).costs.seconds, 1e-3);
}

TEST(Forecast, KnowsTheLargestBatch) {
  EXPECT_EQ((RunLoops{ReportKind::Search, 0, 0, 0}.largest_batch(size_of(1, 1000))), 350e3);
  EXPECT_EQ((RunLoops{ReportKind::Search, 1e5, 0, 0}.largest_batch(size_of(1, 1000))), 1e5);
  EXPECT_EQ((RunLoops{ReportKind::Search, 1e9, 0, 0}.largest_batch(size_of(1, 1000))), 350e3);
  EXPECT_EQ((RunLoops{ReportKind::Search, 1e5, 200, 0}.largest_batch(size_of(1, 1000))), 350 * 200);
  EXPECT_EQ((RunLoops{ReportKind::Search, 1e5, 200, 0}.largest_batch(size_of(1, 100))), 350 * 100);
}

TEST(Forecast, CountsHitsByCells) {
  const RunSize whole = size_of(1000, 500'000);
  const Rates rates{0.1, 0, 1e-10, 1e-7};
  const Forecast result = forecast(whole, kOnePass, three_trials(rates), kNoReading);
  EXPECT_NEAR(result.costs.hits, 1e-7 * whole.cells(), 1e-3);
  const Forecast none = forecast(whole, kOnePass, three_trials({0.1, 0, 1e-10, 0}), kNoReading);
  EXPECT_EQ(none.costs.hits, 0);
}

TEST(Forecast, OfAWholeThatWasRunIsWhatItTook) {
  const RunSize whole = size_of(40, 6000);
  std::vector<RunTrial> trials = three_trials({0.3, 5e-5, 2e-10, 1e-7});
  trials[1].costs.seconds = 7;  // not in line with the others
  trials[1].costs.host_bytes = 5e6;
  const Forecast result = forecast(whole, kOnePass, trials, {100, 2, 2});
  EXPECT_EQ(result.costs.seconds, 7);
  EXPECT_EQ(result.costs.host_bytes, 5e6);
  EXPECT_EQ(result.measured, 1);
}

TEST(Forecast, OfOneTrialScalesItByItsCells) {
  const RunTrial only = trial_of(size_of(1, 1000), {0, 0, 1e-9, 0});
  const Forecast result = forecast(size_of(1, 5000), kOnePass, std::vector{only}, kNoReading);
  EXPECT_NEAR(result.costs.seconds, 5 * only.costs.seconds, 1e-9);
}

TEST(Forecast, OfNoCostsIsZero) {
  const Forecast result = forecast(size_of(1000, 500'000), kOnePass, three_trials({}), kNoReading);
  EXPECT_EQ(result.costs.seconds, 0);
  EXPECT_EQ(result.costs.host_bytes, 0);
  const Forecast empty = forecast({}, kOnePass, std::vector{RunTrial{}}, kNoReading);
  EXPECT_EQ(empty.costs.seconds, 0);
  EXPECT_TRUE(std::isfinite(empty.measured));
}

TEST(Forecast, IsNeverLessThanNoise) {
  // A sample that took longer than a larger one gives no negative costs.
  std::vector<RunTrial> trials = three_trials({0.3, 0, 2e-10, 0});
  trials[0].costs.seconds = 2 * trials[1].costs.seconds;
  const Forecast result = forecast(size_of(1000, 500'000), kOnePass, trials, kNoReading);
  EXPECT_GE(result.start, 0);
  EXPECT_GE(result.profiles, 0);
  EXPECT_GE(result.costs.seconds, trials[2].costs.seconds);
}

TEST(Forecast, AddsTheReadingThatSamplesDoWithout) {
  const RunSize whole = size_of(40, 600'000);
  const RunLoops loops{ReportKind::Search, 1e6, 0, 0};  // 210 batches
  const std::vector<RunTrial> trials = three_trials({0.1, 0, 1e-9, 0});
  const double computing = forecast(whole, loops, trials, kNoReading).costs.seconds;
  const Forecast beside = forecast(whole, loops, trials, {21, 4, 2});
  EXPECT_NEAR(beside.costs.seconds, computing + 0.1, 1e-6);  // the first batch only
  const Forecast shared = forecast(whole, loops, trials, {21, 2, 2});
  EXPECT_NEAR(shared.costs.seconds, computing + 0.1 + 20.9 / 2, 1e-6);
  EXPECT_EQ(forecast(whole, loops, trials, {1e6, 4, 2}).costs.seconds, 1e6);
}

// A run on a device: a second for each of the first blocks until all of its stages work at the same time;
// then it takes the most of 8 threads (3e-12 processor seconds a cell) and the device (`device` seconds a
// cell).
RunTrial pipelined(const RunSize& size, double device) {
  RunTrial trial{size, {}};
  const double each = std::max(3e-12 / 8, device);
  trial.costs.seconds = 0.5 + each * size.cells() + 2 * (1 - std::exp(-size.cells() / 1e12));
  trial.costs.processor_seconds = 0.5 + 3e-12 * size.cells() + 1e-8 * size.residues;
  trial.costs.device = device * size.cells();
  trial.costs.read = 1e-8 * size.residues;
  return trial;
}

TEST(Forecast, OfLongRunsOnDevicesIsTheBusiestResource) {
  const RunSize whole{.profiles = 160, .nodes = 32'000, .sequences = 2e6, .residues = 7e8};
  const RunLoops loops{ReportKind::Search, 6e7, 0, 0};
  for (const double device : {1e-13, 6e-13}) {
    std::vector<RunTrial> trials;
    for (const double residues : {5e5, 9e7, 3e7}) {
      trials.push_back(pipelined({whole.profiles, whole.nodes, residues / 350, residues}, device));
    }
    const double expected = pipelined(whole, device).costs.seconds;
    const ReadingBeside reading{0.5, 8, 8};
    const Forecast result = forecast(whole, loops, trials, reading);
    EXPECT_NEAR(result.costs.seconds, expected, 0.05 * expected) << device;
    EXPECT_NEAR(result.costs.processor_seconds, 0.5 + 0.5 + 3e-12 * whole.cells(), 0.1);
    EXPECT_NEAR(result.costs.device, device * whole.cells(), 1e-6);
    // Without the times of devices it would be much longer.
    for (RunTrial& trial : trials) trial.costs.device = 0;
    EXPECT_GT(forecast(whole, loops, trials, reading).costs.seconds, 1.3 * expected) << device;
  }
}

TEST(Forecast, OfRunsOnDevicesIsNotLongerThanSamplesTell) {
  // Of a small sample the device computes for longer than the run takes (two of its streams at a time).
  const RunSize whole = size_of(1000, 500'000);
  std::vector<RunTrial> trials = three_trials({0.3, 0, 2e-10, 0});
  for (RunTrial& trial : trials) trial.costs.device = 2 * trial.costs.seconds;
  const double expected = trial_of(whole, {0.3, 0, 2e-10, 0}).costs.seconds;
  EXPECT_NEAR(forecast(whole, kOnePass, trials, kNoReading).costs.seconds, expected, 1e-3 * expected);
}

TEST(Forecast, HoldsTwoBatchesInMemory) {
  const RunLoops loops{ReportKind::Search, 1e6, 0, 20'000};
  std::vector<RunTrial> trials;
  for (const RunSize size : {size_of(4, 100), size_of(40, 2000), size_of(80, 2000)}) {
    RunTrial trial{size, {}};
    trial.costs.host_bytes = 1e7 + 3 * size.residues + 1e3 * size.nodes;
    trial.costs.device_bytes = 1e6 + 5 * size.residues;
    trials.push_back(trial);
  }
  const RunSize whole{.profiles = 1000, .nodes = 200'000, .sequences = 1e5, .residues = 35e6};
  const Forecast result = forecast(whole, loops, trials, kNoReading);
  EXPECT_NEAR(result.costs.host_bytes, 1e7 + 3 * 2e6 + 1e3 * 20'000, 1e3);
  EXPECT_NEAR(result.costs.device_bytes, 1e6 + 5 * 2e6, 1e3);
  EXPECT_EQ(loops.sequence_passes(whole), 10);
  // A scan's devices have one.
  const RunLoops scan{ReportKind::Scan, 1e6, 0, 20'000};
  EXPECT_NEAR(forecast(whole, scan, trials, kNoReading).costs.device_bytes, 1e6 + 5 * 1e6, 1e3);
}

TEST(Forecast, GrowsInMemoryBeyondABatchButNotForEver) {
  const RunLoops loops{ReportKind::Search, 1e6, 0, 0};
  std::vector<RunTrial> trials;
  for (const double sequences : {100.0, 4000.0, 16'000.0}) {
    RunTrial trial{size_of(40, sequences), {}};
    trial.costs.host_bytes = 1e6 * std::sqrt(trial.size.residues);
    trials.push_back(trial);
  }
  const auto bytes_of = [&](double sequences) {
    return forecast(size_of(40, sequences), loops, trials, kNoReading).costs.host_bytes;
  };
  EXPECT_NEAR(bytes_of(64'000), 2 * trials.back().costs.host_bytes, 1e3);
  EXPECT_NEAR(bytes_of(1e9), std::sqrt(8) * trials.back().costs.host_bytes, 1e3);
}

TEST(Forecast, HoldsTheHitsOfABatchOfAScan) {
  const RunLoops loops{ReportKind::Scan, 1e6, 0, 0};
  std::vector<RunTrial> trials;
  for (const RunSize size : {size_of(4, 100), size_of(40, 2000), size_of(20, 2000), size_of(40, 1000)}) {
    RunTrial trial{size, {}};
    trial.costs.hits = 1e-6 * size.cells();
    trial.costs.host_bytes = 1e7 + 3 * size.residues + 1e4 * trial.costs.hits;
    trials.push_back(trial);
  }
  const RunSize whole = size_of(400, 1e6 / 350 * 10);
  const Forecast result = forecast(whole, loops, trials, kNoReading);
  EXPECT_NEAR(result.costs.host_bytes, 1e7 + 3 * 2e6 + 1e4 * 1e-6 * whole.cells() / 10, 1e5);
}

}  // namespace
}  // namespace gpuhmm
