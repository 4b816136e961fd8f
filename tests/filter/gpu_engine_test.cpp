// The GPU engine, with the portable form of its kernels, gives the reference's scores however a batch is
// split.
#include "filter/opencl/gpu_engine.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <random>
#include <thread>

#include "filter/random_models.hpp"
#include "filter/sequence_set.hpp"
#include "plan7/score_model.hpp"
#include "plan7/viterbi.hpp"

namespace gpuhmm {
namespace {

DeviceInfo any_device() {
  const std::vector<DeviceInfo> devices = list_devices();
  if (devices.empty()) throw std::runtime_error("there is no OpenCL device (PoCL must be installed)");
  return devices.front();
}

class GpuEngine : public ::testing::Test {
 protected:
  GpuEngine() {
    testing::Generator random(7);
    for (int i = 0; i < 60; ++i) {
      batch_.begin_sequence("s", "", "");
      std::vector<std::uint8_t> residues(i % 7 == 3 ? 0 : random() % 300);
      for (std::uint8_t& x : residues) x = static_cast<std::uint8_t>(random() % 24);
      batch_.append_residues(residues);
    }
  }

  void compare(ScoreEngine& engine, std::optional<std::int32_t> threshold) {
    testing::Generator random(11);
    const auto prepared = engine.prepare(batch_);
    for (const int nodes : {1, 7, 40}) {
      const ScoreModel model = testing::random_model(random, {.nodes = nodes});
      std::vector<std::int32_t> scores(batch_.size(), 4711);
      engine.score(model, *prepared, threshold, scores);
      for (std::size_t i = 0; i < batch_.size(); ++i) {
        const std::int32_t exact = batch_.length(i) == 0 ? 4711 : viterbi_score(model, batch_.residues(i));
        if (threshold && scores[i] < *threshold) {
          EXPECT_GE(scores[i], exact) << i;
        } else {
          EXPECT_EQ(scores[i], exact) << i;
        }
      }
    }
  }

  SequenceBatch batch_;
};

TEST_F(GpuEngine, GivesTheScoresOfTheReference) {
  const auto engine = make_gpu_engine(any_device(), {});
  compare(*engine, std::nullopt);
  compare(*engine, 0);
}

TEST_F(GpuEngine, PreparesForModelsOfAllKinds) {
  const auto engine = make_gpu_engine(any_device(), {});
  testing::Generator random(13);
  ScoreModel unfit = testing::random_model(random, {.nodes = 5});
  unfit.c_loop = unfit.n_loop - 1;
  std::vector<ScoreModel> fit;
  for (const int nodes : {1, 40, 700}) fit.push_back(testing::random_model(random, {.nodes = nodes}));
  for (const bool with_threshold : {false, true}) {
    std::vector<const ScoreModel*> models{&unfit};
    for (const ScoreModel& model : fit) models.push_back(&model);
    engine->expect(models, with_threshold);
  }
  EXPECT_GT(engine->device_costs()->build_seconds, 0);
  compare(*engine, std::nullopt);
  compare(*engine, 0);
}

TEST_F(GpuEngine, GivesBoundsWhereTheySuffice) {
  constexpr std::int32_t kThreshold = -1'000'000;
  const auto engine = make_gpu_engine(any_device(), {});
  testing::Generator random(12);
  const auto prepared = engine->prepare(batch_);
  const ScoreModel model = testing::random_model(random, {.nodes = 40});
  std::vector<std::int32_t> scores(batch_.size());
  engine->score_bounds(model, *prepared, kThreshold, kThreshold, scores);
  int higher = 0;
  for (std::size_t i = 0; i < batch_.size(); ++i) {
    if (batch_.length(i) == 0) continue;
    const std::int32_t exact = viterbi_score(model, batch_.residues(i));
    EXPECT_GE(scores[i], exact) << i;
    higher += exact >= kThreshold && scores[i] > exact;
  }
  EXPECT_GT(higher, 0);
}

TEST_F(GpuEngine, SplitsABatchThatDoesNotFit) {
  std::size_t refused = 0;
  GpuEngineOptions options;
  options.out_of_memory = [&refused](std::size_t residues) {
    refused += residues > 1000 ? 1 : 0;
    return residues > 1000;
  };
  const auto engine = make_gpu_engine(any_device(), std::move(options));
  compare(*engine, std::nullopt);
  EXPECT_GT(refused, 2U);
}

// Of a batch that comes while another one is scored, whether it fits the device or not.
TEST_F(GpuEngine, PreparesABatchBesideTheScoringOfAnother) {
  std::atomic<std::size_t> prepared = 0;
  GpuEngineOptions options;
  options.out_of_memory = [&prepared](std::size_t) { return ++prepared % 3 == 0; };
  std::vector<std::unique_ptr<ScoreEngine>> engines;
  engines.push_back(make_gpu_engine(any_device(), std::move(options)));
  EXPECT_TRUE(engines.front()->prepares_ahead(batch_.residue_count()));
  engines.push_back(make_reference_engine(1));
  EnginePool pool(std::move(engines), [](const std::string& warning) { FAIL() << warning; });
  testing::Generator random(14);
  const ScoreModel model = testing::random_model(random, {.nodes = 40});
  auto batch = std::make_unique<EnginePool::Batch>(batch_);
  pool.prepare_ahead(*batch);
  EXPECT_EQ(prepared, 1U);
  for (int round = 0; round < 5; ++round) {
    auto next = std::make_unique<EnginePool::Batch>(batch_);
    const auto ahead = std::async(std::launch::async, [&] { pool.prepare_ahead(*next); });
    std::vector<std::int32_t> scores(batch_.size());
    pool.score(model, *batch, std::nullopt, scores);
    for (std::size_t i = 0; i < batch_.size(); ++i) {
      if (batch_.length(i) == 0) continue;
      EXPECT_EQ(scores[i], viterbi_score(model, batch_.residues(i))) << i;
    }
    ahead.wait();
    const std::size_t before = prepared;
    pool.prepare_ahead(*next);
    EXPECT_EQ(prepared, before);
    batch = std::move(next);
  }
}

// An engine begins for two models that the kernels support, and one that they do not.
class GpuEngineThatBegins : public GpuEngine {
 protected:
  GpuEngineThatBegins() {
    testing::Generator random(15);
    for (const int nodes : {5, 1, 40}) models_.push_back(testing::random_model(random, {.nodes = nodes}));
    models_.front().c_loop = models_.front().n_loop - 1;
    for (const ScoreModel& model : models_) expected_.push_back(&model);
  }

