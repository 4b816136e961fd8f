// Members of a pool share batches as documented, and the scores are those of the reference for any members
// and any failures.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>

#include "filter/batch_cut.hpp"
#include "filter/failing_engine.hpp"
#include "filter/random_models.hpp"
#include "filter/sequence_set.hpp"
#include "gpuhmm/engine.hpp"
#include "plan7/score_model.hpp"
#include "plan7/viterbi.hpp"
#include "util/parallel.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;
using testing::detail::between;
using testing::detail::chance;
using Call = FailingEngine::Call;

constexpr std::int32_t kUntouched = 123'456'789;
constexpr int kNever = 1'000'000;

// A member with any speed and any limit of calls at a time. It records what it prepares and scores.
class AnyEngine : public FailingEngine {
 public:
  struct Traits {
    double speed = 1e9;
    unsigned calls = 1;
    bool device = false;  // counts as a device, whose scores are verified
    double seconds_per_residue = 0;
  };
  struct Notes {
    std::vector<std::size_t> prepared;  // residues of each batch
    std::set<std::size_t> lengths;      // of sequences prepared
    int scored = 0;
    std::mutex mutex;
  };

  AnyEngine(const std::string& name, Call call, int failing_call, const Traits& traits,
            Notes* notes = nullptr)
      : FailingEngine(name, call, failing_call), traits_(traits), notes_(notes) {}

  bool verified() const override { return traits_.device; }
  unsigned concurrency() const override { return traits_.calls; }
  double expected_speed() const override { return traits_.speed; }

  std::unique_ptr<PreparedBatch> prepare(const SequenceSet& sequences) override {
    residues_ = sequences.residue_count();
    if (notes_ != nullptr) {
      const std::lock_guard lock(notes_->mutex);
      notes_->prepared.push_back(residues_);
      for (std::size_t i = 0; i < sequences.size(); ++i) notes_->lengths.insert(sequences.length(i));
    }
    return FailingEngine::prepare(sequences);
  }
  void score(const ScoreModel& model, PreparedBatch& batch, std::optional<std::int32_t> threshold,
             std::span<std::int32_t> scores) override {
    EXPECT_LE(++running_, traits_.calls);
    if (notes_ != nullptr) {
      const std::lock_guard lock(notes_->mutex);
      ++notes_->scored;
    }
    std::this_thread::sleep_for(
        std::chrono::duration<double>(traits_.seconds_per_residue * static_cast<double>(residues_)));
    try {
      FailingEngine::score(model, batch, threshold, scores);
    } catch (...) {
      --running_;
      throw;
    }
    --running_;
  }

 private:
  Traits traits_;
  Notes* notes_;
  std::atomic<unsigned> running_ = 0;
  std::atomic<std::size_t> residues_ = 0;
};

// Any number of members and of calling threads.
TEST(EnginePool, GivesReferenceScoresIfRandomMembersFailAtRandomCalls) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Generator rng(seed);
    std::vector<ScoreModel> models;
    for (int n = between(rng, 1, 6); n > 0; --n) {
      models.push_back(random_model(rng, {.nodes = between(rng, 1, 12)}));
    }
    SequenceBatch batch = random_batch(rng, models[0], between(rng, 0, 25), 1, 40);
    batch.begin_sequence("empty", "", "");
    std::vector<std::unique_ptr<ScoreEngine>> engines;
    const bool equal = chance(rng, 0.5);
    for (int n = between(rng, 0, 4); n > 0; --n) {
      const AnyEngine::Traits traits{.speed = equal ? 1e9 : 1e4 * between(rng, 1, 50),
                                     .calls = static_cast<unsigned>(between(rng, 1, 3)),
                                     .device = chance(rng, 0.5)};
      const Call call = chance(rng, 0.5) ? Call::Prepare : Call::Score;
      const int failing_call = chance(rng, 0.3) ? kNever : between(rng, 1, 8);
      engines.push_back(
          std::make_unique<AnyEngine>("member " + std::to_string(n), call, failing_call, traits));
    }
    engines.push_back(chance(rng, 0.5) ? make_simd_engine(1) : make_reference_engine(1));
    const std::size_t members = engines.size();
    std::set<std::string> lost;
    const PoolOptions options{.models = static_cast<std::size_t>(between(rng, 1, 40)), .host_threads = 1};
    EnginePool pool(
        std::move(engines),
        [&](const std::string& line) {
          EXPECT_TRUE(lost.insert(line.substr(0, line.find(';'))).second) << line;
        },
        options);
    EnginePool::Batch prepared(batch);
    const auto threads = static_cast<unsigned>(between(rng, 1, 5));
    parallel_for(threads, models.size() * 3, 1, [&](std::size_t m, std::size_t) {
      const ScoreModel& model = models[m % models.size()];
      std::vector<std::int32_t> scores(batch.size(), kUntouched);
      pool.score(model, prepared, std::nullopt, scores);
      for (std::size_t i = 0; i < batch.size(); ++i) {
        if (batch.length(i) == 0) continue;  // a member that fails may have overwritten this score
        EXPECT_EQ(scores[i], viterbi_score(model, batch.residues(i)));
      }
    });
    EXPECT_LT(lost.size(), members);
  }
}

