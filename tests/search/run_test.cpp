// The common parts of searches and scans: blocks of sequences, reading ahead, engines of the run or of the
// caller, and the observer's last call.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "filter/sequence_set.hpp"
#include "plan7/aligner.hpp"
#include "plan7/score_model.hpp"
#include "search/scan_run.hpp"
#include "search/search_run.hpp"
#include "search/sequence_blocks.hpp"
#include "util/read_ahead.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;

struct Item {
  int number = 0;
  bool last = false;
};

TEST(ReadAhead, TakesAllItemsInOrder) {
  int read = 0;
  std::vector<int> taken;
  const auto next = [&read] { return Item{++read, read == 3}; };
  const auto take = [&taken](Item& item) { taken.push_back(std::exchange(item, {-1, true}).number); };
  read_ahead(Item{0, false}, next, take);
  EXPECT_EQ(taken, (std::vector{0, 1, 2, 3}));
}

TEST(ReadAhead, PassesOnExceptionsOfReadingAndWorking) {
  const auto fail = []() -> Item { throw std::runtime_error("read"); };
  EXPECT_THROW(read_ahead(Item{0, false}, fail, [](Item&) {}), std::runtime_error);
  const auto next = [] { return Item{1, true}; };
  EXPECT_THROW(read_ahead(Item{0, false}, next, [](Item&) { throw std::logic_error("work"); }),
               std::logic_error);
}

class BlocksOfSequences : public ::testing::Test {
 protected:
  SequenceBlocks open(bool mask, bool count_empty) {
    const std::string repeats(60, 'Q');
    const std::string path = folder_.write("s.fasta", ">a\nMKLV\n>empty\n>b\n" + repeats + "\n>c\nMK\n");
    return {open_sequences(path, Alphabet::get(AlphabetKind::Amino)), mask, count_empty};
  }

  TemporaryFolder folder_;
};

TEST_F(BlocksOfSequences, ContinueNumbersFromBlockToBlock) {
  using Ordinals = std::vector<std::int64_t>;
  SequenceBlocks blocks = open(false, false);
  const SequenceBlock first = blocks.next(2, 1000);
  EXPECT_EQ(first.ordinals, (Ordinals{1, 1}));
  EXPECT_FALSE(first.last);
  const SequenceBlock second = blocks.next(10, 1000);
  EXPECT_EQ(second.ordinals, (Ordinals{2, 3}));
  EXPECT_EQ(second.counted_before, 1);
  EXPECT_EQ(second.counted_after, 3);
  EXPECT_TRUE(second.last);
  EXPECT_EQ(second.read, 1.0);
  EXPECT_EQ(open(false, true).next(10, 1000).ordinals, (Ordinals{1, 2, 3, 4}));
}

