// A scan finds the hits of HMMER's plain loop with any batches, groups and threads.
#include <cfloat>

#include "gpuhmm/profile_file.hpp"
#include "search/long_cases.hpp"
#include "search/scan_run.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;

TEST_F(Scanning, FindsTheHitsOfThePlainLoopInEveryWay) {
  use_profiles(kProfiles);
  use_sequences(proteins(12));
  for (const ScanCounting counting : {ScanCounting::Serial, ScanCounting::Threaded}) {
    options_.counting = counting;
    options_.thresholds.sequence_e = 2;
    const Hits wanted = expected();
    for (const unsigned threads : {1U, 3U}) {
      for (const std::size_t small_batch : {std::size_t{0}, std::size_t{1} << 30}) {
        for (const double group : {1.0, 300.0, 1e9}) {
          for (const std::size_t residues : {std::size_t{1}, std::size_t{2000}, std::size_t{1} << 30}) {
            options_.threads = threads;
            options_.small_batch = small_batch;
            options_.small_group_nodes = options_.large_group_nodes = group;
            options_.batch_residues = residues;
            EXPECT_EQ(run().found, wanted) << threads << " threads, small batch " << small_batch << ", group "
                                           << group << ", batches of " << residues;
          }
        }
      }
    }
  }
}

TEST_F(Scanning, FindsTheHitsOfThePlainLoopWithAllThresholds) {
  use_profiles({"Pkinase_ls.hmm", "RRM_1_ls.hmm", "Acetyltransf_1_ls.hmm"});
  use_sequences(proteins(25));
  std::vector<Thresholds> kinds(6);
  kinds[0].sequence_t = -20;
  kinds[1].database_size = 5000;
  kinds[2].forward = true;
  kinds[3].null2 = false;
  kinds[3].sequence_e = 1e9;
  kinds[4].cutoff = CutoffKind::Gathering;
  kinds[5].domain_e = 1e-5;
  kinds[5].domain_t = 3;
  for (const Thresholds& thresholds : kinds) {
    for (const std::size_t small_batch : {std::size_t{0}, std::size_t{1} << 30}) {
      options_.thresholds = thresholds;
      options_.small_batch = small_batch;
      EXPECT_EQ(run().found, expected());
    }
  }
}

// Pairs around HMMER's memory limit, whose segments make its matrix grow. Then pairs with short profiles are
// also aligned in segments, and some alignments differ.
TEST_F(Scanning, GrowsTheMatrixByLongQueriesAsThePlainLoopDoes) {
  const std::string few =
      join_profiles({"RRM_1_ls.hmm", "Acetyltransf_1_ls.hmm", "RRM_1_fs.hmm", "Pkinase_ls.hmm"});
  const std::string long_profile =
      lengthened(read_profiles(folder_.write("one", test_data("hmm/Pkinase_ls.hmm")))[0], 5);
  profiles_ = folder_.write("profiles.hmm", few + long_profile + few + few);
  std::vector<std::size_t> lengths;
  for (std::size_t i = 0; i < 12; ++i) lengths.push_back(2150 + 60 * i);
  use_sequences(proteins_of_lengths(lengths));
  options_.thresholds.sequence_e = 1e9;
  const Hits wanted = expected();
  for (const unsigned threads : {1U, 2U, 20U}) {
    options_.threads = threads;
    options_.small_batch = threads == 2 ? 0 : std::size_t{1} << 30;
    EXPECT_EQ(run().found, wanted);
  }
}

TEST_F(Scanning, ReadsProfilesOnceIfTheyCanBeKept) {
  use_profiles(kProfiles);
  use_sequences(proteins(12));
  options_.batch_sequences = 10;
  const Hits wanted = run().found;
  EXPECT_EQ(openings_, 1);
  options_.kept_nodes = 100;
  EXPECT_EQ(run().found, wanted);
  EXPECT_GT(openings_, 2);
  EXPECT_EQ(run(false).found, wanted);
  EXPECT_EQ(openings_, 1);
}

TEST_F(Scanning, ReportsAllQueriesInOrder) {
  use_profiles({"RRM_1_ls.hmm"});
  use_sequences(">one\nACDEFGHIKL\n>two\n>three\nMKVLA\n");
  options_.batch_sequences = 1;
  const ScanRun found = run();
  EXPECT_EQ(found.names, (std::vector<std::string>{"one", "two", "three"}));
  EXPECT_EQ(totals_.sequences, 3);
  EXPECT_EQ(totals_.residues, 15);
  EXPECT_EQ(totals_.profiles, 1);
  EXPECT_TRUE(found.found[1].empty());
  for (const ScanResult& result : found.results) EXPECT_EQ(result.database_size, 1);
}

TEST_F(Scanning, DropsProfileCutoffsFromTheReportAfterAHit) {
  use_profiles({"RRM_1_ls.hmm"});
  use_sequences(test_data("seq/uniprot.fasta").substr(0, 8000) + "\n>none\nAC\n");
  options_.thresholds.cutoff = CutoffKind::Gathering;
  for (const ScanCounting counting : {ScanCounting::Serial, ScanCounting::Threaded}) {
    options_.counting = counting;
    bool seen = false;
    for (const ScanResult& result : run().results) {
      const bool any = !result.hits.sequences.empty();
      seen = seen || any;
      if (counting == ScanCounting::Serial) {
        EXPECT_EQ(result.thresholds.sequence_t == kNoScore, any);
      } else {
        EXPECT_EQ(result.thresholds.sequence_e == kNoEvalue, seen);
      }
    }
  }
}

TEST_F(Scanning, RefusesMissingCutoffsAndMaskingForNucleicProfiles) {
  use_profiles({"MADE1_fs.hmm"});
  use_sequences(">one\nACGT\n");
  options_.thresholds.cutoff = CutoffKind::Gathering;
  EXPECT_THROW(run(), SearchError);
  options_.thresholds = {};
  options_.thresholds.xnu = true;
  EXPECT_THROW(run(), SearchError);
}

}  // namespace
}  // namespace gpuhmm
