// align_batch() with devices gives what it gives without them, also if a device fails, and finds out one that
// computes wrongly.
#include <gtest/gtest.h>

#include <mutex>
#include <string>
#include <vector>

#include "align/batch_aligner.hpp"
#include "align/opencl/path_devices.hpp"
#include "align/path_cases.hpp"
#include "filter/random_models.hpp"
#include "plan7/random_models.hpp"
#include "simd/instruction_set.hpp"

namespace gpuhmm {
namespace {

using test::wingless_profile;

// Sequences of a model; some are long, some get no full matrix, and of some no path is wanted.
struct BatchCase {
  explicit BatchCase(unsigned seed) : rng(seed), model(random()), profile(wingless_profile(model)) {
    batch = testing::random_batch(rng, model, 150, 0, 600);
    const MatrixRule narrow(model.nodes, 1, 25, 34'600'000 / (12 * 125));
    for (std::size_t i = 0; i < batch.size(); ++i) {
      AlignmentTask& task =
          tasks.emplace_back(batch.residues(i), i % 9 == 0 ? narrow : MatrixRule(model.nodes));
      MatrixRule rule = task.rule;
      expected.push_back(align(model, profile, task.residues, rule));
      if (i % 5 != 0) continue;
      task.lowest_traced = expected.back().score + static_cast<int>(i % 2);
      if (i % 2 == 1) expected.back().trace.reset();
    }
  }

  // Aligns all and compares; returns how many devices have aligned.
  std::int64_t align_with(PathDevices& devices, unsigned threads) const {
    std::vector<AlignedSequence> found(tasks.size());
    std::vector<int> taken(tasks.size());
    std::mutex mutex;
    AlignmentClock clock;
    const AlignmentTaker take = [&](std::size_t t, AlignedSequence&& aligned) {
      const std::lock_guard lock(mutex);
      found[t] = std::move(aligned);
      ++taken[t];
    };
    align_batch(profile, model, tasks, threads, take, &clock, &devices);
    EXPECT_EQ(taken, std::vector<int>(tasks.size(), 1));
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      EXPECT_EQ(found[t].score, expected[t].score) << "task " << t;
      EXPECT_EQ(found[t].trace, expected[t].trace) << "task " << t;
    }
    const AlignmentTimes times = clock.times();
    EXPECT_EQ(times.by_threads + times.by_devices, static_cast<std::int64_t>(tasks.size()));
    return times.by_devices;
  }

 private:
  ScoreModel random() {
    testing::RandomModelOptions options;
    options.nodes = 37;
    options.style = testing::ModelStyle::MultihitGlocal;
    options.coarse = true;
    return testing::random_model(rng, options);
  }

  testing::Generator rng;
  ScoreModel model;
  Profile profile;
  SequenceBatch batch;
  std::vector<AlignmentTask> tasks;
  std::vector<AlignedSequence> expected;
};

// Warnings of devices, and devices with these kernels.
struct Lent {
  explicit Lent(const KernelSources& own_sources, Verification verification = {},
                const grid::PathVariant& variant = test::small_path_variant())
      : sources(own_sources),
        device(test::path_device(), sources),
        devices(
            std::vector{static_cast<const OpenDevice*>(&device)}, verification,
            [this](const std::string& line) { warnings.push_back(line); }, variant) {}

  KernelSources sources;
  OpenDevice device;
  std::vector<std::string> warnings;
  PathDevices devices;
};

class DeviceBatches : public ::testing::Test {
 protected:
  void SetUp() override {
    if (simd::vector_bytes() == 0) GTEST_SKIP() << "without vectors the host aligns by matrices";
  }
};

TEST_F(DeviceBatches, GiveWhatAlignGives) {
  const BatchCase batch(41);
  Lent lent(kernel_sources(), {100.0});
  EXPECT_GT(batch.align_with(lent.devices, 1), 50);
  EXPECT_GT(batch.align_with(lent.devices, 4), 0);
  EXPECT_TRUE(lent.warnings.empty());
}

TEST_F(DeviceBatches, StreamsMayBeOpenedBefore) {
  const BatchCase batch(46);
  Lent lent(kernel_sources());
  lent.devices.open();
  lent.devices.open();
  EXPECT_GT(batch.align_with(lent.devices, 1), 50);
  EXPECT_FALSE(lent.devices.aligning());
  EXPECT_TRUE(lent.warnings.empty());
}

TEST_F(DeviceBatches, SmallWorkStaysWithTheHost) {
  const BatchCase batch(42);
  grid::PathVariant variant = test::small_path_variant();
  variant.least_cells = 1e12;
  Lent lent(kernel_sources(), {}, variant);
  EXPECT_EQ(batch.align_with(lent.devices, 2), 0);
}

TEST_F(DeviceBatches, AFailureIsToldOnceAndLosesNothing) {
  const BatchCase batch(43);
  Lent lent(test::changed_paths("const int item =", "const int item = no such name;"));
  EXPECT_TRUE(lent.devices.usable());
  EXPECT_EQ(batch.align_with(lent.devices, 4), 0);
  EXPECT_FALSE(lent.devices.usable());
  EXPECT_EQ(batch.align_with(lent.devices, 4), 0);
  lent.devices.open();
  ASSERT_EQ(lent.warnings.size(), 1U);
  EXPECT_NE(lent.warnings.front().find("the host aligns"), std::string::npos) << lent.warnings.front();
}

TEST_F(DeviceBatches, WrongPathsAreFound) {
  const BatchCase batch(44);
  Lent lent(test::changed_paths("inserting >= again", "inserting > again"), {100.0});
  EXPECT_THROW(batch.align_with(lent.devices, 1), WrongScore);
}

TEST_F(DeviceBatches, WrongScoresAreFoundInASmallSample) {
  const BatchCase batch(45);
  Lent lent(test::changed_paths("const int score = c + last_specials.w;",
                                "const int score = c + last_specials.w + 1;"));
  EXPECT_THROW(batch.align_with(lent.devices, 1), WrongScore);
}

}  // namespace
}  // namespace gpuhmm