// Records what two members do for a batch of 100 sequences of 10 residues, scored with 60 models.
struct TwoMembers {
  AnyEngine::Notes first, second;
  unsigned concurrency = 0;
  std::size_t batches = 0;  // at once

  TwoMembers(double first_speed, double second_speed, std::size_t models) {
    const ScoreModel model(AlphabetKind::Amino, 1);
    SequenceBatch batch;
    for (int i = 0; i < 100; ++i) add_sequence(batch, std::vector<std::uint8_t>(10));
    const double seconds_per_residue = 2e-6;
    std::vector<std::unique_ptr<ScoreEngine>> engines;
    engines.push_back(std::make_unique<AnyEngine>(
        "first", Call::Score, kNever, AnyEngine::Traits{first_speed, 2, true, seconds_per_residue}, &first));
    engines.push_back(
        std::make_unique<AnyEngine>("second", Call::Score, kNever,
                                    AnyEngine::Traits{second_speed, 3, true, seconds_per_residue}, &second));
    engines.push_back(make_reference_engine(1));
    EnginePool pool(std::move(engines), [](const std::string&) {}, {.models = models});
    concurrency = pool.concurrency();
    batches = pool.batches_at_once();
    EnginePool::Batch prepared(batch);
    parallel_for(concurrency, 60, 1, [&](std::size_t, std::size_t) {
      std::vector<std::int32_t> scores(batch.size());
      EXPECT_LE(pool.score(model, prepared, std::nullopt, scores).size(), 2U);
    });
  }
};

TEST(EnginePool, GivesWholeModelsToMembersIfThereAreMany) {
  for (const double speed : {0.95e9, 0.25e9}) {
    TwoMembers found(1e9, speed, 60);
    EXPECT_EQ(found.concurrency, 5U);
    EXPECT_EQ(found.batches, 3U);
    EXPECT_EQ(found.first.prepared, std::vector<std::size_t>{1000});
    EXPECT_EQ(found.second.prepared, std::vector<std::size_t>{1000});
    EXPECT_EQ(found.first.scored + found.second.scored, 60);
    EXPECT_GE(found.first.scored, 10);
    EXPECT_GE(found.second.scored, 10);
  }
}

// Of eight models, one after the other, both would take turns, but from the seventh on a member that takes
// three times as long would hold up the end.
TEST(EnginePool, GivesModelsToASlowMemberThatDoesThemInTime) {
  const ScoreModel model(AlphabetKind::Amino, 200);
  SequenceBatch batch;
  for (int i = 0; i < 100; ++i) add_sequence(batch, std::vector<std::uint8_t>(10));
  AnyEngine::Notes slow, fast;
  std::vector<std::unique_ptr<ScoreEngine>> engines;
  engines.push_back(std::make_unique<AnyEngine>(
      "slow", Call::Score, kNever, AnyEngine::Traits{.speed = 5e6, .seconds_per_residue = 60e-6}, &slow));
  engines.push_back(std::make_unique<AnyEngine>(
      "fast", Call::Score, kNever, AnyEngine::Traits{.speed = 15e6, .seconds_per_residue = 20e-6}, &fast));
  engines.push_back(make_reference_engine(1));
  EnginePool pool(std::move(engines), [](const std::string&) {}, {.models = 8});
  EnginePool::Batch prepared(batch);
  std::vector<std::int32_t> scores(batch.size());
  for (int call = 0; call < 8; ++call) pool.score(model, prepared, std::nullopt, scores);
  // 3 and 5 by the times that they wait; a busy machine may add to these.
  EXPECT_EQ(slow.scored + fast.scored, 8);
  EXPECT_GE(slow.scored, 1);
  EXPECT_LE(slow.scored, 4);
}

TEST(EnginePool, DistributesSequencesBySpeedIfThereAreFewModels) {
  TwoMembers equal(1e9, 1e9, 7);
  EXPECT_EQ(equal.concurrency, 3U);
  EXPECT_EQ(equal.batches, 2U);
  EXPECT_EQ(equal.first.prepared, std::vector<std::size_t>{500});
  EXPECT_EQ(equal.second.prepared, std::vector<std::size_t>{500});
  TwoMembers unequal(1e9, 1.5e9, 7);
  EXPECT_EQ(unequal.first.prepared, std::vector<std::size_t>{400});
  EXPECT_EQ(unequal.second.prepared, std::vector<std::size_t>{600});
  EXPECT_EQ(unequal.first.scored, 60);
  EXPECT_EQ(unequal.second.scored, 60);
}

