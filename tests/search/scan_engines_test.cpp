// A scan finds the same hits with any engines, and distributes work to them as documented.
#include <atomic>
#include <chrono>
#include <thread>

#include "filter/failing_engine.hpp"
#include "filter/sequence_set.hpp"
#include "plan7/score_model.hpp"
#include "search/scan_run.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;

using ScanWithEngines = Scanning;

TEST_F(ScanWithEngines, ReplacesAFailingEngine) {
  use_profiles(kProfiles);
  use_sequences(proteins(12));
  const Hits wanted = expected();
  options_.device_named = true;
  options_.make_engines = [](const ExpectedWork&, const Warning&, const EngineOpened&) {
    std::vector<std::unique_ptr<ScoreEngine>> engines;
    engines.push_back(std::make_unique<FailingEngine>("device", FailingEngine::Call::Score, 3));
    engines.push_back(make_simd_engine(1));
    return engines;
  };
  const ScanRun found = run();
  EXPECT_EQ(found.found, wanted);
  EXPECT_EQ(found.warnings.size(), 1U);
}

// An engine that counts the profiles that it scores.
class CountingEngine : public ScoreEngine {
 public:
  explicit CountingEngine(std::atomic<int>& scored) : scored_(scored) {}
  std::string description() const override { return "device"; }
  unsigned concurrency() const override { return 2; }
  std::unique_ptr<PreparedBatch> prepare(const SequenceSet& sequences) override {
    return engine_->prepare(sequences);
  }
  void score(const ScoreModel& model, PreparedBatch& batch, std::optional<std::int32_t> threshold,
             std::span<std::int32_t> scores) override {
    ++scored_;
    engine_->score(model, batch, threshold, scores);
  }

 private:
  std::atomic<int>& scored_;
  std::unique_ptr<ScoreEngine> engine_ = make_simd_engine(1);
};

// A small batch and several groups of profiles: the host's threads begin, and the device joins them as soon
// as it has started.
TEST_F(ScanWithEngines, SharesSmallBatchesWithANamedDevice) {
  use_profiles(kProfiles);
  use_sequences(proteins(12));
  const Hits wanted = expected();
  options_.device_named = true;
  options_.small_group_nodes = 1;
  options_.batch_sequences = 3;
  for (const unsigned threads : {1U, 3U}) {
    options_.threads = threads;
    for (const bool slow : {false, true}) {
      std::atomic<int> scored = 0;
      options_.make_engines = [&](const ExpectedWork&, const Warning&, const EngineOpened&) {
        if (slow) std::this_thread::sleep_for(std::chrono::milliseconds(50));
        std::vector<std::unique_ptr<ScoreEngine>> engines;
        engines.push_back(std::make_unique<CountingEngine>(scored));
        return engines;
      };
      EXPECT_EQ(run().found, wanted) << threads << " threads";
    }
  }
  options_.make_engines = [](const ExpectedWork&, const Warning&,
                             const EngineOpened&) -> std::vector<std::unique_ptr<ScoreEngine>> {
    throw EngineFailure("no such device");
  };
  EXPECT_THROW(run(), EngineFailure);
}

// The device alone scores a library of one group.
TEST_F(ScanWithEngines, LeavesFewProfilesToANamedDevice) {
  use_profiles(kProfiles);
  use_sequences(proteins(12));
  options_.device_named = true;
  std::atomic<int> scored = 0;
  options_.make_engines = [&](const ExpectedWork&, const Warning&, const EngineOpened&) {
    std::vector<std::unique_ptr<ScoreEngine>> engines;
    engines.push_back(std::make_unique<CountingEngine>(scored));
    return engines;
  };
  run();
  EXPECT_EQ(scored, totals_.profiles);
}

// An engine that scores several profiles at a time and finishes them in another order.
class ConcurrentEngine : public ScoreEngine {
 public:
  static constexpr unsigned kCalls = 3;

  explicit ConcurrentEngine(std::atomic<int>& most) : most_(most) {}
  std::string description() const override { return "concurrent"; }
  unsigned concurrency() const override { return kCalls; }
  std::unique_ptr<PreparedBatch> prepare(const SequenceSet& sequences) override {
    return engine_->prepare(sequences);
  }
  void score(const ScoreModel& model, PreparedBatch& batch, std::optional<std::int32_t> threshold,
             std::span<std::int32_t> scores) override {
    const int running = ++running_;
    int before = most_;
    while (before < running && !most_.compare_exchange_weak(before, running)) {
    }
    std::this_thread::sleep_for(std::chrono::microseconds(model.nodes % 3 * 300));
    engine_->score(model, batch, threshold, scores);
    --running_;
  }

 private:
  std::atomic<int>& most_;
  std::atomic<int> running_ = 0;
  std::unique_ptr<ScoreEngine> engine_ = make_simd_engine(1);
};

TEST_F(ScanWithEngines, ScoresSeveralProfilesAtATimeIfTheEngineCan) {
  use_profiles(kProfiles);
  use_sequences(proteins(12));
  options_.device_named = true;
  options_.thresholds.sequence_e = 2;
  const Hits wanted = expected();
  std::atomic<int> most = 0;
  options_.make_engines = [&most](const ExpectedWork&, const Warning&, const EngineOpened&) {
    std::vector<std::unique_ptr<ScoreEngine>> engines;
    engines.push_back(std::make_unique<ConcurrentEngine>(most));
    return engines;
  };
  for (const unsigned threads : {1U, 2U}) {
    options_.threads = threads;
    most = 0;
    EXPECT_EQ(run().found, wanted);
    if (threads == 1) {
      EXPECT_EQ(most, 1);
    } else {
      EXPECT_LE(most, static_cast<int>(ConcurrentEngine::kCalls));
    }
  }
}

}  // namespace
}  // namespace gpuhmm
