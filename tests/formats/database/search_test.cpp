// A search of a prepared database gives the report of a search of the sequence file.
#include "gpuhmm/search.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "gpuhmm/engine.hpp"
#include "gpuhmm/profile_file.hpp"
#include "gpuhmm/report.hpp"
#include "prepared.hpp"
#include "search/recording_engine.hpp"

namespace gpuhmm {
namespace {

using namespace test;

/// Writes the lists, alignments and histogram of each result to a string.
class ReportText : public SearchObserver {
 public:
  ResultWriter result(const Profile& profile, const Thresholds& thresholds, SearchResult&& result) override {
    SearchReport report;
    report.thresholds = thresholds;
    report.sequences = std::move(result.sequences);
    report.domains = std::move(result.domains);
    report.database_size = static_cast<double>(result.searched);
    report.profile = &profile;
    report.scores = std::move(result.histogram);
    report.sequences_searched = result.searched;
    std::string own;
    write_hmmsearch_results([&own](std::string_view part) { own += part; }, report);
    return [this, own] { text += own; };
  }
  void warning(const std::string& message) override { ADD_FAILURE() << message; }

  std::string text;
};

std::string report_of(const std::string& profile, const std::string& sequences,
                      const SearchOptions& options) {
  ProfileReader profiles(std::string(GPUHMM_TESTDATA) + "/hmm/" + profile);
  const SequenceSource source(sequences, {}, 1);
  ReportText observer;
  search(
      profiles, [&](const Alphabet& alphabet) { return source.open(alphabet); }, true, options, observer);
  return observer.text;
}

SearchOptions options() {
  SearchOptions options;
  options.make_engines = [](const ExpectedWork&, const Warning&, const EngineOpened&) {
    std::vector<std::unique_ptr<ScoreEngine>> engines;
    engines.push_back(make_reference_engine(1));
    return engines;
  };
  return options;
}

void expect_same_report(const std::string& profile, const std::string& sequences, const SearchOptions& with) {
  const Prepared prepared(sequences);
  const std::string expected = report_of(profile, sequences, with);
  EXPECT_GT(expected.size(), 1000U);
  EXPECT_TRUE(report_of(profile, prepared.path(), with) == expected) << profile;
}

TEST(PreparedSearch, ReportsTheSame) {
  const std::string proteins = std::string(GPUHMM_TESTDATA) + "/seq/uniprot.fasta";
  for (const char* profile : {"RRM_1_ls.hmm", "RRM_1_fs.hmm", "Acetyltransf_1_ls.hmm"}) {
    expect_same_report(profile, proteins, options());
  }
  expect_same_report("MADE1_fs.hmm", std::string(GPUHMM_TESTDATA) + "/dna/phiX174.fna", options());
}

TEST(PreparedSearch, ReportsTheSameInSmallBatchesAndMasked) {
  SearchOptions small = options();
  small.batch_residues = 5000;
  small.thresholds.xnu = true;
  expect_same_report("RRM_1_ls.hmm", std::string(GPUHMM_TESTDATA) + "/seq/uniprot.fasta", small);
}

TEST(PreparedSearch, ReportsItsProgressInSeveralBatches) {
  const Prepared prepared(std::string(GPUHMM_TESTDATA) + "/seq/uniprot.fasta");
  SearchOptions small = options();
  small.batch_residues = 20'000;
  testing::MeterNotes notes;
  small.meter = &notes.meter;
  small.make_engines = [&notes](const ExpectedWork&, const Warning&, const EngineOpened&) {
    std::vector<std::unique_ptr<ScoreEngine>> engines;
    engines.push_back(std::make_unique<testing::RecordingEngine>(notes));
    return engines;
  };
  report_of("RRM_1_ls.hmm", prepared.path(), small);
  EXPECT_GT(notes.before.size(), 4U);
  EXPECT_TRUE(std::ranges::is_sorted(notes.before));
  EXPECT_EQ(notes.before.front(), 0);
  EXPECT_LT(notes.after.front().value(), 0.5);
  EXPECT_NEAR(notes.meter.read().fraction.value(), 1, 1e-9);
}

TEST(PreparedSearch, RefusesTheOtherAlphabet) {
  const Prepared proteins(std::string(GPUHMM_TESTDATA) + "/seq/uniprot.fasta");
  EXPECT_THROW(report_of("MADE1_fs.hmm", proteins.path(), options()), FileError);
}

}  // namespace
}  // namespace gpuhmm