// Visiting only the first sequence of each length leaves the matrix as visiting all does.
TEST(BlockOfSequences, ListsThoseThatCanChangeTheMatrix) {
  std::mt19937 random(7);
  const TemporaryFolder folder;
  for (const int nodes : {10, 300, 2000}) {
    for (const std::size_t longest : {30U, 3000U, 30'000U}) {
      std::string text;
      for (int i = 0; i < 60; ++i) {
        text += ">s\n" + std::string(random() % 3 == 0 ? random() % 8 : random() % longest, 'A') + "\n";
      }
      SequenceBlocks blocks(open_sequences(folder.write("s.fasta", text), Alphabet::get(AlphabetKind::Amino)),
                            false, false);
      SequenceBlock block = blocks.next(20, 100'000'000);
      blocks.extend(block, 60, 100'000'000);
      ASSERT_EQ(block.sequences.size(), 60U);
      MatrixRule all(nodes), some(nodes);
      auto next = block.new_lengths.begin();
      for (std::size_t i = 0; i < block.sequences.size(); ++i) {
        const auto length = static_cast<std::int64_t>(block.sequences.length(i));
        if (length > 0) all.visit(length);
        if (next != block.new_lengths.end() && *next == i) {
          some.visit(length);
          ++next;
        }
        ASSERT_EQ(std::pair(all.rows(), all.columns()), std::pair(some.rows(), some.columns())) << i;
      }
      EXPECT_EQ(next, block.new_lengths.end());
    }
  }
}

// An engine that tells when it is released.
class MarkedEngine : public ScoreEngine {
 public:
  explicit MarkedEngine(std::promise<void>& released) : released_(released), engine_(make_simd_engine(1)) {}
  ~MarkedEngine() override { released_.set_value(); }

  std::string description() const override { return "marked"; }
  std::unique_ptr<PreparedBatch> prepare(const SequenceSet& sequences) override {
    return engine_->prepare(sequences);
  }
  void score(const ScoreModel& model, PreparedBatch& batch, std::optional<std::int32_t> threshold,
             std::span<std::int32_t> scores) override {
    engine_->score(model, batch, threshold, scores);
  }

 private:
  std::promise<void>& released_;
  std::unique_ptr<ScoreEngine> engine_;
};

// Waits in the last result until the engine is gone.
struct WaitingRun : SearchRun {
  std::future<void> released;
  std::size_t last = 0;
  bool gone = false;

  ResultWriter result(const Profile& profile, const Thresholds& thresholds, SearchResult&& answer) override {
    if (last-- == 1) gone = released.wait_for(std::chrono::seconds(20)) == std::future_status::ready;
    return SearchRun::result(profile, thresholds, std::move(answer));
  }
};

TEST(Engines, AreReleasedWhileTheLastResultIsWritten) {
  const TemporaryFolder folder;
  const std::string sequences = folder.write("s.fasta", proteins_and_empty_records(20));
  for (const bool reopenable : {false, true}) {
    std::promise<void> released;
    WaitingRun run;
    run.released = released.get_future();
    run.last = 2;
    SearchOptions options;
    options.batch_sequences = 50;
    options.make_engines = [&](const ExpectedWork&, const Warning&, const EngineOpened&) {
      std::vector<std::unique_ptr<ScoreEngine>> engines;
      engines.push_back(std::make_unique<MarkedEngine>(released));
      engines.push_back(make_simd_engine(1));
      return engines;
    };
    run.run(folder.write("p.hmm", join_profiles({"RRM_1_fs.hmm", "RRM_1_ls.hmm"})), sequences, options,
            reopenable);
    EXPECT_TRUE(run.gone);
    EXPECT_EQ(run.found.size(), 2U);
    EXPECT_EQ(run.totals.engine, "marked");
    EXPECT_EQ(run.totals.batch_sequences, 50U);
  }
}

// What is read before engines are made may be enough to know all of the work.
TEST(Engines, MayBeMadeWhenAllIsRead) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 300; ++i) text += ">s\n" + std::string(30'000, "ACDEFGHIKL"[i % 10]) + "\n";
  const std::string sequences = folder.write("s.fasta", text);
  const std::string profiles = folder.write("p.hmm", join_profiles({"RRM_1_fs.hmm"}));
  for (const std::size_t first_residues : {std::size_t{0}, std::size_t{16'000'000}}) {
    SearchRun run;
    SearchOptions options;
    options.thresholds.sequence_e = 1e-6;
    options.first_residues = first_residues;
    double cells = 0;
    options.make_engines = [&](const ExpectedWork& work, const Warning&, const EngineOpened&) {
      cells = work.cells;
      std::vector<std::unique_ptr<ScoreEngine>> engines;
      engines.push_back(make_simd_engine(1));
      return engines;
    };
    run.run(profiles, sequences, options, true);
    EXPECT_EQ(run.totals.residues, 9'000'000);
    EXPECT_EQ(cells == run.totals.cells, first_residues > 0) << cells;
  }
}

TEST_F(BlocksOfSequences, AreTheSameExtendedOrReadAtOnce) {
  SequenceBlocks blocks = open(true, false);
  SequenceBlock block = blocks.next(10, 1);
  EXPECT_EQ(block.sequences.size(), 1U);
  blocks.extend(block, 10, 1000);
  const SequenceBlock whole = open(true, false).next(10, 1000);
  ASSERT_EQ(block.sequences.size(), 4U);
  EXPECT_EQ(block.new_lengths, whole.new_lengths);
  EXPECT_EQ(block.ordinals, whole.ordinals);
  EXPECT_TRUE(block.last);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_TRUE(std::ranges::equal(block.sequences.residues(i), whole.sequences.residues(i))) << i;
  }
  const SequenceBlock unmasked = open(false, false).next(10, 1000);
  EXPECT_FALSE(std::ranges::equal(block.sequences.residues(2), unmasked.sequences.residues(2)));
}

// An engine that counts its objects and its batches.
class LivingEngine : public ScoreEngine {
 public:
  struct Counts {
    std::atomic<int> alive = 0;
    int prepared = 0;
  };

