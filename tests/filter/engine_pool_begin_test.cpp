// Devices that are open before others begin with what the pool will give them first, if that is known.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "filter/batch_cut.hpp"
#include "filter/random_models.hpp"
#include "filter/sequence_set.hpp"
#include "gpuhmm/engine.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm {
namespace {

using Models = std::vector<const ScoreModel*>;

// A device that records what it begins with and what it prepares.
class EarlyEngine : public ScoreEngine {
 public:
  struct Traits {
    double speed = 1e12;
    unsigned calls = 1;
    bool prepares_ahead = true;
    std::shared_future<void> result = {};
  };
  struct Begun {
    SequenceSet sequences;
    Models models;
    bool with_threshold;
  };

  explicit EarlyEngine(Traits traits) : traits_(std::move(traits)) {}

  std::string description() const override { return "early"; }
  bool verified() const override { return true; }
  unsigned concurrency() const override { return traits_.calls; }
  double expected_speed() const override { return traits_.speed; }
  bool prepares_ahead(std::size_t) const override { return traits_.prepares_ahead; }

  std::shared_future<void> begin(const SequenceSet& sequences, std::span<const ScoreModel* const> models,
                                 bool with_threshold) override {
    begun.push_back({sequences, {models.begin(), models.end()}, with_threshold});
    return traits_.result;
  }
  std::unique_ptr<PreparedBatch> prepare(const SequenceSet& sequences) override {
    prepared.push_back(sequences);
    return std::make_unique<PreparedBatch>();
  }
  void score(const ScoreModel&, PreparedBatch&, std::optional<std::int32_t>,
             std::span<std::int32_t>) override {}

  std::vector<Begun> begun;
  std::vector<SequenceSet> prepared;

 private:
  Traits traits_;
};

class EnginePoolBegin : public ::testing::Test {
 protected:
  EnginePoolBegin() {
    for (int i = 0; i < 100; ++i) testing::add_sequence(sequences_, std::vector<std::uint8_t>(10));
    for (int nodes = 1; nodes <= 40; ++nodes) models_.emplace_back(AlphabetKind::Amino, nodes);
  }

  std::shared_ptr<const LengthOrder> order() const {
    return std::make_shared<const LengthOrder>(SequenceSet(sequences_));
  }

  Models first_models(std::size_t count) const {
    Models first;
    for (std::size_t m = 0; m < count; ++m) first.push_back(&models_[m]);
    return first;
  }

  // Whether an engine with these traits, one of several alike, begins. If so, a pool of them must have it
  // prepare the same sequences, else others or none ahead.
  bool begins(const EarlyEngine::Traits& traits, std::size_t devices, const PoolOptions& options) const {
    const auto by_length = order();
    EnginePool::Batch batch(sequences_, by_length);
    std::vector<std::unique_ptr<ScoreEngine>> engines;
    std::vector<const EarlyEngine*> early;
    for (std::size_t d = 0; d < devices; ++d) {
      auto engine = std::make_unique<EarlyEngine>(traits);
      EnginePool::begin(*engine, devices, batch, {first_models(models_.size()), true}, options);
      early.push_back(engine.get());
      engines.push_back(std::move(engine));
    }
    engines.push_back(make_reference_engine(1));
    EnginePool pool(
        std::move(engines), [](const std::string& line) { ADD_FAILURE() << line; }, options);
    pool.prepare_ahead(batch);
    for (const EarlyEngine* engine : early) {
      EXPECT_EQ(engine->begun.size(), early.front()->begun.size());
      const bool whole =
          engine->prepared.size() == 1 && engine->prepared.front() == SequenceSet(sequences_, by_length);
      // A single device prepares while no other opens.
      if (devices > 1) {
        EXPECT_EQ(!engine->begun.empty(), whole);
      }
    }
    return !early.front()->begun.empty();
  }

