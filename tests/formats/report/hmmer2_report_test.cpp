// Reports of hmmsearch and hmmpfam: real reports are read and must be printed again byte for byte; special
// cases are made by hand.
#include <gtest/gtest.h>

#include <filesystem>

#include "gpuhmm/report.hpp"
#include "report_reader.hpp"
#include "util/format.hpp"

namespace gpuhmm {
namespace {

using testing::read_file;

std::string vector_file(const std::string& name) { return std::string(GPUHMM_TESTDATA "/vectors/") + name; }

std::string written_search(const SearchReport& report, unsigned threads = 1) {
  std::string text;
  const TextSink out = [&](std::string_view piece) { text += piece; };
  write_hmmsearch_header(out, report);
  write_hmmsearch_results(out, report, threads);
  return text;
}

std::string written_scan(const testing::ReadScan& scan) {
  std::string text;
  const TextSink out = [&](std::string_view piece) { text += piece; };
  write_hmmpfam_header(out, scan.profile_file, scan.sequence_file);
  for (const ScanReport& query : scan.queries) write_hmmpfam_query(out, query);
  return text;
}

/// The part of `text` between two marks, the first included.
std::string section(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t start = text.find(from);
  return text.substr(start, text.find(to, start) - start);
}

class SearchVector : public ::testing::TestWithParam<const char*> {};

TEST_P(SearchVector, IsPrintedAgainByteForByte) {
  const std::string text = read_file(vector_file(GetParam()));
  testing::ReadSearch read = testing::read_search_report(text, GetParam());
  read.report.profile = &read.profile;
  EXPECT_EQ(written_search(read.report), text);
}

INSTANTIATE_TEST_SUITE_P(Vectors, SearchVector,
                         ::testing::Values("hmmsearch-toy5-cpu0.txt", "hmmsearch-toy5-cpu1.txt",
                                           "hmmsearch-toy5-forward.txt", "hmmsearch-toy5-null2off.txt",
                                           "hmmsearch-toy5cal-cpu0.txt", "hmmsearch-toy6fs-cpu0.txt",
                                           "hmmsearch-toydna-cpu0.txt"));

TEST(SearchReport, PrintsTheAlignmentLimitAgain) {
  const std::string text = read_file(vector_file("hmmsearch-toy5cal-cut_ga-A1.txt"));
  testing::ReadSearch read = testing::read_search_report(text, "toy5cal");
  read.report.profile = &read.profile;
  ASSERT_EQ(read.report.alignment_limit, 1);
  EXPECT_EQ(section(written_search(read.report), "HMM file", "Histogram of"),
            section(text, "HMM file", "Histogram of"));
}

/// Stored reports of hmm2search: everything but the figures that depend on hits that are not listed.
TEST(SearchReport, PrintsStoredReportsAgain) {
  const std::filesystem::path folder = GPUHMM_SHARED "/data/reports/golden";
  if (!std::filesystem::exists(GPUHMM_SHARED)) GTEST_SKIP() << "no shared data";
  int reports = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    const std::string text = read_file(entry.path());
    testing::ReadSearch read = testing::read_search_report(text, name);
    read.report.profile = &read.profile;
    const std::string written = written_search(read.report);
    EXPECT_EQ(section(written, "HMM file", "\nHistogram of"), section(text, "HMM file", "\nHistogram of"))
        << name;
    ++reports;
  }
  EXPECT_GT(reports, 90);
}

class ScanVector : public ::testing::TestWithParam<const char*> {};

TEST_P(ScanVector, IsPrintedAgainByteForByte) {
  const std::string text = read_file(vector_file(GetParam()));
  EXPECT_EQ(written_scan(testing::read_scan_report(text)), text);
}

INSTANTIATE_TEST_SUITE_P(Vectors, ScanVector,
                         ::testing::Values("hmmpfam-three-cpu0.txt", "hmmpfam-three-acc-compat.txt"));

std::string report_file(const std::string& name) { return std::string(GPUHMM_TESTDATA "/report/") + name; }

/// Lists of more than 200 and 400 entries, all shown: the memory figures grow with them.
TEST(SearchReport, PrintsLongListsAgainByteForByte) {
  const std::string text = read_file(report_file("many_hits.txt.gz"));
  testing::ReadSearch read = testing::read_search_report(text, "many_hits");
  read.report.profile = &read.profile;
  read.profile.evd = ExtremeValue{-4.978280f, 0.654920f};
  EXPECT_EQ(written_search(read.report), text);
}

/// The report has names that HMMER cut; the full names must give the same report.
TEST(SearchReport, CutsSequenceNamesAsHmmerDoes) {
  const std::string text = read_file(report_file("long_names.txt"));
  testing::ReadSearch read = testing::read_search_report(text, "long_names");
  SearchReport& report = read.report;
  report.profile = &read.profile;
  const std::string name(70, 'n'), description(140, 'd');
  ASSERT_EQ(report.sequences.size(), 2u);
  report.sequences[0].name = report.domains[0].name = name;
  report.sequences[0].description = report.domains[0].description = description;
  report.sequences[1].description = report.domains[1].description = "-not kept";
  EXPECT_EQ(written_search(report), text);
}

TEST(ScanReport, CutsSequenceNamesAsHmmerDoes) {
  const std::string text = read_file(report_file("long_names_scan.txt"));
  testing::ReadScan scan = testing::read_scan_report(text);
  ASSERT_EQ(scan.queries.size(), 2u);
  scan.queries[0].query_name = scan.queries[0].domains.at(0).query_name = std::string(70, 'n');
  scan.queries[0].query_description = std::string(140, 'd');
  scan.queries[1].query_description = "-not kept";
  scan.queries[1].query_accession = "-neither";
  EXPECT_EQ(written_scan(scan), text);
}

/// A search report with `hits` equal one-domain hits of score 10 and E-value 0.5, alignments included.
struct MadeReport {
  Profile profile;
  SearchReport report;

