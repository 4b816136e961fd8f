// What a scan finds is what HMMER's plain loop finds, whatever batches, groups, threads and engines are used.
#include "search/scan.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cfloat>
#include <chrono>
#include <sstream>
#include <thread>

#include "formats/profile/profile_writer.hpp"
#include "search/failing_engine.hpp"
#include "search/search_run.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;

using Hits = std::vector<std::vector<std::string>>;  // of each query

// The uncalibrated profile, whose P-values are near 1, stands where an E-value of 2 tells the ways of
// counting apart.
const std::initializer_list<const char*> kProfiles = {"Pkinase_ls.hmm",
                                                      "RRM_1_ls.hmm",
                                                      "RRM_1_g_uncalibrated.hmm",
                                                      "Pkinase_ls.hmm",
                                                      "RRM_1_ls.hmm",
                                                      "RRM_1_fs.hmm",
                                                      "RRM_1_s.hmm",
                                                      "RRM_1_ls.hmm",
                                                      "Acetyltransf_1_ls.hmm",
                                                      "Pkinase_ls.hmm",
                                                      "RRM_1_g_uncalibrated.hmm"};

// Proteins whose first one is not empty, and empty records.
std::string proteins(std::size_t step) {
  const std::string all = proteins_and_empty_records(step);
  return all.substr(all.find('\n') + 1);
}

// A profile of `copies` times the nodes, as HMMER2 text.
std::string lengthened(const Profile& from, int copies) {
  Profile to = from;
  to.name = from.name + "_long";
  to.map.clear();
  to.rf.clear();
  to.cs.clear();
  to.resize(copies * from.nodes);
  const auto residues = static_cast<std::size_t>(from.residues());
  const auto copy_row = [residues](const std::vector<float>& source, int k, std::vector<float>& target,
                                   int place) {
    std::copy_n(source.begin() + static_cast<std::ptrdiff_t>(residues) * k, residues,
                target.begin() + static_cast<std::ptrdiff_t>(residues) * place);
  };
  for (int k = 1; k <= to.nodes; ++k) {
    const int source = (k - 1) % from.nodes + 1;
    const int inner = source == from.nodes ? 1 : source;  // the last node has no transitions
    copy_row(from.match, source, to.match, k);
    if (k == to.nodes) break;
    copy_row(from.insert, inner, to.insert, k);
    to.transition[k] = from.transition[inner];
  }
  to.begin[1] = from.begin[1];
  to.end[to.nodes] = from.end[from.nodes];
  std::ostringstream text;
  write_hmmer2_text(text, to);
  return text.str();
}

// The loop of hmmpfam, one pair after the other, with one matrix a query.
Hits plain_scan(const std::string& profile_file, const std::string& sequence_file, const Thresholds& asked,
                ScanCounting counting) {
  const std::vector<Profile> profiles = read_profiles(profile_file);
  SequenceBatch batch;
  const auto reader = open_sequences(sequence_file, Alphabet::get(profiles.front().alphabet));
  read_block(*reader, batch, 1'000'000, 1'000'000'000);
  Hits found;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    ScanHits hits;
    MatrixRule rule = MatrixRule::for_scan(1);
    ViterbiMatrix matrix;
    for (std::size_t m = 0; m < profiles.size() && batch.length(i) > 0; ++m) {
      const Thresholds thresholds = thresholds_for(profiles[m], asked);
      const ScoreModel model(profiles[m], thresholds.forward ? WingFolding::Sum : WingFolding::Max);
      rule.set_nodes(model.nodes);
      const PairScore pair = score_pair(profiles[m], model, batch.residues(i), thresholds, rule, matrix);
      const std::size_t counted = i > 0 ? profiles.size() : m + (counting == ScanCounting::Serial ? 0 : 1);
      const int given = asked.database_size.value_or(0);
      const double size = given != 0 ? given : static_cast<double>(counted);
      if (!(pair.score >= thresholds.sequence_t && pair.p_value * size <= thresholds.sequence_e)) continue;
      const Consensus consensus(profiles[m]);
      PostprocessedPair result =
          postprocess(profiles[m], model, batch[i], pair.trace ? &*pair.trace : nullptr, pair.score,
                      thresholds, Target::Profile, &consensus);
      if (result.sequence) {
        result.sequence->target_index = m + 1;
        hits.sequences.push_back(*result.sequence);
      }
      for (DomainHit& domain : result.domains) {
        domain.target_index = m + 1;
        hits.domains.push_back(domain);
      }
    }
    found.push_back(describe_hits(hits));
  }
  return found;
}

