// The part of the work that a search says is done: it grows to 1, at about the pace of the work.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "search/search.hpp"
#include "search/search_run.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;

struct Recorder : SearchRun {
  std::vector<std::optional<double>> fractions;
  void progress(const SearchStatistics& so_far) override { fractions.push_back(so_far.fraction_done); }
};

class Progress : public ::testing::Test {
 protected:
  Progress() {
    options_.batch_residues = sequences_text_.size() / 20;
    options_.make_engines = [](const ExpectedWork&, const Warning&) {
      std::vector<std::unique_ptr<ScoreEngine>> engines;
      engines.push_back(make_simd_engine(1));
      return engines;
    };
  }

  // Searches `count` profiles of 74 nodes.
  std::vector<std::optional<double>> fractions(int count, const std::string& sequences, bool reopenable) {
    std::string profiles;
    for (int i = 0; i < count; ++i) profiles += test_data("hmm/RRM_1_ls.hmm");
    Recorder recorder;
    recorder.run(folder_.write("profiles.hmm", profiles), sequences, options_, reopenable);
    return recorder.fractions;
  }

  // Files are read in blocks, so small ones seem to be done sooner than they are: hence the tolerance.
  static void expect_even_growth(const std::vector<std::optional<double>>& fractions, double tolerance) {
    ASSERT_FALSE(fractions.empty());
    double before = 0;
    for (std::size_t i = 0; i < fractions.size(); ++i) {
      ASSERT_TRUE(fractions[i]);
      EXPECT_GE(*fractions[i], before) << i;
      EXPECT_NEAR(*fractions[i], static_cast<double>(i + 1) / static_cast<double>(fractions.size()),
                  tolerance)
          << i;
      before = *fractions[i];
    }
    EXPECT_DOUBLE_EQ(before, 1);
  }

  TemporaryFolder folder_;
  std::string sequences_text_ = [] {
    std::string text;
    while (text.size() < std::size_t{5} << 20) text += test_data("seq/uniprot.fasta");
    return text;
  }();
  SearchOptions options_;
};

TEST_F(Progress, GrowsWithProfilesAndBatchesOfOnePass) {
  expect_even_growth(fractions(5, folder_.write("s.fasta", sequences_text_), true), 0.1);
}

TEST_F(Progress, GrowsWithSeveralPasses) {
  options_.group_nodes = 10 * 74;
  options_.batch_residues = 40'000;
  expect_even_growth(fractions(50, std::string(GPUHMM_TESTDATA) + "/seq/uniprot.fasta", true), 0.25);
}

TEST_F(Progress, GrowsWhenTheDatabaseIsOneBatch) {
  options_.group_nodes = 74;
  expect_even_growth(fractions(50, std::string(GPUHMM_TESTDATA) + "/seq/uniprot.fasta", true), 0.25);
}

TEST_F(Progress, IsUnknownForAPipe) {
  const std::string pipe = folder_.write("pipe", "");
  std::filesystem::remove(pipe);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::jthread writer([&] { std::ofstream(pipe) << sequences_text_; });
  for (const std::optional<double>& fraction : fractions(1, pipe, false)) EXPECT_FALSE(fraction);
}

}  // namespace
}  // namespace gpuhmm