  explicit MadeReport(int hits) {
    profile.name = "made";
    report.profile = &profile;
    report.profile_file = "made.hmm";
    report.sequence_file = "made.fa";
    report.sequences_searched = 50;
    report.database_size = 50;
    for (int i = 0; i < hits; ++i) {
      SequenceHit sequence;
      sequence.name = "seq" + std::to_string(i);
      sequence.score = 10;
      sequence.p_value = 0.01;
      sequence.domain_count = 1;
      sequence.target_index = static_cast<std::uint64_t>(i);
      DomainHit domain;
      domain.name = sequence.name;
      domain.score = domain.sequence_score = 10;
      domain.p_value = domain.sequence_p_value = 0.01;
      domain.sequence_from = domain.profile_from = domain.number = domain.count = 1;
      domain.sequence_to = domain.sequence_length = domain.profile_to = domain.profile_length = 2;
      domain.alignment = {
          .cs = "", .rf = "", .model = "*->ac<-*", .middle = "   ac   ", .sequence = "   AC   "};
      domain.trace_columns = 8;
      domain.target_index = sequence.target_index;
      report.sequences.push_back(sequence);
      report.domains.push_back(domain);
      report.scores.add(10);
    }
  }
};

std::size_t count_of(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += word.size()) ++count;
  return count;
}

TEST(SearchReport, LimitsAlignments) {
  const std::string cut = "\t[output cut off at A = ";
  MadeReport made(3);
  const auto written_with = [&](std::optional<std::int64_t> limit) {
    made.report.alignment_limit = limit;
    return written_search(made.report);
  };
  EXPECT_EQ(count_of(written_with({}), ": domain 1 of 1"), 3u);
  EXPECT_EQ(count_of(written_with({}), cut), 0u);
  EXPECT_EQ(written_with(-1), written_with({}));
  EXPECT_EQ(count_of(written_with(2), ": domain 1 of 1"), 2u);
  EXPECT_EQ(count_of(written_with(2), cut + "2 top alignments]\n"), 1u);
  EXPECT_EQ(count_of(written_with(3), cut + "3 top alignments]\n"), 1u) << "even if nothing was left out";
  EXPECT_EQ(count_of(written_with(4), cut), 0u);
  EXPECT_EQ(count_of(written_with(0), "Alignments of"), 0u);
  const std::string none = written_with(0);
  made.report.alignment_limit.reset();
  made.report.alignments = false;
  EXPECT_EQ(written_search(made.report), none);
}

