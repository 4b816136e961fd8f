// The result of a search does not depend on batches, threads, passes, engines or the filter.
#include "gpuhmm/search.hpp"

#include <gtest/gtest.h>

#include <cfloat>

#include "filter/failing_engine.hpp"
#include "filter/opencl/opencl_engine.hpp"
#include "filter/sequence_set.hpp"
#include "search/search_run.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;
using EngineList = std::vector<std::unique_ptr<ScoreEngine>>;

DeviceInfo cpu_device() {
  for (const DeviceInfo& device : list_devices()) {
    if (device.type == DeviceType::Cpu) return device;
  }
  throw std::runtime_error("no OpenCL CPU device: is PoCL installed?");
}

enum class Engine { Reference, Simd, OpenCl };

EngineList make_engines(Engine engine, unsigned threads) {
  EngineList engines;
  if (engine == Engine::OpenCl) {
    OpenClOptions options;
    options.long_sequence = 1'000'000;  // nothing is left to the host
    engines.push_back(make_opencl_engine(cpu_device(), std::move(options)));
  }
  engines.push_back(engine == Engine::Reference ? make_reference_engine(threads) : make_simd_engine(threads));
  return engines;
}

// Settings of a search that must not change its result.
struct Way {
  Engine engine = Engine::Reference;
  unsigned threads = 1;
  std::size_t batch_residues = SearchOptions().batch_residues;
  std::size_t batch_sequences = SearchOptions().batch_sequences;
  std::size_t group_nodes = SearchOptions().group_nodes;
  bool reopenable = true;

  std::string text() const {
    return "engine " + std::to_string(static_cast<int>(engine)) + ", threads " + std::to_string(threads) +
           ", batches of " + std::to_string(batch_residues) + " residues or " +
           std::to_string(batch_sequences) + " sequences, groups of " + std::to_string(group_nodes) +
           (reopenable ? " nodes" : " nodes, one pass");
  }
};

std::vector<Way> many_ways() {
  constexpr std::size_t kAll = std::size_t{1} << 30;
  std::vector<Way> ways;
  for (const Engine engine : {Engine::Reference, Engine::Simd, Engine::OpenCl}) {
    ways.push_back({.engine = engine, .threads = 2});
    ways.push_back({.engine = engine, .threads = 7, .batch_residues = 3000, .group_nodes = 100});
    ways.push_back({.engine = engine, .threads = 1, .batch_sequences = 9, .group_nodes = 1});
  }
  ways.push_back({.engine = Engine::Simd, .threads = 2, .batch_residues = 1});
  ways.push_back({.engine = Engine::Simd, .threads = 7, .batch_sequences = 1, .reopenable = false});
  ways.push_back({.engine = Engine::Simd, .threads = 1, .batch_residues = kAll, .reopenable = false});
  ways.push_back({.engine = Engine::Simd, .threads = 2, .group_nodes = 1, .reopenable = false});
  ways.push_back({.engine = Engine::Simd, .threads = 7, .group_nodes = 160});
  return ways;
}

class Searching : public ::testing::Test {
 protected:
  Searching() { options_.thresholds.sequence_e = 100; }

  void use_profiles(std::initializer_list<const char*> names) {
    profiles_ = folder_.write("profiles.hmm", join_profiles(names));
  }
  void use_sequences(const std::string& content) { sequences_ = folder_.write("sequences.fasta", content); }

  SearchRun run(const Way& way, bool histogram = true) {
    SearchOptions options = options_;
    options.histogram = histogram;
    options.threads = way.threads;
    options.batch_residues = way.batch_residues;
    options.batch_sequences = way.batch_sequences;
    options.group_nodes = way.group_nodes;
    options.make_engines = [&](const ExpectedWork&, const Warning&, const EngineOpened&) {
      return make_engines(way.engine, way.threads);
    };
    SearchRun run;
    run.run(profiles_, sequences_, options, way.reopenable);
    return run;
  }

