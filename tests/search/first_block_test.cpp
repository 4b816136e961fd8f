// Engines of devices that are open before others begin with the first block of a search.
#include <gtest/gtest.h>

#include <future>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "filter/failing_engine.hpp"
#include "filter/sequence_set.hpp"
#include "search/search_run.hpp"
#include "search/sequence_blocks.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;

// The plain reference, which notes what it begins with, and whether it prepares that later.
class EarlyEngine : public FailingEngine {
 public:
  struct Notes {
    std::size_t models = 0;
    bool with_threshold = false;
    std::optional<SequenceSet> sequences;
    bool prepared = false;
  };

  explicit EarlyEngine(Notes& notes) : FailingEngine("early", Call::Score, kNever), notes_(notes) {}

  double expected_speed() const override { return 1e12; }
  bool prepares_ahead(std::size_t) const override { return true; }
  std::shared_future<void> begin(const SequenceSet& sequences, std::span<const ScoreModel* const> models,
                                 bool with_threshold) override {
    notes_ = {models.size(), with_threshold, sequences, false};
    return std::async(std::launch::async, [] {});
  }
  std::unique_ptr<PreparedBatch> prepare(const SequenceSet& sequences) override {
    if (notes_.sequences && *notes_.sequences == sequences) notes_.prepared = true;
    return FailingEngine::prepare(sequences);
  }

 private:
  static constexpr int kNever = 1'000'000;
  Notes& notes_;
};

// The first block must not grow: its size was chosen for the engines, or all is read.
TEST(Engines, BeginWithTheFirstBlockWhileOthersOpen) {
  const TemporaryFolder folder;
  const std::string sequences = folder.write("s.fasta", proteins_and_empty_records(10));
  const std::string profiles =
      folder.write("p.hmm", join_profiles({"RRM_1_ls.hmm", "RRM_1_fs.hmm", "RRM_1_ls.hmm", "RRM_1_fs.hmm",
                                           "RRM_1_ls.hmm", "RRM_1_fs.hmm", "RRM_1_ls.hmm", "RRM_1_fs.hmm"}));
  std::vector<std::vector<std::string>> expected;  // as found without that, in the first round
  for (const auto& [first_residues, batch_residues, begins] :
       {std::tuple(0U, 2'000U, false), std::tuple(1U, 2'000U, true), std::tuple(0U, 0U, true)}) {
    SequenceBlocks blocks(open_sequences(sequences, Alphabet::get(AlphabetKind::Amino)), false, false);
    const std::size_t size = batch_residues > 0 ? batch_residues : 1U << 30;
    const std::size_t first_block = blocks.next(1U << 20, size).sequences.size();
    SearchRun run;
    SearchOptions options;
    options.first_residues = first_residues;
    options.batch_residues = batch_residues;
    options.histogram = first_residues == 0;
    EarlyEngine::Notes notes[2];
    options.make_engines = [&](const ExpectedWork&, const Warning&, const EngineOpened& opened) {
      EXPECT_EQ(opened != nullptr, begins);
      std::vector<std::unique_ptr<ScoreEngine>> engines;
      for (EarlyEngine::Notes& own : notes) {
        engines.push_back(std::make_unique<EarlyEngine>(own));
        if (!opened) continue;
        opened(*engines.back(), std::size(notes));
        EXPECT_EQ(own.models, 8U);
        EXPECT_EQ(own.with_threshold, !options.histogram);
        EXPECT_EQ(own.sequences ? own.sequences->size() : 0, first_block);
      }
      engines.push_back(make_simd_engine(1));
      return engines;
    };
    run.run(profiles, sequences, options, true);
    EXPECT_EQ(notes[0].prepared || notes[1].prepared, begins);
    std::vector<std::vector<std::string>> found;
    for (const FoundByProfile& one : run.found) found.push_back(describe_hits(one.result));
    EXPECT_EQ(found.size(), 8U);
    if (expected.empty()) expected = found;
    EXPECT_EQ(found, expected);
  }
}

}  // namespace
}  // namespace gpuhmm