TEST(EnginePool, GivesNothingToMembersThatAreFarSlower) {
  TwoMembers few_models(1e9, 4e9, 7);
  EXPECT_EQ(few_models.concurrency, 3U);
  EXPECT_TRUE(few_models.first.prepared.empty());
  EXPECT_EQ(few_models.second.prepared, std::vector<std::size_t>{1000});
  TwoMembers many_models(1e9, 20e9, 60);
  EXPECT_EQ(many_models.concurrency, 3U);
  EXPECT_TRUE(many_models.first.prepared.empty());
  EXPECT_EQ(many_models.second.scored, 60);
}

// A member that is far slower than expected leaves its work to the other after a small part of it, whether it
// has a model or a slice.
TEST(EnginePool, TakesWorkFromAMemberThatIsFarSlowerThanExpected) {
  Generator rng(3);
  const ScoreModel model = random_model(rng, {.nodes = 3});
  const SequenceBatch batch = random_batch(rng, model, 100, 10, 10);
  for (const std::size_t models : {1U, 8U}) {
    AnyEngine::Notes slow, fast;
    std::vector<std::unique_ptr<ScoreEngine>> engines;
    // The part of 2,000,000 / 4,000 residues is half of the batch, its first an eighth of that.
    engines.push_back(std::make_unique<AnyEngine>(
        "slow", Call::Score, kNever,
        AnyEngine::Traits{.speed = 1e6, .device = true, .seconds_per_residue = 1e-3}, &slow));
    engines.push_back(std::make_unique<AnyEngine>(
        "fast", Call::Score, kNever,
        AnyEngine::Traits{.speed = 1e6, .device = true, .seconds_per_residue = 1e-7}, &fast));
    engines.push_back(make_reference_engine(1));
    EnginePool pool(std::move(engines), [](const std::string& line) { ADD_FAILURE() << line; },
                    {.models = models});
    EnginePool::Batch prepared(batch);
    parallel_for(pool.concurrency(), models, 1, [&](std::size_t, std::size_t) {
      std::vector<std::int32_t> scores(batch.size(), kUntouched);
      const EnginePool::Devices used = pool.score(model, prepared, std::nullopt, scores);
      EXPECT_EQ(join_descriptions(used), "fast");
      for (std::size_t i = 0; i < batch.size(); ++i) {
        EXPECT_EQ(scores[i], viterbi_score(model, batch.residues(i)));
      }
    });
    EXPECT_EQ(slow.prepared, std::vector<std::size_t>{40});
    EXPECT_EQ(slow.scored, 1);
  }
}

// The second member is three times as fast as the first, although both expect the same speed.
TEST(EnginePool, SplitsABatchAgainByMeasuredSpeeds) {
  const ScoreModel model(AlphabetKind::Amino, 1);
  SequenceBatch batch;
  for (int i = 0; i < 100; ++i) add_sequence(batch, std::vector<std::uint8_t>(10));
  AnyEngine::Notes slow, fast;
  std::vector<std::unique_ptr<ScoreEngine>> engines;
  engines.push_back(std::make_unique<AnyEngine>(
      "slow", Call::Score, kNever, AnyEngine::Traits{.speed = 1e9, .seconds_per_residue = 1.2e-3}, &slow));
  engines.push_back(std::make_unique<AnyEngine>(
      "fast", Call::Score, kNever, AnyEngine::Traits{.speed = 1e9, .seconds_per_residue = 0.4e-3}, &fast));
  engines.push_back(make_reference_engine(1));
  EnginePool pool(std::move(engines), [](const std::string&) {});
  EnginePool::Batch prepared(batch);
  std::vector<std::int32_t> scores(batch.size());
  for (int call = 0; call < 5; ++call) pool.score(model, prepared, std::nullopt, scores);
  ASSERT_EQ(slow.prepared.size(), 2U);
  EXPECT_EQ(slow.prepared[0], 500U);
  EXPECT_EQ(fast.prepared[0], 500U);
  EXPECT_NEAR(static_cast<double>(slow.prepared[1]), 250, 60);
  EXPECT_EQ(slow.prepared[1] + fast.prepared[1], 1000U);
  EnginePool::Batch further(batch);
  pool.score(model, further, std::nullopt, scores);
  EXPECT_NEAR(static_cast<double>(slow.prepared.at(2)), 250, 60);
}

