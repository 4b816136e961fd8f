// A search with a histogram needs only the whole bits of scores.
#include "gpuhmm/histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "filter/sequence_set.hpp"
#include "gpuhmm/engine.hpp"
#include "plan7/arithmetic.hpp"
#include "search/search_run.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;

// The plain reference.
class Exact : public ScoreEngine {
 public:
  std::string description() const override { return "reference"; }
  std::unique_ptr<PreparedBatch> prepare(const SequenceSet& sequences) override {
    return reference_->prepare(sequences);
  }
  void score(const ScoreModel& model, PreparedBatch& batch, std::optional<std::int32_t> threshold,
             std::span<std::int32_t> scores) override {
    reference_->score(model, batch, threshold, scores);
  }

 private:
  std::unique_ptr<ScoreEngine> reference_ = make_reference_engine(1);
};

// The highest scores that a call for whole bits allows.
class HighestInBin : public Exact {
 public:
  void score_whole_bits(const ScoreModel& model, PreparedBatch& batch, std::int32_t,
                        std::span<std::int32_t> scores) override {
    score(model, batch, std::nullopt, scores);
    const std::int32_t largest = *std::ranges::max_element(scores);
    for (std::int32_t& score : scores) {
      const std::int32_t highest = (ScoreHistogram::bin_of(bits_of(score)) + 1) * 1000 - 1;
      if (score < largest) score = std::min(highest, largest - 1);
    }
  }
};

template <class Engine>
SearchRun search_by(const std::string& profiles, const std::string& sequences) {
  SearchOptions options;
  options.thresholds.sequence_e = 5;
  options.make_engines = [](const ExpectedWork&, const Warning&, const EngineOpened&) {
    std::vector<std::unique_ptr<ScoreEngine>> engines;
    engines.push_back(std::make_unique<Engine>());
    return engines;
  };
  SearchRun run;
  run.run(profiles, sequences, options, true);
  return run;
}

TEST(SearchHistogram, NeedsOnlyWholeBits) {
  const TemporaryFolder folder;
  const std::string sequences = folder.write("sequences.fasta", proteins_and_empty_records(1));
  const std::string profiles = folder.write(
      "profiles.hmm",
      join_profiles({"RRM_1_ls.hmm", "RRM_1_fs.hmm", "RRM_1_g_uncalibrated.hmm", "Acetyltransf_1_ls.hmm"}));
  const SearchRun exact = search_by<Exact>(profiles, sequences);
  const SearchRun highest = search_by<HighestInBin>(profiles, sequences);
  ASSERT_EQ(highest.found.size(), 4U);
  std::int64_t more = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const SearchResult &expected = exact.found[i].result, &found = highest.found[i].result;
    EXPECT_EQ(describe_hits(found), describe_hits(expected));
    EXPECT_EQ(describe_histogram(found), describe_histogram(expected));
    more += found.rescored - expected.rescored;
  }
  EXPECT_GT(more, 0);
}

}  // namespace
}  // namespace gpuhmm