  SequenceBatch sequences_;
  std::vector<ScoreModel> models_;
};

TEST_F(EnginePoolBegin, PreparesTheWholeBatchAndTheFirstModels) {
  constexpr std::size_t kDevices = 3, kCalls = 2;
  const auto by_length = order();
  for (const std::size_t models : {std::size_t{15}, models_.size()}) {
    for (const bool with_threshold : {true, false}) {
      EnginePool::Batch batch(sequences_, by_length);
      EarlyEngine engine({.calls = kCalls});
      EnginePool::begin(engine, kDevices, batch, {first_models(models), with_threshold}, {.models = 12});
      ASSERT_EQ(engine.begun.size(), 1U);
      EXPECT_TRUE(engine.begun.front().sequences == SequenceSet(sequences_, by_length));
      EXPECT_EQ(engine.begun.front().models, first_models(std::min(models, 4 * kDevices * kCalls)));
      EXPECT_EQ(engine.begun.front().with_threshold, with_threshold);
    }
  }
}

TEST_F(EnginePoolBegin, NeedsEnoughModelsForEachDevice) {
  EXPECT_FALSE(begins({}, 2, {.models = 7}));
  EXPECT_TRUE(begins({}, 2, {.models = 8}));
  EXPECT_FALSE(begins({}, 3, {.models = 11}));
  EXPECT_TRUE(begins({}, 3, {.models = 12}));
  EXPECT_FALSE(begins({}, 1, {.models = 12})) << "a single device does not share";
}

TEST_F(EnginePoolBegin, NeedsAnEngineThatPreparesAhead) {
  EXPECT_FALSE(begins({.prepares_ahead = false}, 2, {.models = 8}));
}

// 1000 residues are what an engine of this speed scores with 200 nodes in 50 ms.
TEST_F(EnginePoolBegin, NeedsABatchThatIsScoredInOnePart) {
  constexpr double kSpeed = 1000 * 200 / 0.05;
  EXPECT_TRUE(begins({.speed = 1.0005 * kSpeed}, 2, {.models = 8}));
  EXPECT_FALSE(begins({.speed = 0.9985 * kSpeed}, 2, {.models = 8}));
}

TEST_F(EnginePoolBegin, NeedsABatchWithoutSequencesForTheHost) {
  testing::add_sequence(sequences_, std::vector<std::uint8_t>(kVeryLong));
  EXPECT_TRUE(begins({}, 2, {.models = 8, .host_threads = 1}));
  testing::add_sequence(sequences_, std::vector<std::uint8_t>(kVeryLong + 1));
  EXPECT_FALSE(begins({}, 2, {.models = 8, .host_threads = 1}));
  EXPECT_TRUE(begins({}, 2, {.models = 8, .host_threads = 0}));
}

TEST_F(EnginePoolBegin, NeedsABatchThatEnginesKnowAgain) {
  EarlyEngine engine({});
  EnginePool::Batch batch(sequences_);
  EnginePool::begin(engine, 2, batch, {first_models(8), true}, {.models = 8});
  EXPECT_TRUE(engine.begun.empty());
}

TEST_F(EnginePoolBegin, EndsBeforeTheBatch) {
  std::promise<void> released;
  std::atomic<int> ended = 0;
  const auto prepare = [&ended, release = released.get_future().share()] {
    release.wait();
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    ++ended;
  };
  auto batch = std::make_unique<EnginePool::Batch>(sequences_, order());
  std::vector<std::unique_ptr<EarlyEngine>> engines;  // which hold the results, too
  for (int d = 0; d < 2; ++d) {
    engines.push_back(std::make_unique<EarlyEngine>(
        EarlyEngine::Traits{.result = std::async(std::launch::async, prepare)}));
    EnginePool::begin(*engines.back(), 2, *batch, {first_models(8), true}, {.models = 8});
  }
  EXPECT_EQ(ended, 0);
  released.set_value();
  batch.reset();
  EXPECT_EQ(ended, 2);
}

}  // namespace
}  // namespace gpuhmm
