// A failing engine costs nothing but a warning: the next one redoes the batch.
#include "search/scorer.hpp"

#include <gtest/gtest.h>

#include "filter/random_models.hpp"
#include "plan7/viterbi.hpp"
#include "search/failing_engine.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;
using Call = FailingEngine::Call;

constexpr std::int32_t kUntouched = 123456789;

class ScorerTest : public ::testing::Test {
 protected:
  ScorerTest() {
    Generator rng(5);
    for (const ModelStyle style : {ModelStyle::MultihitGlocal, ModelStyle::SingleLocal}) {
      RandomModelOptions options;
      options.style = style;
      models_.push_back(random_model(rng, options));
    }
    for (int i = 0; i < 3; ++i) {
      batches_.push_back(random_batch(rng, models_[0], 12, 1, 90));
      batches_.back().begin_sequence("empty", "", "");
    }
  }

  void add(std::unique_ptr<ScoreEngine> engine) { engines_.push_back(std::move(engine)); }
  void add_failing(const std::string& name, Call call, int failing_call) {
    add(std::make_unique<FailingEngine>(name, call, failing_call));
  }

  // Scores every batch with every model and compares with the reference.
  void expect_reference_scores() {
    Scorer scorer(std::move(engines_), [this](const std::string& line) { warnings_.push_back(line); });
    for (const SequenceBatch& batch : batches_) {
      Scorer::Batch prepared(batch);
      for (const ScoreModel& model : models_) {
        std::vector<std::int32_t> scores(batch.size(), kUntouched);
        scorer.score(model, prepared, std::nullopt, scores);
        for (std::size_t i = 0; i < batch.size(); ++i) {
          if (batch.length(i) > 0) {
            ASSERT_EQ(scores[i], viterbi_score(model, batch.residues(i))) << "sequence " << i;
          }
        }
      }
    }
    last_engine_ = scorer.engine().description();
  }

  std::vector<ScoreModel> models_;
  std::vector<SequenceBatch> batches_;
  std::vector<std::unique_ptr<ScoreEngine>> engines_;
  std::vector<std::string> warnings_;
  std::string last_engine_;
};

TEST_F(ScorerTest, AFailureAtAnyCallIsMadeUpFor) {
  const std::string host = make_simd_engine(1)->description();
  for (const Call call : {Call::Prepare, Call::Score}) {
    const int calls = static_cast<int>(call == Call::Prepare ? 3 : 6);
    for (int failing = 1; failing <= calls; ++failing) {
      engines_.clear();
      warnings_.clear();
      add_failing("device", call, failing);
      add(make_simd_engine(1));
      expect_reference_scores();
      EXPECT_EQ(warnings_, std::vector<std::string>{"device is lost; going on with " + host});
      EXPECT_EQ(last_engine_, host);
    }
  }
}

TEST_F(ScorerTest, EachFailureIsToldOnce) {
  add_failing("first", Call::Score, 2);
  add_failing("second", Call::Prepare, 1);
  add_failing("third", Call::Score, 1);
  add(make_reference_engine(1));
  const std::string host = engines_.back()->description();
  expect_reference_scores();
  EXPECT_EQ(warnings_, (std::vector<std::string>{"first is lost; going on with second",
                                                 "second is lost; going on with third",
                                                 "third is lost; going on with " + host}));
}

TEST_F(ScorerTest, WithoutFailureTheFirstEngineDoesAll) {
  add_failing("device", Call::Score, 7);
  add(make_reference_engine(1));
  expect_reference_scores();
  EXPECT_TRUE(warnings_.empty());
  EXPECT_EQ(last_engine_, "device");
}

TEST_F(ScorerTest, TheLastEnginesFailureEndsTheSearch) {
  add_failing("first", Call::Score, 1);
  add_failing("last", Call::Score, 3);
  try {
    expect_reference_scores();
    FAIL() << "no failure";
  } catch (const EngineFailure& failure) {
    EXPECT_STREQ(failure.what(), "last is lost");
  }
  EXPECT_EQ(warnings_, std::vector<std::string>{"first is lost; going on with last"});
}

// Gives every sequence a score that only says: no path.
class PathlessEngine : public ScoreEngine {
 public:
  std::string description() const override { return "pathless"; }
  std::unique_ptr<PreparedBatch> prepare(const SequenceSet&) override {
    return std::make_unique<PreparedBatch>();
  }
  void score(const ScoreModel&, PreparedBatch&, std::optional<std::int32_t>,
             std::span<std::int32_t> scores) override {
    std::fill(scores.begin(), scores.end(), kMinusInfinity);
  }
};

TEST_F(ScorerTest, WhoIsWarnedMayAskForTheEngine) {
  std::vector<std::unique_ptr<ScoreEngine>> engines;
  engines.push_back(std::make_unique<FailingEngine>("first", Call::Score, 1));
  engines.push_back(make_reference_engine(1));
  std::unique_ptr<Scorer> scorer;
  std::string going_on;
  scorer = std::make_unique<Scorer>(std::move(engines),
                                    [&](const std::string&) { going_on = scorer->engine().description(); });
  Scorer::Batch batch(batches_[0]);
  std::vector<std::int32_t> scores(batches_[0].size());
  scorer->score(models_[0], batch, std::nullopt, scores);
  EXPECT_EQ(going_on, make_reference_engine(1)->description());
}

TEST_F(ScorerTest, ScoresWithoutAPathAreThoseOfTheReference) {
  for (ScoreModel& model : models_) std::fill(model.begin.begin(), model.begin.end(), kMinusInfinity);
  add(std::make_unique<PathlessEngine>());
  expect_reference_scores();
}

}  // namespace
}  // namespace gpuhmm