  // `send` is called before each copy to the device.
  static std::unique_ptr<ScoreEngine> engine(const std::function<void()>& send) {
    GpuEngineOptions options;
    options.out_of_memory = [send](std::size_t) {
      send();
      return false;
    };
    return make_gpu_engine(any_device(), std::move(options));
  }

  std::vector<ScoreModel> models_;
  std::vector<const ScoreModel*> expected_;
};

TEST_F(GpuEngineThatBegins, PreparesWhatItBeganWithOnce) {
  for (const bool with_threshold : {false, true}) {
    std::atomic<int> sent = 0;
    const auto engine = this->engine([&sent] { ++sent; });
    engine->begin(batch_, expected_, with_threshold).get();
    EXPECT_EQ(sent, 1);
    EXPECT_GT(engine->device_costs()->build_seconds, 0);
    compare(*engine, with_threshold ? std::optional(0) : std::nullopt);
    EXPECT_EQ(sent, 1);
    compare(*engine, std::nullopt);
    EXPECT_EQ(sent, 2);
  }
}

TEST_F(GpuEngineThatBegins, PreparesOtherSequencesAnew) {
  std::atomic<int> sent = 0;
  const auto engine = this->engine([&sent] { ++sent; });
  engine->begin(SequenceSet(batch_).subset(std::vector<std::size_t>{5, 0, 1}), expected_, false);
  compare(*engine, std::nullopt);
  EXPECT_EQ(sent, 2);
}

// If no call asked for the batch, another one may be where it was.
TEST_F(GpuEngineThatBegins, PreparesLaterSequencesAtTheSameAddressAnew) {
  std::atomic<int> sent = 0;
  const auto engine = this->engine([&sent] { ++sent; });
  SequenceBatch later = batch_;
  batch_.begin_sequence("s", "", "");
  batch_.append_residues(std::vector<std::uint8_t>(20, 1));
  engine->begin({batch_, std::make_shared<const LengthOrder>(SequenceSet(batch_))}, expected_, false).get();
  batch_ = std::move(later);
  const auto by_length = std::make_shared<const LengthOrder>(SequenceSet(batch_));
  engine->prepare({batch_, by_length});
  EXPECT_EQ(sent, 2);
  compare(*engine, std::nullopt);
}

TEST_F(GpuEngineThatBegins, LeavesFailuresToPrepare) {
  std::atomic<int> sent = 0;
  const auto engine = this->engine([&sent] {
    if (++sent == 1) throw EngineFailure("lost");
  });
  const std::shared_future<void> begun = engine->begin(batch_, expected_, false);
  EXPECT_NO_THROW(begun.get());
  EXPECT_NO_THROW(engine->expect(expected_, false));
  EXPECT_THROW(engine->prepare(batch_), EngineFailure);
  compare(*engine, std::nullopt);
}

// The thread uses the engine and the models, which callers release once expect() and the engine have ended.
TEST_F(GpuEngineThatBegins, WaitsInExpectAndAtItsEnd) {
  for (const bool expects : {true, false}) {
    auto engine = this->engine([] { std::this_thread::sleep_for(std::chrono::milliseconds(50)); });
    const std::shared_future<void> begun = engine->begin(batch_, expected_, true);
    if (expects) {
      engine->expect(expected_, true);
    } else {
      engine.reset();
    }
    EXPECT_EQ(begun.wait_for(std::chrono::seconds(0)), std::future_status::ready);
  }
}

TEST_F(GpuEngine, FailsIfNotEvenOneSequenceFits) {
  GpuEngineOptions options;
  options.out_of_memory = [](std::size_t) { return true; };
  const auto engine = make_gpu_engine(any_device(), std::move(options));
  EXPECT_THROW(compare(*engine, std::nullopt), EngineFailure);
}

}  // namespace
}  // namespace gpuhmm
