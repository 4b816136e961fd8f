// Searches that share engines and sequences, side by side, and runs that are stopped.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gpuhmm/hmmer3_run.hpp"
#include "search/scan_run.hpp"
#include "search/search_run.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;

class SharedEngineRuns : public ::testing::Test {
 protected:
  static std::vector<std::unique_ptr<ScoreEngine>> engines() {
    std::vector<std::unique_ptr<ScoreEngine>> all;
    all.push_back(make_simd_engine(2));
    return all;
  }

  SearchOptions options() {
    SearchOptions options;
    options.engines = &pool_;
    return options;
  }
  std::unique_ptr<ResidentSequences> resident() {
    return ResidentSequences::read(open_sequences(proteins_, Alphabet::get(AlphabetKind::Amino)),
                                   AlphabetKind::Amino, pool_);
  }
  // All hits, warnings and counts.
  std::vector<std::string> found(const std::string& profiles, const SearchOptions& options) {
    SearchRun run;
    run.run(profiles, proteins_, options, true);
    std::vector<std::string> lines = run.warnings;
    for (const FoundByProfile& one : run.found) {
      lines.push_back(one.profile + " " + std::to_string(one.result.searched));
      for (const auto& more : {describe_hits(one.result), describe_histogram(one.result)}) {
        lines.insert(lines.end(), more.begin(), more.end());
      }
    }
    lines.push_back(std::to_string(run.totals.sequences) + " " + std::to_string(run.totals.residues));
    return lines;
  }

  TemporaryFolder folder_;
  std::string proteins_ = folder_.write("proteins.fasta", proteins_and_empty_records(3));
  std::string profiles_ = folder_.write(
      "profiles.hmm", join_profiles({"RRM_1_ls.hmm", "Pkinase_ls.hmm", "Acetyltransf_1_ls.hmm"}));
  EnginePool pool_{engines(), [](const std::string&) {}};
};

TEST_F(SharedEngineRuns, ResidentSequencesGiveTheSameHits) {
  const auto sequences = resident();
  ASSERT_NE(sequences, nullptr);
  for (const bool histogram : {false, true}) {
    for (const bool xnu : {false, true}) {
      for (const bool count_empty : {false, true}) {
        SearchOptions own = options();
        own.histogram = histogram;
        own.thresholds.xnu = xnu;
        own.count_empty = count_empty;
        const auto expected = found(profiles_, own);
        own.resident = sequences.get();
        EXPECT_EQ(found(profiles_, own), expected) << histogram << xnu << count_empty;
      }
    }
  }
}

TEST_F(SharedEngineRuns, ResidentSequencesOfAnotherAlphabetAreNotUsed) {
  const auto sequences = resident();
  const std::string dna = folder_.write("dna.hmm", join_profiles({"MADE1_fs.hmm"}));
  SearchOptions own = options();
  const auto expected = found(dna, own);
  own.resident = sequences.get();
  EXPECT_EQ(found(dna, own), expected);
}

TEST_F(SharedEngineRuns, ManyRunsSideBySideGiveTheSameHits) {
  const auto sequences = resident();
  const auto expected = found(profiles_, options());
  std::atomic<int> same = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 6; ++t) {
      threads.emplace_back([&, t] {
        SearchOptions own = options();
        if (t % 2 == 0) own.resident = sequences.get();
        for (int i = 0; i < 3; ++i) same += found(profiles_, own) == expected ? 1 : 0;
      });
    }
  }
  EXPECT_EQ(same, 18);
}

TEST_F(SharedEngineRuns, AStoppedRunThrows) {
  std::atomic<bool> stop = true;
  SearchOptions own = options();
  own.stop = &stop;
  EXPECT_THROW(found(profiles_, own), RunStopped);
  stop = false;
  EXPECT_EQ(found(profiles_, own), found(profiles_, options()));

  ScanOptions scanning;
  scanning.engines = &pool_;
  scanning.stop = &stop;
  const auto run_scan = [&] {
    ScanRun observer;
    scan([&] { return ProfileBlocks(profiles_, 1); }, true,
         [&](const Alphabet& alphabet) { return open_sequences(proteins_, alphabet); }, scanning, observer);
  };
  EXPECT_NO_THROW(run_scan());
  stop = true;
  EXPECT_THROW(run_scan(), RunStopped);
}

class Hmmer3Stop : public hmmer3::SearchObserver {
 public:
  explicit Hmmer3Stop(std::atomic<bool>& stop) : stop_(stop) {}
  ResultWriter result(const hmmer3::Query&, hmmer3::QueryResult&&, const hmmer3::QueryTimes&) override {
    return [this] {
      stop_ = true;
      ++written;
    };
  }
  void warning(const std::string& message) override { ADD_FAILURE() << message; }

  int written = 0;

 private:
  std::atomic<bool>& stop_;
};

TEST_F(SharedEngineRuns, Hmmer3RunsStopBetweenQueries) {
  std::string text;
  for (int i = 0; i < 5; ++i) text += join_profiles({"RRM_1_hmmer3.hmm"});
  const std::string profiles = folder_.write("hmmer3.hmm", text);
  std::atomic<bool> stop = false;
  hmmer3::SearchOptions options;
  options.group_nodes = 1;
  options.stop = &stop;
  const SequenceOpener open = [&](const Alphabet& alphabet) { return open_sequences(proteins_, alphabet); };
  {
    Hmmer3Stop observer(stop);
    hmmer3::ProfileReader reader(profiles);
    EXPECT_THROW(hmmer3::search(reader, open, true, options, observer), RunStopped);
    EXPECT_EQ(observer.written, 1);
  }
  Hmmer3Stop observer(stop);
  const hmmer3::ProfileOpener open_profiles = [&] { return hmmer3::ProfileReader(profiles); };
  EXPECT_THROW(hmmer3::scan(open_profiles, true, open, options, observer), RunStopped);
  EXPECT_EQ(observer.written, 0);
}

}  // namespace
}  // namespace gpuhmm