TEST(EnginePool, GivesVeryLongSequencesToTheHost) {
  Generator rng(31);
  const ScoreModel model = random_model(rng, {.nodes = 3});
  for (const std::vector<std::size_t>& lengths :
       {std::vector<std::size_t>{30, 60'000, 0, 700, 90'000, 41}, {60'000}, {5, 50'000, 7}}) {
    SequenceBatch batch;
    for (const std::size_t length : lengths) {
      add_sequence(batch, random_residues(rng, model.alphabet, length));
    }
    const std::size_t longest = *std::ranges::max_element(lengths);
    for (const std::size_t devices : {1U, 2U}) {
      AnyEngine::Notes notes;
      std::vector<std::unique_ptr<ScoreEngine>> engines;
      for (std::size_t d = 0; d < devices; ++d) {
        const AnyEngine::Traits traits{.speed = 1e12, .device = true};
        engines.push_back(std::make_unique<AnyEngine>("device", Call::Score, kNever, traits, &notes));
      }
      engines.push_back(std::make_unique<FailingEngine>("host", Call::Prepare, 1));
      EnginePool pool(std::move(engines), [](const std::string& line) { ADD_FAILURE() << line; },
                      {.host_threads = 1});
      EnginePool::Batch prepared(batch);
      std::vector<std::int32_t> scores(batch.size(), kUntouched);
      const EnginePool::Devices used = pool.score(model, prepared, std::nullopt, scores);
      for (std::size_t i = 0; i < batch.size(); ++i) {
        EXPECT_EQ(scores[i], lengths[i] == 0 ? kUntouched : viterbi_score(model, batch.residues(i)));
      }
      EXPECT_EQ(notes.lengths.contains(longest), longest <= kVeryLong);
      EXPECT_EQ(used.empty(), lengths.size() == 1);
    }
  }
}

// Gives the lowest accuracy that each call allows.
class LooseEngine : public ScoreEngine {
 public:
  std::string description() const override { return "loose"; }
  bool verified() const override { return true; }
  std::unique_ptr<PreparedBatch> prepare(const SequenceSet&) override {
    return std::make_unique<PreparedBatch>();
  }
  void score(const ScoreModel&, PreparedBatch&, std::optional<std::int32_t>,
             std::span<std::int32_t>) override {
    ADD_FAILURE() << "exact scores were not requested";
  }
  void score_up_to(const ScoreModel&, PreparedBatch&, std::optional<std::int32_t>, std::int32_t enough,
                   std::span<std::int32_t> scores) override {
    std::ranges::fill(scores, enough);
  }
  void score_whole_bits(const ScoreModel&, PreparedBatch&, std::int32_t enough,
                        std::span<std::int32_t> scores) override {
    std::ranges::fill(scores, enough - 1);
  }
  void expect(std::span<const ScoreModel* const> models, bool with_threshold) override {
    expected.assign(models.begin(), models.end());
    EXPECT_TRUE(with_threshold);
  }

  std::vector<const ScoreModel*> expected;
};

// A small job on the host starts no thread for it.
TEST(EnginePool, TellsDevicesOnlyWhatToExpect) {
  const ScoreModel first(AlphabetKind::Amino, 1), second(AlphabetKind::Amino, 2);
  std::vector<std::unique_ptr<ScoreEngine>> engines;
  engines.push_back(make_simd_engine(1));
  EnginePool on_host(std::move(engines), [](const std::string&) {});
  EXPECT_FALSE(on_host.expect({{&first}, true}).valid());
  engines.clear();
  auto device = std::make_unique<LooseEngine>();
  const LooseEngine& told = *device;
  engines.push_back(std::move(device));
  engines.push_back(make_simd_engine(1));
  EnginePool with_device(std::move(engines), [](const std::string&) {});
  with_device.expect({{&first, &second}, true}).get();
  EXPECT_EQ(told.expected, (std::vector<const ScoreModel*>{&first, &second}));
}

TEST(EnginePool, RequestsNoMoreFromMembersThanItsCallerDoes) {
  const ScoreModel model(AlphabetKind::Amino, 1);
  SequenceBatch batch;
  for (int i = 0; i < 5; ++i) add_sequence(batch, std::vector<std::uint8_t>(10));
  std::vector<std::unique_ptr<ScoreEngine>> engines;
  for (int member = 0; member < 2; ++member) engines.push_back(std::make_unique<LooseEngine>());
  engines.push_back(make_reference_engine(1));
  EnginePool pool(std::move(engines), [](const std::string&) {});
  EnginePool::Batch prepared(batch);
  std::vector<std::int32_t> scores(batch.size());
  const EnginePool::Devices devices = pool.score(model, prepared, 7, scores, 77);
  EXPECT_EQ(scores, std::vector<std::int32_t>(batch.size(), 77));
  EXPECT_EQ(join_descriptions(devices), "loose + loose");
  pool.score_whole_bits(model, prepared, scores, 88);
  EXPECT_EQ(scores, std::vector<std::int32_t>(batch.size(), 87));
}

}  // namespace
}  // namespace gpuhmm
