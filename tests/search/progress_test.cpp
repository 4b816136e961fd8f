// The progress that a search reports grows to 1, about in proportion to the work done.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "gpuhmm/search.hpp"
#include "search/recording_engine.hpp"
#include "search/search_run.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;

class Progress : public ::testing::Test {
 protected:
  Progress() {
    options_.batch_residues = sequences_text_.size() / 20;
    options_.meter = &notes_.meter;
    options_.make_engines = [this](const ExpectedWork&, const Warning&, const EngineOpened&) {
      std::vector<std::unique_ptr<ScoreEngine>> engines;
      engines.push_back(std::make_unique<RecordingEngine>(notes_));
      return engines;
    };
  }

  // Searches `count` profiles of 74 nodes.
  void run(int count, const std::string& sequences, bool reopenable) {
    std::string profiles;
    for (int i = 0; i < count; ++i) profiles += test_data("hmm/RRM_1_ls.hmm");
    SearchRun().run(folder_.write("profiles.hmm", profiles), sequences, options_, reopenable);
  }

  // The tolerance is for small files: they are read in blocks, so their reported progress is too high.
  void expect_even_growth(double tolerance) const {
    const std::size_t calls = notes_.after.size();
    ASSERT_GT(calls, 3U);
    double last = 0;
    std::size_t grown = 0;  // while an engine was at work
    for (std::size_t i = 0; i < calls; ++i) {
      ASSERT_TRUE(notes_.before[i] && notes_.after[i]);
      EXPECT_GE(*notes_.before[i], last) << i;
      EXPECT_GE(*notes_.after[i], *notes_.before[i]) << i;
      grown += *notes_.after[i] > *notes_.before[i] ? 1 : 0;
      EXPECT_NEAR(*notes_.after[i], static_cast<double>(i + 1) / static_cast<double>(calls), tolerance) << i;
      last = *notes_.after[i];
    }
    EXPECT_GE(grown, calls / 4);
    EXPECT_LE(last, 1);
    EXPECT_NEAR(notes_.meter.read().fraction.value(), 1, 1e-9);
  }

  MeterNotes notes_;
  TemporaryFolder folder_;
  std::string sequences_text_ = [] {
    std::string text;
    while (text.size() < std::size_t{5} << 20) text += test_data("seq/uniprot.fasta");
    return text;
  }();
  SearchOptions options_;
};

TEST_F(Progress, GrowsWithProfilesAndBatchesOfOnePass) {
  run(5, folder_.write("s.fasta", sequences_text_), true);
  expect_even_growth(0.1);
}

TEST_F(Progress, GrowsWithSeveralPasses) {
  options_.group_nodes = 10 * 74;
  options_.batch_residues = 40'000;
  run(50, std::string(GPUHMM_TESTDATA) + "/seq/uniprot.fasta", true);
  expect_even_growth(0.25);
}

TEST_F(Progress, GrowsIfTheDatabaseIsOneBatch) {
  options_.group_nodes = 74;
  run(50, std::string(GPUHMM_TESTDATA) + "/seq/uniprot.fasta", true);
  expect_even_growth(0.25);
}

TEST_F(Progress, IsUnknownForAPipe) {
  const std::string pipe = folder_.write("pipe", "");
  std::filesystem::remove(pipe);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::jthread writer([&] { std::ofstream(pipe) << sequences_text_; });
  run(1, pipe, false);
  ASSERT_FALSE(notes_.after.empty());
  for (const std::optional<double>& fraction : notes_.after) EXPECT_FALSE(fraction);
  EXPECT_GT(notes_.meter.read().work, 74.0 * 3e6);
}

}  // namespace
}  // namespace gpuhmm
