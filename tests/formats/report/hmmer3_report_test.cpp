// HMMER3's reports, byte for byte those of HMMER 3.3.2 below the banner.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "formats/report/hmmer3_golden.hpp"

namespace gpuhmm::hmmer3 {
namespace {

using namespace testing;

constexpr QueryTimes kTimes{1.25, 0.5, 3661.017};

std::string without_times(const std::string& text) {
  return std::regex_replace(text, std::regex("(# CPU time: |# Mc/sec: ).*"), "$1@");
}

/// The report without the four lines that name the program.
std::string below_names(std::string text) {
  for (int line = 0; line < 4; ++line) text.erase(0, text.find('\n') + 1);
  return text;
}

std::string results(const ReportStyle& style, const Answer& answer, const Options& options = {}) {
  return text_of(
      [&](const TextSink& out) { write_results(out, style, answer.query, answer.result, options, kTimes); });
}

std::string report(const RunDescription& run, const ReportStyle& style, const Answer& answer,
                   const Options& options) {
  return text_of([&](const TextSink& out) {
           write_banner(out, run.kind, "1.2.3");
           write_header(out, run);
           write_query(out, run.kind, answer.query);
         }) +
         without_times(results(style, answer, options));
}

std::string note(std::int64_t aligned, std::string_view path) {
  return text_of([&](const TextSink& out) { write_included_note(out, aligned, path); });
}

/// The part of a text from the first occurrence of `from` up to that of `to` after it.
std::string part(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t start = text.find(from);
  if (start == std::string::npos) return "no " + from;
  return text.substr(start, text.find(to, start) - start);
}

TEST(Hmmer3Report, ScanIsLikeHmmscans) {
  const RunDescription run{
      ReportKind::Scan,
      "hmmscan",
      "7LESS_DROME",
      "six.hmm",
      {{"--domtblout", "r10.domtbl"}, {"--pfamtblout", "r10.pfamtbl"}, {"--tblout", "r10.tbl"}}};
  const ReportStyle style{.kind = ReportKind::Scan};
  EXPECT_EQ(below_names(report(run, style, sevenless_scan(), {})) + "[ok]\n", below_names(golden("r10.out")));
}

TEST(Hmmer3Report, SearchShowsAccessionsAndWrapsAlignments) {
  const RunDescription run{
      ReportKind::Search, "hmmsearch", "Pkinase.hmm", "7LESS_DROME", {{"--cut_ga"}, {"--acc"}}};
  const ReportStyle style{.accessions = true};
  Options options;
  options.cutoff = CutoffKind::Gathering;
  EXPECT_EQ(below_names(report(run, style, pkinase_search(), options)) + "[ok]\n",
            below_names(golden("r05.out")));
}

TEST(Hmmer3Report, SearchShowsReferenceLinesAndInsertions) {
  const RunDescription run{ReportKind::Search,
                           "hmmsearch",
                           "20aa.hmm",
                           "20aa-alitest.fa",
                           {{"-A", "r11.sto"}, {"--max"}, {"-T", "-10"}, {"--domT", "-10"}}};
  Options options;
  options.max = true;
  options.report.bits = options.report_domain.bits = -10;
  EXPECT_EQ(below_names(report(run, {}, twenty_search(), options)) + note(4, "r11.sto") + "[ok]\n",
            below_names(golden("r11.out")));
}

TEST(Hmmer3Report, SearchWithoutHitsSaysSo) {
  const RunDescription run{ReportKind::Search,
                           "hmmsearch",
                           "fn3.hmm",
                           "rndseq400-10.fa",
                           {{"-A", "r04.sto"},
                            {"--tblout", "r04.tbl"},
                            {"--domtblout", "r04.domtbl"},
                            {"--pfamtblout", "r04.pfamtbl"}}};
  EXPECT_EQ(below_names(report(run, {}, fruitless_search(), {})) + note(0, "r04.sto") + "[ok]\n",
            below_names(golden("r04.out")));
}

TEST(Hmmer3Report, BannerNamesBothPrograms) {
  const std::string text =
      text_of([](const TextSink& out) { write_banner(out, ReportKind::Search, "1.2.3"); });
  EXPECT_TRUE(
      text.starts_with("# hmmsearch :: search profile(s) against a sequence database\n"
                       "# HMMER 3.3.2 (gpuhmm 1.2.3); http"));
}

std::string header(ReportKind kind, std::vector<GivenOption> options) {
  const RunDescription run{kind, "hmm", "Q", "T", std::move(options)};
  return text_of([&](const TextSink& out) { write_header(out, run); });
}

TEST(Hmmer3Report, HeaderShowsOptionsInOneOrder) {
  const std::string ruler = "# - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -\n\n";
  EXPECT_EQ(header(ReportKind::Search, {{"--cpu", "01"},
                                        {"--tformat", "fasta"},
                                        {"--seed", "0"},
                                        {"--domZ", "12.7"},
                                        {"-Z", "1e3"},
                                        {"--nonull2"},
                                        {"--nobias"},
                                        {"--restrictdb_n", "2"},
                                        {"--F3", "2e-5"},
                                        {"--F2", "nan"},
                                        {"--F1", "1.5"},
                                        {"--incdomT", "0.03"},
                                        {"--incE", "0.020"},
                                        {"--domT", "6"},
                                        {"-E", "10"},
                                        {"--textw", "130"},
                                        {"--noali"},
                                        {"-o", "out"}}),
            "# query HMM file:                  Q\n"
            "# target sequence database:        T\n"
            "# output directed to file:         out\n"
            "# show alignments in output:       no\n"
            "# max ASCII text line length:      130\n"
            "# sequence reporting threshold:    E-value <= 10\n"
            "# domain reporting threshold:      score >= 6\n"
            "# sequence inclusion threshold:    E-value <= 0.02\n"
            "# domain inclusion threshold:      score >= 0.03\n"
            "# MSV filter P threshold:       <= 1.5\n"
            "# Vit filter P threshold:       <= nan\n"
            "# Fwd filter P threshold:       <= 2e-05\n"
            "# biased composition HMM filter:   off\n"
            "# Restrict db to # target seqs:    2\n"
            "# null2 bias corrections:          off\n"
            "# sequence search space set to:    1000\n"
            "# domain search space set to:      13\n"
            "# random number seed:              one-time arbitrary\n"
            "# random number seed set to:       0\n"
            "# targ <seqfile> format asserted:  fasta\n"
            "# number of worker threads:        1\n" +
                ruler);
  EXPECT_EQ(header(ReportKind::Scan, {{"--qformat", "embl"}, {"--incT", "7"}, {"-T", "5"}, {"--notextw"}}),
            "# query sequence file:             Q\n"
            "# target HMM database:             T\n"
            "# max ASCII text line length:      unlimited\n"
            "# profile reporting threshold:     score >= 5\n"
            "# profile inclusion threshold:     score >= 7\n"
            "# input seqfile format asserted:   embl\n" +
                ruler);
}

TEST(Hmmer3Report, HeaderLeavesOutDefaultsAsTheyAreSpelled) {
  EXPECT_EQ(header(ReportKind::Search, {{"-E", "10.0"}, {"--cpu", "2"}, {"--F2", "1e-3"}}),
            header(ReportKind::Search, {}));
  EXPECT_NE(header(ReportKind::Search, {{"--cpu", "02"}}), header(ReportKind::Search, {}));
}

TEST(Hmmer3Report, UnknownOptionsAreErrorsOfTheCaller) {
  EXPECT_THROW(header(ReportKind::Search, {{"--qformat", "embl"}}), std::logic_error);
  EXPECT_THROW(header(ReportKind::Scan, {{"-A", "file"}}), std::logic_error);
}

TEST(Hmmer3Report, ColumnsAreAsWideAsTheLongestStoredName) {
  Answer answer = fruitless_search();
  answer.result.hits = pkinase_search().result.hits;
  answer.result.hits[0].name = "a_name_of_20_letters";
  answer.result.hits[0].reported = false;
  const std::string text = results({}, answer);
  EXPECT_NE(text.find("exp  N  Sequence             Description\n"), std::string::npos);
  EXPECT_NE(text.find("[No hits detected that satisfy reporting thresholds]"), std::string::npos);
}

TEST(Hmmer3Report, DescriptionsAreCutToTheWidth) {
  Answer answer = pkinase_search();
  answer.result.hits[0].description = std::string(300, 'd');
  const auto description = [&](const ReportStyle& style, const std::string& before) {
    const std::string line = part(results(style, answer), before, "\n");
    return std::count(line.begin() + static_cast<long>(before.size()), line.end(), 'd');
  };
  const std::string in_scores = "1.3  1  7LESS_DROME", in_domains = ">> 7LESS_DROME";
  EXPECT_EQ(description({}, in_scores), 120 - 11 - 61);
  EXPECT_EQ(description({}, in_domains), 120 - 11 - 5);
  EXPECT_EQ(description({.width = 150}, in_scores), 150 - 11 - 61);
  EXPECT_EQ(description({.width = std::nullopt}, in_scores), 300);
  EXPECT_EQ(description({.width = std::nullopt}, in_domains), 300);
  answer.result.hits[0].name = std::string(100, 'n');
  EXPECT_EQ(description({}, std::string(100, 'n') + "  "), 32);
}

TEST(Hmmer3Report, HitsBelowTheInclusionThresholdStandBelowALine) {
  Answer answer = twenty_search();
  answer.result.hits[2].included = answer.result.hits[3].included = false;
  EXPECT_EQ(part(results({.alignments = false}, answer), "      1e-23", "\n\n"),
            "      1e-23   70.9   0.1    1.1e-23   70.8   0.1    1.0  1  test4     \n"
            "  ------ inclusion threshold ------\n"
            "    7.3e-15   42.6   6.2      2e-14   41.2   6.2    1.7  1  test3     \n"
            "    2.9e-14   40.6   6.1    6.2e-14   39.6   6.1    1.5  1  test2     ");
}

TEST(Hmmer3Report, AHitCanHaveNoReportedDomains) {
  Answer answer = twenty_search();
  answer.result.hits[0].domains[0].reported = false;
  answer.result.hits[0].reported_domains = 0;
  EXPECT_EQ(
      part(results({}, answer), ">> test1", ">> test4"),
      ">> test1  \n"
      "   [No individual domains that satisfy reporting thresholds (although complete target did)]\n\n");
}

TEST(Hmmer3Report, NoAlignmentsAreWrittenIfNotWanted) {
  const std::string text = results({.alignments = false}, twenty_search());
  EXPECT_EQ(part(text, "Domain annotation", ">>"), "Domain annotation for each sequence:\n");
  EXPECT_EQ(
      part(text, ">> test2", "Internal"),
      ">> test2  \n"
      "   #    score  bias  c-Evalue  i-Evalue hmmfrom  hmm to    alifrom  ali to    envfrom  env to     acc\n"
      " ---   ------ ----- --------- --------- ------- -------    ------- -------    ------- -------    ----\n"
      "   1 !   39.6   6.1   6.2e-14   6.2e-14       1      20 []       5      25 .]       5      25 .] 0.94\n"
      "\n\n\n");
}

TEST(Hmmer3Report, UnlimitedLinesHoldWholeAlignments) {
  const std::string text = results({.width = std::nullopt}, pkinase_search());
  const std::string line = part(text, "      Pkinase    2 ", "\n");
  EXPECT_EQ(line.size(), 2 + 11 + 1 + 4 + 1 + 280 + 1 + 4);
  EXPECT_TRUE(line.ends_with(" 256 "));
}

TEST(Hmmer3Report, LongNamesLeaveFortyColumns) {
  Answer answer = pkinase_search();
  answer.result.hits[0].name = std::string(100, 'n');
  const std::string line = part(results({}, answer), "  " + std::string(100, 'n') + " 2210", "\n");
  EXPECT_EQ(line, "  " + std::string(100, 'n') + " 2210 KLLRFLGSGAFGEVYEGQLKTEDSeepqRVAIKSLRKGAS 2249");
}

TEST(Hmmer3Report, PiecesWithoutResiduesHaveNoNumbers) {
  Answer answer = twenty_search();
  AlignmentRows& rows = answer.result.hits[0].domains[0].rows;
  rows.rf.clear();
  rows.model = std::string(45, 'a') + std::string(40, '.') + std::string(45, 'c');
  rows.middle = std::string(130, ' ');
  rows.sequence = std::string(40, 'A') + std::string(45, '-') + std::string(45, 'C');
  rows.posterior = std::string(130, '.');
  answer.query.name = std::string(90, 'q');
  const std::string text = part(results({}, answer), "  == domain 1", "  == domain 2");
  EXPECT_NE(text.find("test1  1 " + std::string(40, 'A') + " 40\n"), std::string::npos);
  EXPECT_NE(text.find("test1  - " + std::string(40, '-') + "  -\n"), std::string::npos);
  EXPECT_NE(text.find("q 41 aaaaa" + std::string(35, '.') + " 45\n"), std::string::npos);
  EXPECT_NE(text.find("test1 41 -----" + std::string(35, 'C') + " 75\n"), std::string::npos);
}

TEST(Hmmer3Report, StatisticsSayWhatWasSet) {
  Answer answer = fruitless_search();
  answer.result.counters = {1, 86, 0, 0, 0, 0, 0, 0};
  Options options;
  options.targets = answer.result.targets = 1e3;
  options.domain_targets = answer.result.domain_targets = 12.7;
  options.f1 = 1.5;
  options.f2 = 0.5;
  EXPECT_EQ(part(results({}, answer, options), "Target sequences", "//"),
            "Target sequences:                          0  (0 residues searched)\n"
            "Passed MSV filter:                         0  (-nan); expected 0.0 (1)\n"
            "Passed bias filter:                        0  (-nan); expected 0.0 (1)\n"
            "Passed Vit filter:                         0  (-nan); expected 0.0 (0.5)\n"
            "Passed Fwd filter:                         0  (-nan); expected 0.0 (1e-05)\n"
            "Initial search space (Z):               1000  [as set by --Z on cmdline]\n"
            "Domain search space  (domZ):              13  [as set by --domZ on cmdline]\n"
            "# CPU time: 1.25u 0.50s 00:00:01.75 Elapsed: 01:01:01.01\n"
            "# Mc/sec: 0.00\n");
}

TEST(Hmmer3Report, SubnormalEvaluesAreZero) {
  QueryResult result;
  result.targets = 1e6;
  result.domain_targets = 1e-10;
  EXPECT_GT(result.e_value(-708.0), 0.0);
  EXPECT_EQ(result.e_value(-709.0), 0.0);
  EXPECT_EQ(result.conditional_e_value(-700.0), 0.0);
}

}  // namespace
}  // namespace gpuhmm::hmmer3