  explicit LivingEngine(Counts& counts) : counts_(counts) { ++counts_.alive; }
  LivingEngine(const LivingEngine&) = delete;
  LivingEngine& operator=(const LivingEngine&) = delete;
  ~LivingEngine() override { --counts_.alive; }
  std::string description() const override { return "living"; }
  std::unique_ptr<PreparedBatch> prepare(const SequenceSet& batch) override {
    ++counts_.prepared;
    return engine_->prepare(batch);
  }
  void score(const ScoreModel& model, PreparedBatch& batch, std::optional<std::int32_t> threshold,
             std::span<std::int32_t> scores) override {
    engine_->score(model, batch, threshold, scores);
  }

 private:
  Counts& counts_;
  std::unique_ptr<ScoreEngine> engine_ = make_simd_engine(1);
};

// Records how many engines are alive, and how many results were written, at the last call.
template <class Observed>
struct LastCall : Observed {
  explicit LastCall(const LivingEngine::Counts& counts) : counts_(counts) {}
  void finished(const SearchStatistics& statistics) override {
    ++calls;
    alive = counts_.alive;
    last = statistics;
    written = this->found.size();
  }

  int calls = 0, alive = 0;
  std::size_t written = 0;
  SearchStatistics last;

 private:
  const LivingEngine::Counts& counts_;
};

class SearchesAndScans : public ::testing::Test {
 protected:
  std::vector<std::unique_ptr<ScoreEngine>> engines() {
    std::vector<std::unique_ptr<ScoreEngine>> made;
    made.push_back(std::make_unique<LivingEngine>(counts_));
    return made;
  }
  RunOptions own_engines() {
    RunOptions options;
    options.make_engines = [this](const ExpectedWork&, const Warning&, const EngineOpened&) {
      return engines();
    };
    return options;
  }

  LastCall<SearchRun> search_with(const RunOptions& options) {
    LastCall<SearchRun> run(counts_);
    run.run(profiles_, sequences_, SearchOptions{options}, true);
    EXPECT_EQ(run.calls, 1);
    EXPECT_EQ(run.written, run.found.size());
    EXPECT_EQ(run.last.profiles, 2);
    EXPECT_EQ(run.last.cells, run.totals.cells);
    return run;
  }
  LastCall<ScanRun> scan_with(const RunOptions& options) {
    LastCall<ScanRun> run(counts_);
    ScanOptions asked{options};
    asked.small_batch = 0;
    const SearchStatistics totals =
        scan([this] { return ProfileBlocks(profiles_, 1); }, true,
             [this](const Alphabet& letters) { return open_sequences(sequences_, letters); }, asked, run);
    EXPECT_EQ(run.calls, 1);
    EXPECT_EQ(run.written, static_cast<std::size_t>(totals.sequences));
    EXPECT_EQ(run.last.cells, totals.cells);
    return run;
  }

  LivingEngine::Counts counts_;
  TemporaryFolder folder_;
  std::string profiles_ = folder_.write("p.hmm", join_profiles({"RRM_1_ls.hmm", "RRM_1_fs.hmm"}));
  std::string sequences_ = folder_.write("s.fasta", proteins_and_empty_records(40));
};

// A search need not wait for the last call.
TEST_F(SearchesAndScans, DestroyTheirEngines) {
  for (int i = 0; i < 2; ++i) {
    search_with(own_engines());
    EXPECT_EQ(counts_.alive, 0);
    EXPECT_EQ(scan_with(own_engines()).alive, 1);
    EXPECT_EQ(counts_.alive, 0);
  }
}

TEST_F(SearchesAndScans, ShareEnginesOfTheCaller) {
  const auto expected = search_with(own_engines());
  const Hits expected_scan = scan_with(own_engines()).found;
  EnginePool pool(engines(), [](const std::string&) {});
  RunOptions options;
  options.engines = &pool;
  counts_.prepared = 0;
  for (int i = 0; i < 2; ++i) {
    const auto run = search_with(options);
    ASSERT_EQ(run.found.size(), expected.found.size());
    for (std::size_t p = 0; p < run.found.size(); ++p) {
      EXPECT_EQ(describe_hits(run.found[p].result), describe_hits(expected.found[p].result));
    }
    EXPECT_EQ(scan_with(options).found, expected_scan);
    EXPECT_EQ(counts_.alive, 1);
  }
  EXPECT_EQ(counts_.prepared, 4) << "one batch for each run";
}

TEST_F(SearchesAndScans, NeedNoEnginesForForwardScores) {
  EnginePool pool(engines(), [](const std::string&) {});
  RunOptions options;
  options.engines = &pool;
  options.thresholds.forward = true;
  search_with(options);
  scan_with(options);
  EXPECT_EQ(counts_.prepared, 0);
}

}  // namespace
}  // namespace gpuhmm
