// A device that gives wrong scores is detected.
#include <gtest/gtest.h>

#include "filter/sequence_set.hpp"
#include "gpuhmm/engine.hpp"
#include "plan7/score_model.hpp"
#include "plan7/viterbi.hpp"

namespace gpuhmm {
namespace {

// The reference, with `error` added to the score of sequence `wrong`.
class WrongEngine : public ScoreEngine {
 public:
  WrongEngine(std::size_t wrong, std::int32_t error) : wrong_(wrong), error_(error) {}
  std::string description() const override { return "wrong device"; }
  bool verified() const override { return true; }
  std::unique_ptr<PreparedBatch> prepare(const SequenceSet& batch) override {
    return reference_->prepare(batch);
  }
  void score(const ScoreModel& model, PreparedBatch& batch, std::optional<std::int32_t> threshold,
             std::span<std::int32_t> scores) override {
    reference_->score(model, batch, threshold, scores);
    scores[wrong_] += error_;
  }

 private:
  std::unique_ptr<ScoreEngine> reference_ = make_reference_engine(1);
  std::size_t wrong_;
  std::int32_t error_;
};

class ScoreVerification : public testing::Test {
 protected:
  ScoreVerification() : model_(AlphabetKind::Amino, 1) {
    model_.begin[1] = model_.n_begin = model_.n_loop = model_.c_end = model_.c_loop = model_.e_to_c = 0;
    std::fill(model_.match.begin(), model_.match.end(), 7);
    for (int i = 0; i < 50; ++i) {
      batch_.begin_sequence("sequence" + std::to_string(i), "", "");
      batch_.append_residues(std::vector<std::uint8_t>{1, 2, 3});
    }
  }

  void score(std::int32_t error, std::optional<double> percent, std::optional<std::int32_t> threshold) {
    std::vector<std::unique_ptr<ScoreEngine>> engines;
    engines.push_back(std::make_unique<WrongEngine>(17, error));
    engines.push_back(make_reference_engine(1));
    EnginePool pool(std::move(engines), [](const std::string&) {}, {.verification = {percent}});
    EnginePool::Batch prepared(batch_);
    std::vector<std::int32_t> scores(batch_.size());
    for (int repeat = 0; repeat < 100; ++repeat) {
      const EnginePool::Devices devices = pool.score(model_, prepared, threshold, scores);
      pool.verify(devices, model_, batch_, !threshold, scores, 1);
    }
  }

  ScoreModel model_;
  SequenceBatch batch_;
};

TEST_F(ScoreVerification, AcceptsLowerScoresThatAreEnough) {
  const std::vector<std::int32_t> exact(batch_.size(), viterbi_score(model_, batch_.residues(0)));
  const WrongEngine engine(0, 0);
  const std::vector<const ScoreEngine*> devices = {&engine};
  Verifier verifier({100});
  const auto verify = [&](std::int32_t error, std::int32_t enough) {
    std::vector<std::int32_t> scores = exact;
    scores[17] += error;
    verifier.verify(devices, model_, batch_, {scores, true, enough}, 1);
  };
  EXPECT_NO_THROW(verify(-2, exact[0] - 2));
  EXPECT_THROW(verify(-2, exact[0] - 1), WrongScore);
  EXPECT_THROW(verify(1, exact[0] - 2), WrongScore);
}

TEST_F(ScoreVerification, AcceptsCorrectScores) {
  EXPECT_NO_THROW(score(0, 100, std::nullopt));
  EXPECT_NO_THROW(score(0, std::nullopt, std::nullopt));
}

TEST_F(ScoreVerification, NamesDeviceAndSequenceOfAWrongScore) {
  try {
    score(1, 100, std::nullopt);
    FAIL() << "a wrong score was not detected";
  } catch (const WrongScore& error) {
    EXPECT_NE(std::string(error.what()).find("wrong device"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("sequence17"), std::string::npos);
  }
}

TEST_F(ScoreVerification, FindsAWrongScoreByTheDefaultSampleAfterManyBatches) {
  EXPECT_THROW(score(1, std::nullopt, std::nullopt), WrongScore);
}

TEST_F(ScoreVerification, AcceptsBoundsThatAreHigherButNotLower) {
  EXPECT_NO_THROW(score(5, 100, 0));
  EXPECT_THROW(score(-1, 100, 0), WrongScore);
}

TEST_F(ScoreVerification, ChecksNothingAtZeroPercent) { EXPECT_NO_THROW(score(1, 0, std::nullopt)); }

TEST_F(ScoreVerification, ChecksOnlyScoresOfDevices) {
  Verifier verifier({100});
  const std::vector<std::int32_t> wrong(batch_.size(), 12'345);
  EXPECT_NO_THROW(verifier.verify({}, model_, batch_, {wrong, true, EnginePool::kNeverEnough}, 1));
}

}  // namespace
}  // namespace gpuhmm
