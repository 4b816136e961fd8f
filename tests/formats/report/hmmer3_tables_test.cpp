// HMMER3's tables, alignment of included domains and JSON.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "formats/report/hmmer3_golden.hpp"

namespace gpuhmm::hmmer3 {
namespace {

using namespace testing;

RunDescription fruitless_run() {
  return {ReportKind::Search,
          "hmmsearch",
          "fn3.hmm",
          "rndseq400-10.fa",
          {{"--pfamtblout", "r04.pfamtbl"},
           {"--domtblout", "r04.domtbl"},
           {"--tblout", "r04.tbl"},
           {"-A", "r04.sto"}}};
}

RunDescription six_run(ReportKind kind, const std::string& set) {
  const bool is_search = kind == ReportKind::Search;
  RunDescription run{
      kind,
      is_search ? "hmmsearch" : "hmmscan",
      is_search ? "six.hmm" : "7LESS_DROME",
      is_search ? "7LESS_DROME" : "six.hmm",
      {{"--tblout", set + ".tbl"}, {"--domtblout", set + ".domtbl"}, {"--pfamtblout", set + ".pfamtbl"}}};
  if (is_search) run.options.push_back({"--noali"});
  return run;
}

std::string table(TableContent content, const RunDescription& run, const std::vector<Answer>& answers) {
  return text_of([&](const TextSink& out) {
    TableWriter writer(out, {content, TableLayout::Padded, run.kind});
    for (const Answer& answer : answers)
      writer.add(make_table_text(writer.style(), answer.query, answer.result));
    write_table_tail(out, run, false, "@", "@");
  });
}

std::string pfam_table(const RunDescription& run, const Answer& answer) {
  return text_of([&](const TextSink& out) {
    out(make_pfam_table_text(answer.result, {}));
    write_table_tail(out, run, true, "@", "@");
  });
}

std::string included(const Answer& answer, bool one_block = false) {
  return text_of(
      [&](const TextSink& out) { write_included_domains(out, answer.query, answer.result, one_block); });
}

TEST(Hmmer3Tables, TablesOfAScanAreLikeHmmscans) {
  const RunDescription run = six_run(ReportKind::Scan, "r10");
  EXPECT_EQ(table(TableContent::Targets, run, {sevenless_scan()}), golden("r10.tbl"));
  EXPECT_EQ(table(TableContent::Domains, run, {sevenless_scan()}), golden("r10.domtbl"));
  EXPECT_EQ(pfam_table(run, sevenless_scan()), golden("r10.pfamtbl"));
}

TEST(Hmmer3Tables, TablesOfSeveralQueriesHaveOneHead) {
  const RunDescription run = six_run(ReportKind::Search, "r09");
  const std::vector<Answer> answers{fn3_search(), fruitless_search(), pkinase_search()};
  EXPECT_EQ(table(TableContent::Targets, run, answers), golden("r09.tbl"));
  EXPECT_EQ(table(TableContent::Domains, run, answers), golden("r09.domtbl"));
}

TEST(Hmmer3Tables, TablesWithoutHitsHaveHeads) {
  EXPECT_EQ(table(TableContent::Targets, fruitless_run(), {fruitless_search()}), golden("r04.tbl"));
  EXPECT_EQ(table(TableContent::Domains, fruitless_run(), {fruitless_search()}), golden("r04.domtbl"));
  EXPECT_EQ(pfam_table(fruitless_run(), fruitless_search()), golden("r04.pfamtbl"));
}

TEST(Hmmer3Tables, WidthsAreThoseOfTheQueryAtHand) {
  Answer wide = fn3_search();
  wide.query.name = std::string(24, 'q');
  wide.query.accession = "";
  wide.result.hits[0].accession = std::string(12, 'a');
  const TableText text = make_table_text({}, wide.query, wide.result);
  EXPECT_TRUE(
      text.rows.starts_with("7LESS_DROME          aaaaaaaaaaaa qqqqqqqqqqqqqqqqqqqqqqqq -          "
                            "  1.9e-57 "));
  EXPECT_NE(
      text.head.find("#-------------------   ----------     -------------------- ---------- --------- "),
      std::string::npos);
}

TEST(Hmmer3Tables, PfamTableSortsDomainsAsInclusionDoes) {
  Answer answer = fn3_search();
  std::vector<Domain>& domains = answer.result.hits[0].domains;
  domains.resize(2);
  domains[1].log_p = domains[0].log_p + 1;  // the better score has the worse P-value
  const auto first_start = [&](const Options& options) {
    const std::string text = make_pfam_table_text(answer.result, options);
    return text.find("    439    520") < text.find("    396    409") ? 439 : 396;
  };
  EXPECT_EQ(first_start({}), 396);
  Options by_score;
  by_score.include.bits = 0;
  EXPECT_EQ(first_start(by_score), 439);
}

TEST(Hmmer3Tables, ArgumentsFollowTheOptionsInTheTail) {
  RunDescription run{ReportKind::Search,
                     "./hmmsearch",
                     "Q",
                     "T",
                     {{"--cpu", "1"}, {"--restrictdb_n", "2"}, {"-E", "10.0"}, {"--nobias"}}};
  const std::string tail =
      text_of([&](const TextSink& out) { write_table_tail(out, run, false, "/home", "Sun Nov 22"); });
  EXPECT_NE(tail.find("# Option settings: ./hmmsearch -E 10.0 --nobias --cpu 1 --restrictdb_n 2 Q T \n"
                      "# Current dir:     /home\n"
                      "# Date:            Sun Nov 22\n"),
            std::string::npos);
}

TEST(Hmmer3Tables, TabSeparatedTablesHaveAllDigits) {
  Answer answer = twenty_search();
  answer.result.hits.resize(1);
  const TableText targets =
      make_table_text({TableContent::Targets, TableLayout::Tabbed}, answer.query, answer.result);
  EXPECT_TRUE(targets.head.starts_with("target_name\ttarget_accession\tquery_name\t"));
  EXPECT_EQ(targets.rows,
            "test1\t-\ttest\t-\t4.2e-24\t72.1\t0.099998474\t4.3e-24\t72.1\t0.1\t1\t1\t0\t0\t1\t1\t1\t1\t-\n");
  const TableText domains =
      make_table_text({TableContent::Domains, TableLayout::Tabbed}, answer.query, answer.result);
  EXPECT_EQ(
      domains.rows,
      "test1\t-\t20\ttest\t-\t20\t4.2e-24\t72.1\t0.099998474\t1\t1\t4.3e-24\t4.3e-24\t72.1\t0.1\t1\t20\t1\t"
      "20\t1\t20\t0.99\t-\n");
}

TEST(Hmmer3IncludedDomains, AlignmentIsLikeHmmsearchs) {
  EXPECT_EQ(included(fn3_search()), golden("r01.sto"));
  EXPECT_EQ(included(twenty_search()), golden("r11.sto"));
  EXPECT_EQ(included(fruitless_search()), "");
}

TEST(Hmmer3IncludedDomains, EqualNamesGetNumbers) {
  Answer answer = twenty_search();
  answer.result.hits.resize(2);
  answer.result.hits[1] = answer.result.hits[0];
  EXPECT_EQ(included(answer),
            "# STOCKHOLM 1.0\n"
            "# WARNING: seq names have been made unique by adding a prefix of \"<seq#>|\"\n"
            "#=GF ID test\n"
            "#=GF AU hmmsearch (HMMER 3.3.2)\n"
            "\n"
            "#=GS 0|test1/1-20 DE [subseq from] test1\n"
            "#=GS 1|test1/1-20 DE [subseq from] test1\n"
            "\n"
            "0|test1/1-20         ACDEFGHIKLMNPQRSTVWY\n"
            "#=GR 0|test1/1-20 PP 9*******************\n"
            "1|test1/1-20         ACDEFGHIKLMNPQRSTVWY\n"
            "#=GR 1|test1/1-20 PP 9*******************\n"
            "#=GC PP_cons         9*******************\n"
            "#=GC RF              xxxxxxxxxxxxxxxxxxxx\n"
            "//\n");
}

TEST(Hmmer3IncludedDomains, LongAlignmentsAreCutIntoBlocks) {
  const std::string blocks = included(pkinase_search());
  const std::string line = included(pkinase_search(), true);
  const std::string label = "#=GC RF                       ";
  const auto row = [&](const std::string& text, std::size_t from) {
    const std::size_t start = text.find(label, from) + label.size();
    return text.substr(start, text.find('\n', start) - start);
  };
  const std::string first = row(blocks, 0), second = row(blocks, blocks.find(label) + 1);
  EXPECT_EQ(first.size(), 200u);
  EXPECT_EQ(first + second, row(line, 0));
  EXPECT_EQ(line.find("\n\n7LESS"), line.rfind("\n\n7LESS"));
  EXPECT_NE(blocks.find("\n\n7LESS"), blocks.rfind("\n\n7LESS"));
}

TEST(Hmmer3IncludedDomains, GapsOfTheFileAreErrors) {
  Answer answer = twenty_search();
  answer.result.hits[2].domains[0].rows.sequence[13] = '-';
  std::string text;
  try {
    write_included_domains([&](std::string_view piece) { text += piece; }, answer.query, answer.result,
                           false);
    FAIL() << "no error";
  } catch (const GapInDomain& error) {
    EXPECT_EQ(error.target(), "test3");
    EXPECT_EQ(error.query(), "test");
  }
  EXPECT_EQ(text, "");
}

TEST(Hmmer3Json, ObjectsSayWhatTheReportSays) {
  const Answer answer = sevenless_scan();
  std::istringstream lines(text_of(
      [&](const TextSink& out) { write_json_hits(out, ReportKind::Scan, answer.query, answer.result); }));
  std::string line;
  std::getline(lines, line);
  const nlohmann::json fn3 = nlohmann::json::parse(line);
  EXPECT_EQ(fn3["profile"]["name"], "fn3");
  EXPECT_EQ(fn3["profile"]["length"], 86);
  EXPECT_EQ(fn3["sequence"]["accession"], "P13368");
  EXPECT_EQ(fn3["score"], 178.0);
  EXPECT_EQ(fn3["clustered_regions"], 1);
  EXPECT_EQ(fn3["included_domains"], 7);
  ASSERT_EQ(fn3["domains"].size(), 9u);
  const nlohmann::json& domain = fn3["domains"][0];
  EXPECT_EQ(domain["included"], false);
  EXPECT_EQ(domain["profile_from"], 61);
  EXPECT_EQ(domain["envelope_to"], 411);
  EXPECT_NEAR(domain["accuracy"].get<double>(), 0.85, 1e-6);
  EXPECT_DOUBLE_EQ(domain["evalue"].get<double>(), 3 * domain["conditional_evalue"].get<double>());
  EXPECT_EQ(domain["alignment"]["posterior"], "67899*******95");
  const std::string without = text_of([&](const TextSink& out) {
    write_json_hits(out, ReportKind::Scan, answer.query, answer.result, false);
  });
  EXPECT_TRUE(
      nlohmann::json::parse(without.substr(0, without.find('\n')))["domains"][0]["alignment"].is_null());
  EXPECT_TRUE(domain["alignment"]["rf"].is_null());
  std::getline(lines, line);
  EXPECT_EQ(nlohmann::json::parse(line)["profile"]["name"], "Pkinase");
  EXPECT_FALSE(std::getline(lines, line));
}

}  // namespace
}  // namespace gpuhmm::hmmer3