struct ScanRun : ScanObserver {
  Hits found;
  std::vector<std::string> names, warnings;
  std::vector<ScanResult> results;

  ResultWriter result(const SequenceView& query, ScanResult&& result) override {
    return [this, name = std::string(query.name), result] {
      names.push_back(name);
      found.push_back(describe_hits(result.hits));
      results.push_back(result);
    };
  }
  void progress(const SearchStatistics&) override {}
  void warning(const std::string& message) override { warnings.push_back(message); }
};

class ScanTest : public ::testing::Test {
 protected:
  ScanTest() {
    options_.make_engines = [this](const ExpectedWork&, const Warning&) {
      std::vector<std::unique_ptr<ScoreEngine>> engines;
      engines.push_back(make_simd_engine(options_.threads));
      return engines;
    };
  }

  void use_profiles(std::initializer_list<const char*> names) {
    profiles_ = folder_.write("profiles.hmm", join_profiles(names));
  }
  void use_sequences(const std::string& content) { sequences_ = folder_.write("sequences.fasta", content); }

  ScanRun run(bool reopenable = true) {
    ScanRun run;
    openings_ = 0;
    const auto open_profiles = [this] {
      ++openings_;
      return ProfileBlocks(profiles_, options_.threads);
    };
    totals_ = scan(
        open_profiles, reopenable,
        [this](const Alphabet& letters) { return open_sequences(sequences_, letters); }, options_, run);
    return run;
  }

  Hits expected() const { return plain_scan(profiles_, sequences_, options_.thresholds, options_.counting); }

  TemporaryFolder folder_;
  std::string profiles_, sequences_;
  ScanOptions options_;
  SearchStatistics totals_;
  int openings_ = 0;
};