  static void expect_same_hits(const SearchRun& expected, const SearchRun& run) {
    ASSERT_EQ(run.found.size(), expected.found.size());
    for (std::size_t i = 0; i < run.found.size(); ++i) {
      EXPECT_EQ(run.found[i].profile, expected.found[i].profile);
      EXPECT_EQ(describe_hits(run.found[i].result), describe_hits(expected.found[i].result));
      EXPECT_EQ(run.found[i].result.searched, expected.found[i].result.searched);
    }
    EXPECT_EQ(run.totals.profiles, expected.totals.profiles);
    EXPECT_EQ(run.totals.sequences, expected.totals.sequences);
    EXPECT_EQ(run.totals.residues, expected.totals.residues);
    EXPECT_EQ(run.totals.cells, expected.totals.cells);
    EXPECT_TRUE(run.warnings.empty());
  }

  static void expect_same_histograms(const SearchRun& expected, const SearchRun& run) {
    for (std::size_t i = 0; i < run.found.size(); ++i) {
      EXPECT_EQ(describe_histogram(run.found[i].result), describe_histogram(expected.found[i].result));
      EXPECT_EQ(run.found[i].result.histogram.total(), run.found[i].result.searched);
    }
  }

  // Compares all settings with the default ones, with exact scores of all sequences and with the filter.
  void expect_all_ways_equal() {
    const SearchRun expected = run({});
    for (const Way& way : many_ways()) {
      SCOPED_TRACE(way.text());
      const SearchRun exact = run(way);
      expect_same_hits(expected, exact);
      expect_same_histograms(expected, exact);
      SCOPED_TRACE("filter");
      const SearchRun filtered = run(way, false);
      expect_same_hits(expected, filtered);
      EXPECT_EQ(filtered.found.at(0).result.histogram.total(), 0);
    }
  }

  // Compares searches with the filter by every engine with one without it; returns how many that one aligned.
  std::int64_t rescored_with_filter_equal() {
    const SearchRun expected = run({});
    std::int64_t rescored = 0;
    for (const FoundByProfile& found : expected.found) rescored += found.result.rescored;
    for (const Engine engine : {Engine::Reference, Engine::Simd, Engine::OpenCl}) {
      const Way way{.engine = engine, .threads = 2, .batch_residues = 20'000};
      SCOPED_TRACE(way.text());
      expect_same_hits(expected, run(way, false));
    }
    return rescored;
  }

  TemporaryFolder folder_;
  std::string profiles_, sequences_;
  SearchOptions options_;
};

TEST_F(Searching, GivesTheSameViterbiResultsInEveryWay) {
  use_profiles({"RRM_1_ls.hmm", "RRM_1_fs.hmm", "RRM_1_g_uncalibrated.hmm", "Acetyltransf_1_ls.hmm"});
  use_sequences(proteins_and_empty_records(8));
  expect_all_ways_equal();
}

TEST_F(Searching, GivesTheSameForwardResultsInEveryWay) {
  use_profiles({"RRM_1_s.hmm", "RRM_1_ls.hmm"});
  use_sequences(proteins_and_empty_records(20));
  options_.thresholds.forward = true;
  const SearchRun expected = run({});
  for (const Way& way : many_ways()) {
    SCOPED_TRACE(way.text());
    const SearchRun other = run(way);
    expect_same_hits(expected, other);
    expect_same_histograms(expected, other);
  }
}

TEST_F(Searching, GivesTheSameMaskedResultsInEveryWay) {
  use_profiles({"RRM_1_s.hmm", "RRM_1_ls.hmm"});
  use_sequences(proteins_and_empty_records(10) + ">repeats\n" + std::string(60, 'Q') + "KGFGFVRF\n");
  const SearchRun unmasked = run({});
  options_.thresholds.xnu = true;
  expect_all_ways_equal();
  EXPECT_NE(describe_histogram(run({}).found[0].result), describe_histogram(unmasked.found[0].result));
}

TEST_F(Searching, GivesTheSameNucleicResultsInEveryWay) {
  use_profiles({"MADE1_fs.hmm"});
  use_sequences(test_data("dna/phiX174.fna") + ">empty\n>short\nACGTN\n");
  expect_all_ways_equal();
}

TEST_F(Searching, FindsTheSameHitsWithTheFilterForEveryThreshold) {
  use_profiles({"RRM_1_ls.hmm", "Acetyltransf_1_ls.hmm"});
  use_sequences(proteins_and_empty_records(4));
  Thresholds none;
  none.sequence_e = DBL_MAX;
  std::vector<Thresholds> asked(9, none);
  asked[0].sequence_e = 1e-4;
  asked[1].sequence_t = 5;
  asked[2] = Thresholds();
  asked[2].database_size = 40'000'000;
  asked[3] = Thresholds();
  asked[3].domain_e = 1e-9F;
  asked[4].domain_t = 30;
  asked[5].cutoff = CutoffKind::Gathering;
  asked[6].cutoff = CutoffKind::Trusted;
  asked[7].cutoff = CutoffKind::Noise;
  asked[8].sequence_e = 3;
  asked[8].sequence_t = -40;
  asked[8].null2 = false;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    SCOPED_TRACE("thresholds " + std::to_string(i));
    options_.thresholds = asked[i];
    EXPECT_GT(rescored_with_filter_equal(), 0);
  }
}

