// Engines that share batches: the scores are those of the reference, also when engines fail.
#include "filter/combined_engine.hpp"

#include <gtest/gtest.h>

#include "plan7/viterbi.hpp"

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

class CombinedEngineTest : public testing::Test {
 protected:
  CombinedEngineTest() : model_(AlphabetKind::Amino, 1) {
    model_.begin[1] = model_.n_begin = model_.n_loop = model_.c_end = model_.c_loop = model_.e_to_c = 0;
    for (int x = 0; x < 20; ++x) model_.match[x * 2 + 1] = x;
    for (int i = 0; i < 97; ++i) {
      batch_.begin_sequence("s", "", "");
      batch_.append_residues(std::vector<std::uint8_t>(i % 13, static_cast<std::uint8_t>(i % 20)));
    }
  }

  // Makes engines that fail as told, scores the batch three times and compares.
  std::vector<std::string> run(const std::vector<std::pair<int, int>>& failures) {
    std::vector<std::string> warnings;
    std::vector<std::unique_ptr<ScoreEngine>> engines;
    for (const auto& [prepare, score] : failures)
      engines.push_back(std::make_unique<FailingEngine>(prepare, score));
    const auto combined =
        make_combined_engine(std::move(engines), [&](const std::string& text) { warnings.push_back(text); });
    const auto prepared = combined->prepare(batch_);
    for (int repeat = 0; repeat < 3; ++repeat) {
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

TEST_F(CombinedEngineTest, AnyNumberOfEngines) {
  EXPECT_TRUE(run({{kNever, kNever}}).empty());
  EXPECT_TRUE(run({{kNever, kNever}, {kNever, kNever}}).empty());
  EXPECT_TRUE(run(std::vector<std::pair<int, int>>(5, {kNever, kNever})).empty());
}

TEST_F(CombinedEngineTest, PartOfAFailedEngineIsRedone) {
  EXPECT_EQ(run({{0, kNever}, {kNever, kNever}}).size(), 1U);
  EXPECT_EQ(run({{kNever, 0}, {kNever, kNever}}).size(), 1U);
  EXPECT_EQ(run({{kNever, kNever}, {kNever, 1}}).size(), 1U);
  EXPECT_EQ(run({{kNever, 0}, {1, 2}, {kNever, kNever}}).size(), 2U);
}

TEST_F(CombinedEngineTest, FailsWhenNoneIsLeft) {
  EXPECT_THROW(run({{kNever, 0}, {kNever, 1}}), EngineFailure);
}

}  // namespace
}  // namespace gpuhmm
