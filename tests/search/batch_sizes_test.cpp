// How a search divides the sequences into batches: by what engines prefer, and by what the caller asks for.
#include <gtest/gtest.h>

#include "filter/sequence_set.hpp"
#include "gpuhmm/search.hpp"
#include "search/search_run.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;

// Records the sizes of the batches.
class MeasuringEngine : public ScoreEngine {
 public:
  MeasuringEngine(std::size_t preferred, std::vector<std::size_t>& batches)
      : preferred_(preferred), batches_(batches) {}
  std::string description() const override { return "measuring"; }
  std::size_t preferred_batch() const override { return preferred_; }
  std::unique_ptr<PreparedBatch> prepare(const SequenceSet& batch) override {
    batches_.push_back(batch.residue_count());
    return std::make_unique<PreparedBatch>();
  }
  void score(const ScoreModel&, PreparedBatch&, std::optional<std::int32_t>,
             std::span<std::int32_t> scores) override {
    std::ranges::fill(scores, -500'000);
  }

 private:
  std::size_t preferred_;
  std::vector<std::size_t>& batches_;
};

TEST(SearchBatches, AreAsLargeAsTheEnginePrefers) {
  TemporaryFolder folder;
  const std::string profiles = folder.write("profiles.hmm", join_profiles({"RRM_1_ls.hmm"}));
  SearchOptions options;
  constexpr std::size_t kMega = std::size_t{1} << 20;
  std::string text;
  for (int i = 0; i < 20; ++i) text += ">s\n" + std::string(kMega, 'A') + "\n";
  const std::string sequences = folder.write("many.fasta", text);
  using Batches = std::vector<std::size_t>;
  const auto batches = [&](std::size_t preferred, std::size_t asked) {
    Batches found;
    ExpectedWork expected;
    options.batch_residues = asked;
    options.make_engines = [&](const ExpectedWork& work, const Warning&, const EngineOpened&) {
      expected = work;
      std::vector<std::unique_ptr<ScoreEngine>> engines;
      engines.push_back(std::make_unique<MeasuringEngine>(preferred, found));
      return engines;
    };
    SearchRun().run(profiles, sequences, options, true);
    // The size of the input is known approximately before all of it is read.
    EXPECT_NEAR(expected.cells, 74 * 20.0 * kMega, 74 * 2.0 * kMega);
    EXPECT_FALSE(expected.more);
    for (std::size_t& residues : found) residues /= kMega;
    return found;
  };
  EXPECT_EQ(batches(256 * kMega, 0), (Batches{20}));
  EXPECT_EQ(batches(12 * kMega, 0), (Batches{12, 8}));
  EXPECT_EQ(batches(8 * kMega, 0), (Batches{8, 8, 4}));
  EXPECT_EQ(batches(256 * kMega, 15 * kMega), (Batches{15, 5}));
  // A small rest joins the last batch, unless the size is the caller's.
  EXPECT_EQ(batches(19 * kMega, 0), (Batches{20}));
  EXPECT_EQ(batches(9 * kMega + kMega / 2, 0), (Batches{10, 10}));
  EXPECT_EQ(batches(256 * kMega, 19 * kMega), (Batches{19, 1}));
}

}  // namespace
}  // namespace gpuhmm