TEST_F(Searching, WorksWithAFilterThatAllOrNoSequencesPass) {
  use_profiles({"RRM_1_ls.hmm", "RRM_1_g_uncalibrated.hmm"});
  use_sequences(proteins_and_empty_records(6));
  options_.thresholds = Thresholds();
  options_.thresholds.sequence_e = DBL_MAX;
  const SearchRun all = run({});
  EXPECT_EQ(rescored_with_filter_equal(), 2 * all.totals.sequences);
  EXPECT_EQ(all.found[0].result.sequences.size(), static_cast<std::size_t>(all.totals.sequences));

  options_.thresholds.sequence_t = 1e6F;
  EXPECT_EQ(rescored_with_filter_equal(), 0);
  EXPECT_TRUE(run({}).found[0].result.sequences.empty());
}

// Gives scores that are up to 30 bits too high if upper bounds are allowed.
class LooseEngine : public ScoreEngine {
 public:
  std::string description() const override { return "loose"; }
  std::unique_ptr<PreparedBatch> prepare(const SequenceSet& batch) override {
    return reference_->prepare(batch);
  }
  void score(const ScoreModel& model, PreparedBatch& batch, std::optional<std::int32_t> threshold,
             std::span<std::int32_t> scores) override {
    reference_->score(model, batch, threshold, scores);
    if (!threshold) return;
    for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += static_cast<std::int32_t>(i * 7919 % 30'000);
  }

 private:
  std::unique_ptr<ScoreEngine> reference_ = make_reference_engine(1);
};

TEST_F(Searching, RescoresUpperBoundsThatPass) {
  use_profiles({"RRM_1_ls.hmm", "RRM_1_g_uncalibrated.hmm"});
  use_sequences(proteins_and_empty_records(8));
  options_.thresholds.sequence_e = 1;
  const SearchRun expected = run({});
  options_.histogram = false;
  options_.make_engines = [](const ExpectedWork&, const Warning&, const EngineOpened&) {
    EngineList engines;
    engines.push_back(std::make_unique<LooseEngine>());
    return engines;
  };
  SearchRun loose;
  loose.run(profiles_, sequences_, options_, true);
  expect_same_hits(expected, loose);
  EXPECT_GT(loose.found[0].result.rescored, expected.found[0].result.rescored);
}

TEST_F(Searching, DoesNotCountSequencesWithoutResidues) {
  use_profiles({"RRM_1_ls.hmm", "RRM_1_g_uncalibrated.hmm"});
  use_sequences(">a\n>b no residues\n>c\n");
  for (const Way& way : many_ways()) {
    SCOPED_TRACE(way.text());
    for (const bool histogram : {true, false}) {
      const SearchRun nothing = run(way, histogram);
      ASSERT_EQ(nothing.found.size(), 2U);
      for (const FoundByProfile& found : nothing.found) {
        EXPECT_EQ(found.result.searched, 0);
        EXPECT_EQ(found.result.histogram.total(), 0);
        EXPECT_TRUE(describe_hits(found.result).empty());
      }
    }
  }
}

TEST_F(Searching, SkipsEmptyRecordsInTargetNumbers) {
  use_profiles({"RRM_1_ls.hmm"});
  use_sequences(">empty\n>first\nMKLV\n>empty\n>second\nACDEF\n");
  options_.thresholds.sequence_e = DBL_MAX;
  for (const std::size_t residues : {std::size_t{1}, std::size_t{1000}}) {
    const SearchRun found = run({.batch_residues = residues});
    const std::vector<SequenceHit>& hits = found.found.at(0).result.sequences;
    ASSERT_EQ(hits.size(), 2U);
    EXPECT_EQ(hits[0].target_index, 1U);
    EXPECT_EQ(hits[1].target_index, 2U);
  }
}

TEST_F(Searching, ReadsTheDatabaseAsOftenAsNeeded) {
  use_profiles({"RRM_1_ls.hmm", "RRM_1_fs.hmm", "RRM_1_s.hmm"});
  use_sequences(proteins_and_empty_records(30));
  EXPECT_EQ(run({.group_nodes = 1}).openings, 1) << "a database of one batch is kept";
  EXPECT_EQ(run({.batch_sequences = 3, .group_nodes = 1}).openings, 3);
  EXPECT_EQ(run({.batch_sequences = 3, .group_nodes = 75}).openings, 2);
  EXPECT_EQ(run({.batch_sequences = 3}).openings, 1);
  EXPECT_EQ(run({.batch_sequences = 3, .group_nodes = 1, .reopenable = false}).openings, 1);
}

TEST_F(Searching, GivesTheSameResultsIfAnEngineIsLost) {
  use_profiles({"RRM_1_ls.hmm", "RRM_1_fs.hmm", "RRM_1_s.hmm"});
  use_sequences(proteins_and_empty_records(15));
  const SearchRun expected = run({});
  options_.threads = 2;
  options_.batch_sequences = 8;
  options_.group_nodes = 100;
  for (const FailingEngine::Call call : {FailingEngine::Call::Prepare, FailingEngine::Call::Score}) {
    for (int failing = 1; failing <= 4; ++failing) {
      SCOPED_TRACE("call " + std::to_string(failing));
      options_.make_engines = [&](const ExpectedWork&, const Warning&, const EngineOpened&) {
        EngineList engines;
        engines.push_back(std::make_unique<FailingEngine>("device", call, failing));
        engines.push_back(make_simd_engine(2));
        return engines;
      };
      SearchRun lost;
      lost.run(profiles_, sequences_, options_, true);
      ASSERT_EQ(lost.warnings.size(), 1U);
      lost.warnings.clear();
      expect_same_hits(expected, lost);
      expect_same_histograms(expected, lost);
    }
  }
}

TEST_F(Searching, FailsWithoutEnginesLeft) {
  use_profiles({"RRM_1_ls.hmm", "RRM_1_fs.hmm"});
  use_sequences(proteins_and_empty_records(30));
  options_.threads = 2;
  options_.make_engines = [](const ExpectedWork&, const Warning&, const EngineOpened&) {
    EngineList engines;
    engines.push_back(std::make_unique<FailingEngine>("device", FailingEngine::Call::Score, 2));
    return engines;
  };
  SearchRun failing;
  EXPECT_THROW(failing.run(profiles_, sequences_, options_, true), EngineFailure);
}

TEST_F(Searching, RefusesMissingCutoffsAndMaskingForNucleicProfiles) {
  use_profiles({"MADE1_fs.hmm"});
  use_sequences(">a\nACGT\n");
  options_.thresholds.xnu = true;
  EXPECT_THROW(run({}), SearchError);
  options_.thresholds = Thresholds();
  options_.thresholds.cutoff = CutoffKind::Gathering;
  EXPECT_THROW(run({}), SearchError);
}

}  // namespace
}  // namespace gpuhmm
