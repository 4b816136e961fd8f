// Who takes very long sequences, and that all scores come back to their places.
#include "filter/long_sequence_engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "filter/random_models.hpp"
#include "plan7/viterbi.hpp"

namespace gpuhmm {
namespace {

using namespace testing;

constexpr LongSequenceSpeeds kSpeeds{1e12, 1e9, 3e9, 4};

TEST(LongSequences, ProteinsStayOnTheDevice) {
  EXPECT_EQ(count_for_host(std::vector<std::size_t>{}, kSpeeds), 0U);
  EXPECT_EQ(count_for_host(std::vector<std::size_t>{50'000, 35'000, 300}, kSpeeds), 0U);
}

TEST(LongSequences, ChromosomesGoToTheHost) {
  EXPECT_EQ(count_for_host(std::vector<std::size_t>{1'600'000}, kSpeeds), 1U);
  EXPECT_EQ(count_for_host(std::vector<std::size_t>{1'600'000, 1'000'000, 400}, kSpeeds), 2U);
}

TEST(LongSequences, HowManyContigsDependsOnTheSpeeds) {
  // 2000 contigs of 100 kb: each takes the device 0.1 ms a node, all of them 0.2 ms, the host 16.7 ms.
  const std::vector<std::size_t> contigs(2000, 100'000);
  EXPECT_EQ(count_for_host(contigs, kSpeeds), 0U);
  // One of them is as long as half of all the others: alone it would hold up the device.
  std::vector<std::size_t> mixed = contigs;
  mixed.front() = 100'000'000;
  EXPECT_EQ(count_for_host(mixed, kSpeeds), 1U);
  // A single thread would take longer for both than the device for the shorter one.
  const LongSequenceSpeeds one_thread{1e12, 1.5e9, 3e9, 1};
  EXPECT_EQ(count_for_host(std::vector<std::size_t>{90'000, 60'000, 500}, one_thread), 1U);
}

// The reference, noting what it was given.
class NotingEngine : public ScoreEngine {
 public:
  explicit NotingEngine(std::vector<std::size_t>& lengths) : lengths_(lengths) {}

  std::string description() const override { return "noting"; }
  double expected_speed() const override { return 1e12; }
  std::unique_ptr<PreparedBatch> prepare(const SequenceSet& sequences) override {
    for (std::size_t i = 0; i < sequences.size(); ++i) lengths_.push_back(sequences.length(i));
    return reference_->prepare(sequences);
  }
  void score(const ScoreModel& model, PreparedBatch& batch, std::optional<std::int32_t> threshold,
             std::span<std::int32_t> scores) override {
    reference_->score(model, batch, threshold, scores);
  }

 private:
  std::vector<std::size_t>& lengths_;
  std::unique_ptr<ScoreEngine> reference_ = make_reference_engine(1);
};

TEST(LongSequences, ScoresComeBackToTheirPlaces) {
  Generator rng(31);
  const ScoreModel model = random_model(rng, {.nodes = 3});
  for (const std::vector<std::size_t>& lengths :
       {std::vector<std::size_t>{30, 60'000, 0, 700, 90'000, 41}, {60'000}, {5, 50'000, 7}}) {
    SequenceBatch batch;
    for (const std::size_t length : lengths)
      add_sequence(batch, random_residues(rng, model.alphabet, length));
    std::vector<std::size_t> on_device, on_host;
    const auto engine = make_long_sequence_engine(std::make_unique<NotingEngine>(on_device),
                                                  std::make_unique<NotingEngine>(on_host), 1);
    const auto prepared = engine->prepare(batch);
    constexpr std::int32_t kUntouched = 123'456'789;
    std::vector<std::int32_t> scores(batch.size(), kUntouched);
    engine->score(model, *prepared, std::nullopt, scores);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      EXPECT_EQ(scores[i], lengths[i] == 0 ? kUntouched : viterbi_score(model, batch.residues(i)));
    }
    const std::size_t longest = *std::ranges::max_element(lengths);
    EXPECT_EQ(on_host, longest > kVeryLong ? std::vector{longest} : std::vector<std::size_t>{});
    EXPECT_EQ(std::ranges::count(on_device, longest), longest > kVeryLong ? 0 : 1);
  }
}

}  // namespace
}  // namespace gpuhmm