TEST_F(ScanTest, EveryWayFindsWhatThePlainLoopFinds) {
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

TEST_F(ScanTest, ThresholdsAndScoresOfAllKinds) {
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

// Pairs about HMMER's limit of memory, whose segments let its matrix grow: then pairs with short profiles,
// too, are aligned in segments, and some alignments come out otherwise.
TEST_F(ScanTest, LongQueriesMakeTheMatrixGrowAsInThePlainLoop) {
  const std::string few =
      join_profiles({"RRM_1_ls.hmm", "Acetyltransf_1_ls.hmm", "RRM_1_fs.hmm", "Pkinase_ls.hmm"});
  const std::string long_profile =
      lengthened(read_profiles(folder_.write("one", test_data("hmm/Pkinase_ls.hmm")))[0], 5);
  profiles_ = folder_.write("profiles.hmm", few + long_profile + few + few);
  SequenceBatch batch;
  const auto reader =
      open_sequences(std::string(GPUHMM_TESTDATA) + "/seq/uniprot.fasta", Alphabet::get(AlphabetKind::Amino));
  read_block(*reader, batch, 1'000'000, 1'000'000'000);
  std::string all;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    for (const std::uint8_t code : batch.residues(i)) all += Alphabet::get(AlphabetKind::Amino).letter(code);
  }
  std::string text;
  for (std::size_t i = 0; i < 12; ++i)
    text += ">long" + std::to_string(i) + "\n" + all.substr(2500 * i, 2150 + 60 * i) + "\n";
  use_sequences(text);
  options_.thresholds.sequence_e = 1e9;
  const Hits wanted = expected();
  for (const unsigned threads : {1U, 2U, 20U}) {
    options_.threads = threads;
    options_.small_batch = threads == 2 ? 0 : std::size_t{1} << 30;
    EXPECT_EQ(run().found, wanted);
  }
}

TEST_F(ScanTest, ProfilesAreReadOnceIfTheyCanBeKept) {
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

TEST_F(ScanTest, QueriesComeInOrderAndEmptyOnesToo) {
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

TEST_F(ScanTest, TheReportForgetsProfileCutoffsOnceSomethingIsRegistered) {
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

TEST_F(ScanTest, AFailingEngineIsReplaced) {
  use_profiles(kProfiles);
  use_sequences(proteins(12));
  const Hits wanted = expected();
  options_.device_named = true;
  options_.make_engines = [](const ExpectedWork&, const Warning&) {
    std::vector<std::unique_ptr<ScoreEngine>> engines;
    engines.push_back(std::make_unique<FailingEngine>("device", FailingEngine::Call::Score, 3));
    engines.push_back(make_simd_engine(1));
    return engines;
  };
  const ScanRun found = run();
  EXPECT_EQ(found.found, wanted);
  EXPECT_EQ(found.warnings.size(), 1U);
}

// Counts the profiles that it scores.
class CountingEngine : public ScoreEngine {
 public:
  explicit CountingEngine(std::atomic<int>& scored) : scored_(scored) {}
  std::string description() const override { return "device"; }
  unsigned concurrency() const override { return 2; }
  std::unique_ptr<PreparedBatch> prepare(const SequenceSet& sequences) override {
    return engine_->prepare(sequences);
  }
  void score(const ScoreModel& model, PreparedBatch& batch, std::optional<std::int32_t> threshold,
             std::span<std::int32_t> scores) override {
    ++scored_;
    engine_->score(model, batch, threshold, scores);
  }

 private:
  std::atomic<int>& scored_;
  std::unique_ptr<ScoreEngine> engine_ = make_simd_engine(1);
};

// A small batch past several groups of profiles: the device takes part as soon as it has started, and before
// that the host's threads begin.
TEST_F(ScanTest, ANamedDeviceSharesSmallBatches) {
  use_profiles(kProfiles);
  use_sequences(proteins(12));
  const Hits wanted = expected();
  options_.device_named = true;
  options_.small_group_nodes = 1;
  options_.batch_sequences = 3;
  for (const unsigned threads : {1U, 3U}) {
    options_.threads = threads;
    for (const bool slow : {false, true}) {
      std::atomic<int> scored = 0;
      options_.make_engines = [&](const ExpectedWork&, const Warning&) {
        if (slow) std::this_thread::sleep_for(std::chrono::milliseconds(50));
        std::vector<std::unique_ptr<ScoreEngine>> engines;
        engines.push_back(std::make_unique<CountingEngine>(scored));
        return engines;
      };
      EXPECT_EQ(run().found, wanted) << threads << " threads";
    }
  }
  options_.make_engines = [](const ExpectedWork&,
                             const Warning&) -> std::vector<std::unique_ptr<ScoreEngine>> {
    throw EngineFailure("no such device");
  };
  EXPECT_THROW(run(), EngineFailure);
}

// A library of one group is the device's alone.
TEST_F(ScanTest, ANamedDeviceKeepsFewProfiles) {
  use_profiles(kProfiles);
  use_sequences(proteins(12));
  options_.device_named = true;
  std::atomic<int> scored = 0;
  options_.make_engines = [&](const ExpectedWork&, const Warning&) {
    std::vector<std::unique_ptr<ScoreEngine>> engines;
    engines.push_back(std::make_unique<CountingEngine>(scored));
    return engines;
  };
  run();
  EXPECT_EQ(scored, totals_.profiles);
}

// Takes several profiles at a time and finishes them in another order.
class LanesEngine : public ScoreEngine {
 public:
  static constexpr unsigned kLanes = 3;

  explicit LanesEngine(std::atomic<int>& most) : most_(most) {}
  std::string description() const override { return "lanes"; }
  unsigned concurrency() const override { return kLanes; }
  std::unique_ptr<PreparedBatch> prepare(const SequenceSet& sequences) override {
    return engine_->prepare(sequences);
  }
  void score(const ScoreModel& model, PreparedBatch& batch, std::optional<std::int32_t> threshold,
             std::span<std::int32_t> scores) override {
    const int running = ++running_;
    int before = most_;
    while (before < running && !most_.compare_exchange_weak(before, running)) {
    }
    std::this_thread::sleep_for(std::chrono::microseconds(model.nodes % 3 * 300));
    engine_->score(model, batch, threshold, scores);
    --running_;
  }

 private:
  std::atomic<int>& most_;
  std::atomic<int> running_ = 0;
  std::unique_ptr<ScoreEngine> engine_ = make_simd_engine(1);
};

TEST_F(ScanTest, SeveralProfilesAtATimeOnAnEngineThatTakesThem) {
  use_profiles(kProfiles);
  use_sequences(proteins(12));
  options_.device_named = true;
  options_.thresholds.sequence_e = 2;
  const Hits wanted = expected();
  std::atomic<int> most = 0;
  options_.make_engines = [&most](const ExpectedWork&, const Warning&) {
    std::vector<std::unique_ptr<ScoreEngine>> engines;
    engines.push_back(std::make_unique<LanesEngine>(most));
    return engines;
  };
  for (const unsigned threads : {1U, 2U}) {
    options_.threads = threads;
    most = 0;
    EXPECT_EQ(run().found, wanted);
    if (threads == 1) {
      EXPECT_EQ(most, 1);
    } else {
      EXPECT_LE(most, static_cast<int>(LanesEngine::kLanes));
    }
  }
}

TEST_F(ScanTest, MissingCutoffsAndMaskingOfNucleicProfilesAreRefused) {
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