TEST(SearchReport, IsTheSameWithAnyNumberOfThreads) {
  MadeReport made(1000);
  for (std::size_t i = 0; i < made.report.domains.size(); ++i) {
    made.report.domains[i].score = made.report.sequences[i].score = static_cast<float>(i * 7919 % 1000);
  }
  for (const std::int64_t limit : {-1, 640, 999}) {
    made.report.alignment_limit = limit;
    const std::string text = written_search(made.report);
    EXPECT_EQ(count_of(text, ": domain 1 of 1"), limit < 0 ? 1000U : static_cast<std::size_t>(limit));
    std::size_t at = text.find("Alignments of");
    for (int score = 999; score >= 999 - 639; --score) {
      at = text.find(format(": score %d.0, E", score), at);
      ASSERT_NE(at, std::string::npos) << "of " << score << " in its place";
    }
    for (const unsigned threads : {2U, 5U, 16U}) EXPECT_EQ(written_search(made.report, threads), text);
  }
}

TEST(SearchReport, NeedsTheRowsOfShownAlignmentsOnly) {
  MadeReport made(3);
  const std::string with_rows = section(written_search(made.report), "Histogram", "~");
  made.report.domains[2].alignment = {};
  EXPECT_THROW(written_search(made.report), std::logic_error);
  made.report.alignment_limit = 2;
  EXPECT_EQ(section(written_search(made.report), "Histogram", "~"), with_rows) << "memory figure";
}

TEST(SearchReport, CountsHitsBelowTheCutoffWithTheNumberSearched) {
  MadeReport made(5);
  made.report.database_size = 1e6;  // as by -Z: nothing is reported, E = 10000
  std::string text = written_search(made.report);
  EXPECT_EQ(count_of(text, "\t[no hits above thresholds]\n"), 3u);
  EXPECT_EQ(count_of(text, "Satisfying E cutoff:  5\n"), 2u);
  made.report.thresholds.sequence_e = 0.5;  // strictly below
  text = written_search(made.report);
  EXPECT_EQ(count_of(text, "Satisfying E cutoff:  0\n"), 1u);
  EXPECT_EQ(count_of(text, "Satisfying E cutoff:  5\n"), 1u);
}

TEST(SearchReport, HasThresholdsInItsHeader) {
  MadeReport made(0);
  made.profile.accession = "PF1";
  made.profile.evd = ExtremeValue{-10, 0.5};
  Thresholds& thresholds = made.report.thresholds;
  const auto header = [&] {
    std::string text;
    write_hmmsearch_header([&](std::string_view piece) { text += piece; }, made.report);
    return text;
  };
  thresholds.sequence_e = 0.001;
  thresholds.domain_e = 3.5;
  thresholds.sequence_t = -2.25;
  EXPECT_EQ(header(),
            "HMM file:                   made.hmm [made]\n"
            "Sequence database:          made.fa\n"
            "per-sequence score cutoff:  >= -2.2\n"
            "per-domain score cutoff:    [none]\n"
            "per-sequence Eval cutoff:   <= 0.001     \n"
            "per-domain Eval cutoff:     <=        3.5\n"
            "- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -\n"
            "\n"
            "Query HMM:   made\n"
            "Accession:   PF1\n"
            "Description: [none]\n"
            "  [HMM has been calibrated; E-values are empirical estimates]\n");
  thresholds = {};
  thresholds.sequence_e = kNoEvalue;
  thresholds.sequence_t = 25;
  thresholds.domain_t = 20;
  thresholds.cutoff = CutoffKind::Trusted;
  made.profile.evd.reset();
  made.report.compat = true;
  EXPECT_EQ(header(),
            "HMM file:                   made.hmm [made]\n"
            "Sequence database:          made.fa\n"
            "per-sequence score cutoff:  >= 25.0 [TC1]\n"
            "per-domain score cutoff:    >= 20.0 [TC2]\n"
            "per-sequence Eval cutoff:   [none]\n"
            "per-domain Eval cutoff:     [none]\n"
            "- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -\n"
            "\n"
            "Query HMM: made|PF1|\n"
            "  [No calibration for HMM; E-values are upper bounds]\n");
}

