// If a member of the pool fails, the others do its work, and there is one warning. The host is the last
// member.
#include <gtest/gtest.h>

#include <algorithm>

#include "filter/failing_engine.hpp"
#include "filter/random_models.hpp"
#include "filter/sequence_set.hpp"
#include "gpuhmm/engine.hpp"
#include "plan7/score_model.hpp"
#include "plan7/viterbi.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;
using Call = FailingEngine::Call;
using Lines = std::vector<std::string>;

constexpr std::int32_t kUntouched = 123'456'789;
constexpr int kNever = 1'000'000;

// Whether members get whole models or, if there are few models, a slice of every batch.
enum class Sharing { Sequences, Models };

std::size_t models_for(Sharing sharing) { return sharing == Sharing::Models ? 1000 : 1; }

class EnginePoolFailure : public ::testing::TestWithParam<Sharing> {
 protected:
  EnginePoolFailure() {
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

  // Scores every batch with every model, one call after the other, and compares with the reference.
  void expect_reference_scores() {
    EnginePool pool(std::move(engines_), [this](const std::string& line) { warnings_.push_back(line); },
                    {.models = models_for(GetParam())});
    engines_.clear();
    for (const SequenceBatch& batch : batches_) {
      EnginePool::Batch prepared(batch);
      for (const ScoreModel& model : models_) {
        std::vector<std::int32_t> scores(batch.size(), kUntouched);
        pool.score(model, prepared, std::nullopt, scores);
        for (std::size_t i = 0; i < batch.size(); ++i) {
          if (batch.length(i) > 0) {
            ASSERT_EQ(scores[i], viterbi_score(model, batch.residues(i))) << "sequence " << i;
          }
        }
      }
    }
    working_ = pool.description();
  }

  std::vector<ScoreModel> models_;
  std::vector<SequenceBatch> batches_;
  std::vector<std::unique_ptr<ScoreEngine>> engines_;
  Lines warnings_;
  std::string working_;
};

TEST_P(EnginePoolFailure, IsRecoveredAtAnyCall) {
  const std::string host = make_simd_engine(1)->description();
  for (const Call call : {Call::Prepare, Call::Score}) {
    const int calls = call == Call::Prepare ? 3 : 6;
    for (int failing = 1; failing <= calls; ++failing) {
      warnings_.clear();
      add_failing("device", call, failing);
      add(make_simd_engine(1));
      expect_reference_scores();
      EXPECT_EQ(warnings_, Lines{"device is lost; going on with " + host});
      EXPECT_EQ(working_, host);
    }
  }
}

TEST_P(EnginePoolFailure, LeavesTheWorkToTheOthers) {
  const bool slices = GetParam() == Sharing::Sequences;
  for (const Call call : {Call::Prepare, Call::Score}) {
    warnings_.clear();
    add_failing("first", call, 1);
    add_failing("second", Call::Score, kNever);
    add_failing("third", call, slices ? 2 : 1);
    add(make_reference_engine(1));
    expect_reference_scores();
    EXPECT_EQ(warnings_,
              (Lines{"first is lost; going on with second + third", "third is lost; going on with second"}));
    EXPECT_EQ(working_, "second");
  }
}

TEST_P(EnginePoolFailure, OfAllDevicesLeavesTheWorkToTheHost) {
  add_failing("first", Call::Score, 2);
  add_failing("second", Call::Prepare, 1);
  add_failing("third", Call::Score, 1);
  add(make_reference_engine(1));
  const std::string host = engines_.back()->description();
  expect_reference_scores();
  EXPECT_EQ(warnings_.size(), 3U);
  EXPECT_NE(warnings_.back().find("; going on with " + host), std::string::npos);
  EXPECT_EQ(working_, host);
}

TEST_P(EnginePoolFailure, IsNeededBeforeTheHostDoesAnything) {
  for (const int devices : {1, 2, 5}) {
    for (int d = 0; d < devices; ++d) add_failing("device", Call::Score, kNever);
    add_failing("host", Call::Prepare, 1);
    expect_reference_scores();
    EXPECT_TRUE(warnings_.empty());
  }
}

TEST_P(EnginePoolFailure, OfTheHostIsThrown) {
  add_failing("first", Call::Score, 1);
  add_failing("second", Call::Prepare, 1);
  add_failing("host", Call::Score, 4);
  try {
    expect_reference_scores();
    FAIL() << "no failure";
  } catch (const EngineFailure& failure) {
    EXPECT_STREQ(failure.what(), "host is lost");
  }
  EXPECT_EQ(warnings_.size(), 2U);
}

TEST_P(EnginePoolFailure, LetsTheWarningCallbackCallThePool) {
  add_failing("first", Call::Score, 1);
  add(make_reference_engine(1));
  std::unique_ptr<EnginePool> pool;
  std::string going_on;
  pool = std::make_unique<EnginePool>(std::move(engines_),
                                      [&](const std::string&) { going_on = pool->description(); });
  EnginePool::Batch batch(batches_[0]);
  std::vector<std::int32_t> scores(batches_[0].size());
  pool->score(models_[0], batch, std::nullopt, scores);
  EXPECT_EQ(going_on, make_reference_engine(1)->description());
}

// Gives every sequence the score that means "no path".
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

TEST_P(EnginePoolFailure, IsNotCausedByScoresWithoutAPath) {
  for (ScoreModel& model : models_) std::fill(model.begin.begin(), model.begin.end(), kMinusInfinity);
  for (int member = 0; member < 3; ++member) add(std::make_unique<PathlessEngine>());
  expect_reference_scores();
}

INSTANTIATE_TEST_SUITE_P(Share, EnginePoolFailure, ::testing::Values(Sharing::Sequences, Sharing::Models),
                         [](const auto& instance) {
                           return instance.param == Sharing::Sequences ? "Sequences" : "Models";
                         });

}  // namespace
}  // namespace gpuhmm
