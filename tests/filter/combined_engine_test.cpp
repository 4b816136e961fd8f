// Engines that share batches: the scores are those of the reference, also when engines fail.
#include "filter/combined_engine.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "filter/pooled_engine.hpp"
#include "plan7/viterbi.hpp"
#include "util/parallel.hpp"

namespace gpuhmm {
namespace {

// The reference, failing from the `fail_at`-th call of prepare or score on.
class FailingEngine : public ScoreEngine {
 public:
  FailingEngine(int fail_prepare, int fail_score) : prepares_left_(fail_prepare), scores_left_(fail_score) {}
  std::string description() const override { return "failing"; }
  std::unique_ptr<PreparedBatch> prepare(const SequenceSet& batch) override {
    if (--prepares_left_ < 0) throw EngineFailure("lost in prepare");
    return reference_->prepare(batch);
  }
  void score(const ScoreModel& model, PreparedBatch& batch, std::optional<std::int32_t> threshold,
             std::span<std::int32_t> scores) override {
    if (--scores_left_ < 0) throw EngineFailure("lost in score");
    reference_->score(model, batch, threshold, scores);
  }

 private:
  std::unique_ptr<ScoreEngine> reference_ = make_reference_engine(1);
  int prepares_left_, scores_left_;
};

constexpr int kNever = 1000;

using Maker = std::unique_ptr<ScoreEngine> (*)(std::vector<std::unique_ptr<ScoreEngine>>,
                                               std::function<void(const std::string&)>);

class SharedBatchTest : public testing::TestWithParam<Maker> {
 protected:
  SharedBatchTest() : model_(AlphabetKind::Amino, 1) {
    model_.begin[1] = model_.n_begin = model_.n_loop = model_.c_end = model_.c_loop = model_.e_to_c = 0;
    for (int x = 0; x < 20; ++x) model_.match[x * 2 + 1] = x;
    for (int i = 0; i < 97; ++i) {
      batch_.begin_sequence("s", "", "");
      batch_.append_residues(std::vector<std::uint8_t>(i % 13, static_cast<std::uint8_t>(i % 20)));
    }
  }

  // Makes engines that fail as listed, scores the batch six times and compares.
  std::vector<std::string> run(const std::vector<std::pair<int, int>>& failures) {
    std::vector<std::string> warnings;
    std::vector<std::unique_ptr<ScoreEngine>> engines;
    for (const auto& [prepare, score] : failures)
      engines.push_back(std::make_unique<FailingEngine>(prepare, score));
    const auto combined =
        GetParam()(std::move(engines), [&](const std::string& text) { warnings.push_back(text); });
    const auto prepared = combined->prepare(batch_);
    for (int repeat = 0; repeat < 6; ++repeat) {
      std::vector<std::int32_t> scores(batch_.size(), -5);
      combined->score(model_, *prepared, std::nullopt, scores);
      for (std::size_t i = 0; i < batch_.size(); ++i) {
        EXPECT_EQ(scores[i], batch_.length(i) == 0 ? -5 : viterbi_score(model_, batch_.residues(i)));
      }
    }
    return warnings;
  }

  ScoreModel model_;
  SequenceBatch batch_;
};

TEST_P(SharedBatchTest, AnyNumberOfEngines) {
  EXPECT_TRUE(run({{kNever, kNever}}).empty());
  EXPECT_TRUE(run({{kNever, kNever}, {kNever, kNever}}).empty());
  EXPECT_TRUE(run(std::vector<std::pair<int, int>>(5, {kNever, kNever})).empty());
}

TEST_P(SharedBatchTest, PartOfAFailedEngineIsRedone) {
  EXPECT_EQ(run({{0, kNever}, {kNever, kNever}}).size(), 1U);
  EXPECT_EQ(run({{kNever, 0}, {kNever, kNever}}).size(), 1U);
  EXPECT_EQ(run({{kNever, kNever}, {kNever, 1}}).size(), 1U);
  EXPECT_EQ(run({{kNever, 0}, {1, 2}, {kNever, kNever}}).size(), 2U);
}

TEST_P(SharedBatchTest, FailsWhenNoneIsLeft) {
  EXPECT_THROW(run({{kNever, 0}, {kNever, 1}}), EngineFailure);
  EXPECT_THROW(run({{0, kNever}, {0, kNever}}), EngineFailure);
}

INSTANTIATE_TEST_SUITE_P(Sequences, SharedBatchTest, testing::Values(make_combined_engine));
INSTANTIATE_TEST_SUITE_P(Models, SharedBatchTest, testing::Values(make_pooled_engine));

// Takes two calls at a time and counts them.
class BusyEngine : public ScoreEngine {
 public:
  explicit BusyEngine(std::atomic<int>& calls) : calls_(calls) {}
  std::string description() const override { return "busy"; }
  unsigned concurrency() const override { return 2; }
  std::unique_ptr<PreparedBatch> prepare(const SequenceSet&) override {
    return std::make_unique<PreparedBatch>();
  }
  void score(const ScoreModel&, PreparedBatch&, std::optional<std::int32_t>,
             std::span<std::int32_t> scores) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    scores[0] = ++calls_;
  }

 private:
  std::atomic<int>& calls_;
};

TEST(PooledEngine, KeepsAllEnginesAtWork) {
  std::atomic<int> calls[3] = {};
  std::vector<std::unique_ptr<ScoreEngine>> engines;
  for (std::atomic<int>& own : calls) engines.push_back(std::make_unique<BusyEngine>(own));
  const auto pooled = make_pooled_engine(std::move(engines), [](const std::string&) {});
  EXPECT_EQ(pooled->concurrency(), 6U);
  SequenceBatch batch;
  batch.begin_sequence("s", "", "");
  const auto prepared = pooled->prepare(batch);
  const ScoreModel model(AlphabetKind::Amino, 1);
  parallel_for(6, 60, 1, [&](std::size_t, std::size_t) {
    std::int32_t score = 0;
    pooled->score(model, *prepared, std::nullopt, std::span(&score, 1));
    EXPECT_GT(score, 0);
  });
  EXPECT_EQ(calls[0] + calls[1] + calls[2], 60);
  for (const std::atomic<int>& own : calls) EXPECT_GE(own, 15);
}

}  // namespace
}  // namespace gpuhmm