/// A block of deletions only has no positions; counting continues after it.
TEST(SearchReport, LeavesOutPositionsOfABlockWithoutResidues) {
  MadeReport made(1);
  DomainHit& hit = made.report.domains[0];
  const std::string gap(80, '-');
  hit.sequence_from = 7;
  hit.alignment.sequence = "   A" + gap + "CD   ";
  hit.alignment.model = "*->a" + std::string(80, 'g') + "cd<-*";
  hit.alignment.middle = "   a" + std::string(80, ' ') + "cd   ";
  hit.alignment.rf = std::string(89, 'r');
  hit.trace_columns = 89;
  const std::string text = section(written_search(made.report), "                RF", "\n\nHistogram");
  EXPECT_EQ(text, "                RF " + std::string(50, 'r') + "\n" +                  //
                      "                   *->a" + std::string(46, 'g') + "\n" +          //
                      "                      a" + std::string(46, ' ') + "\n" +          //
                      "        seq0     7    A" + std::string(46, '-') + " 7    \n\n" +  //
                      "                RF " + std::string(39, 'r') + "\n" +              //
                      "                   " + std::string(34, 'g') + "cd<-*\n" +         //
                      "                   " + std::string(34, ' ') + "cd   \n" +         //
                      "        seq0     8 " + std::string(34, '-') + "CD    9    \n");
  hit.alignment.sequence = "   A" + gap + "-D   ";
  hit.alignment.sequence.insert(20, std::string(40, '-'));
  hit.alignment.model.insert(20, std::string(40, 'g'));
  hit.alignment.middle.insert(20, std::string(40, ' '));
  hit.alignment.rf.clear();
  EXPECT_EQ(count_of(written_search(made.report), "        seq0     - " + std::string(50, '-') + " -    \n"),
            1u);
}

TEST(ScanReport, ShowsAccessionsButIsAsWideAsNames) {
  MadeReport made(2);
  ScanReport scan;
  static_cast<HitReport&>(scan) = made.report;
  scan.query_name = "query";
  scan.show_accessions = true;
  scan.sequences[0].accession = scan.domains[0].accession = "PF00001";
  scan.sequences[0].name = scan.domains[0].name = "long_profile_name";
  std::string text;
  write_hmmpfam_query([&](std::string_view piece) { text += piece; }, scan);
  EXPECT_EQ(count_of(text, "\nPF00001           "), 2u);
  EXPECT_EQ(count_of(text, "\nseq1              "), 2u);
  EXPECT_EQ(count_of(text, "\nPF00001: domain 1 of 1, from 1 to 2: score 10.0, E = 0.5\n"), 1u);
  EXPECT_EQ(count_of(text, "long_profile_name"), 0u);
  EXPECT_TRUE(text.ends_with("\n\n//\n"));
}

TEST(Banner, IsThatOfHmmerInItsFirstWords) {
  std::string search, scan;
  write_hmmer2_banner([&](std::string_view piece) { search += piece; }, ReportKind::Search, "9.8.7");
  write_hmmer2_banner([&](std::string_view piece) { scan += piece; }, ReportKind::Scan, "9.8.7");
  EXPECT_TRUE(search.starts_with(
      "hmmsearch - search a sequence database with a profile HMM\nHMMER 2.3.2 (gpuhmm 9.8.7)\n"));
  EXPECT_TRUE(scan.starts_with("hmmpfam - search one or more sequences against HMM database\nHMMER 2.3.2 "));
  EXPECT_EQ(count_of(search, "\n"), 5u);
  EXPECT_TRUE(
      search.ends_with("\n- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -\n"));
}
}  // namespace
}  // namespace gpuhmm
