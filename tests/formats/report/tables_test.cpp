// Tables of hits: exact text, odd names, many queries.
#include "gpuhmm/tables.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "made_hits.hpp"

namespace gpuhmm {
namespace {

using testing::MadeHits;

std::string table(const MadeHits& made, TableContent content, TableLayout layout,
                  ReportKind kind = ReportKind::Search, const TableQuery& query = {"fam", "PF00001"}) {
  std::string text;
  TableWriter writer([&](std::string_view piece) { text += piece; }, {content, layout, kind});
  writer.add(make_table_text(writer.style(), query, made.ranked, made.reported, made.database_size));
  writer.finish("9.8.7", "fam.hmm", "db.fa");
  return text;
}

std::vector<std::string> fields(const std::string& line, char separator) {
  std::vector<std::string> result;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, separator);) {
    if (separator != ' ' || !field.empty()) result.push_back(field);
  }
  return result;
}

std::vector<std::string> rows(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with('#')) result.push_back(line);
  }
  return result;
}

constexpr const char* kTrailer =
    "#\n"
    "# Program:         gpuhmm search\n"
    "# Version:         9.8.7 (answers of HMMER 2.3.2)\n"
    "# Pipeline mode:   SEARCH\n"
    "# Query file:      fam.hmm\n"
    "# Target file:     db.fa\n"
    "# [ok]\n";

// clang-format off
TEST(Tables, HaveThisPaddedTextOfTargets) {
  EXPECT_EQ(table(MadeHits(), TableContent::Targets, TableLayout::Padded),
            "#                                                               --- full sequence ---- --- best 1 domain ---- --- domain number estimation ----\n"
            "# target name        accession  query name           accession    E-value  score  bias   E-value  score  bias   exp reg clu  ov env dom rep inc description of target\n"
            "#------------------- ---------- -------------------- ---------- --------- ------ ----- --------- ------ ----- ----- --- --- --- --- --- --- --- ---------------------\n"
            "high                 P00001     fam                  PF00001        1e-10   30.2   0.8     1e-09   20.0   0.2   3.0   3   0   0   3   3   2   2 a  protein\n"
            "low                  -          fam                  PF00001         0.01   12.5   0.2       0.1   12.5   0.2   1.0   1   0   0   1   1   1   1 -\n" +
            std::string(kTrailer));
}

TEST(Tables, HaveThisPaddedTextOfDomains) {
  EXPECT_EQ(table(MadeHits(), TableContent::Domains, TableLayout::Padded),
            "#                                                                           --- full sequence ---- ------------- this domain --------------  hmm coord   ali coord   env coord\n"
            "# target name        accession   tlen query name           accession   qlen   E-value  score  bias   #  of  c-Evalue  i-Evalue  score  bias  from    to  from    to  from    to  acc description of target\n"
            "#------------------- ---------- ----- -------------------- ---------- ----- --------- ------ ----- --- --- --------- --------- ------ ----- ----- ----- ----- ----- ----- ----- ---- ---------------------\n"
            "high                 P00001       300 fam                  PF00001       40     1e-10   30.2   0.8   1   3     1e-09     1e-09    9.2   0.2     2    39     1    42     1    42 1.00 a  protein\n"
            "high                 P00001       300 fam                  PF00001       40     1e-10   30.2   0.8   2   3     1e-09     1e-09   20.0   0.2     2    39   101   142   101   142 1.00 a  protein\n"
            "low                  -            300 fam                  PF00001       40      0.01   12.5   0.2   1   1       0.1       0.1   12.5   0.2     2    39     1    42     1    42 1.00 -\n" +
            std::string(kTrailer));
}
// clang-format on

TEST(Tables, HaveThisTabbedTextOfTargets) {
  EXPECT_EQ(
      table(MadeHits(), TableContent::Targets, TableLayout::Tabbed),
      "target_name\ttarget_accession\tquery_name\tquery_accession\tsequence_evalue\tsequence_score\t"
      "sequence_bias\tbest_domain_evalue\tbest_domain_score\tbest_domain_bias\texp\treg\tclu\tov\tenv\tdom\t"
      "rep\tinc\ttarget_description\n"
      "high\tP00001\tfam\tPF00001\t1e-10\t30.25\t0.75\t1e-09\t20\t0.25\t3\t3\t0\t0\t3\t3\t2\t2\ta  protein\n"
      "low\t-\tfam\tPF00001\t0.01\t12.5\t0.25\t0.1\t12.5\t0.25\t1\t1\t0\t0\t1\t1\t1\t1\t-\n");
}

TEST(Tables, HaveThisTabbedTextOfDomains) {
  EXPECT_EQ(table(MadeHits(), TableContent::Domains, TableLayout::Tabbed),
            "target_name\ttarget_accession\ttarget_length\tquery_name\tquery_accession\tquery_length\t"
            "sequence_evalue\tsequence_score\tsequence_bias\tdomain_number\tdomain_count\tdomain_c_evalue\t"
            "domain_i_evalue\tdomain_score\tdomain_bias\thmm_from\thmm_to\tali_from\tali_to\tenv_from\tenv_"
            "to\tacc\t"
            "target_description\n"
            "high\tP00001\t300\tfam\tPF00001\t40\t1e-10\t30.25\t0.75\t1\t3\t1e-09\t1e-09\t9.25\t0."
            "25\t2\t39\t1\t42\t"
            "1\t42\t1.00\ta  protein\n"
            "high\tP00001\t300\tfam\tPF00001\t40\t1e-10\t30.25\t0.75\t2\t3\t1e-09\t1e-09\t20\t0."
            "25\t2\t39\t101\t142\t"
            "101\t142\t1.00\ta  protein\n"
            "low\t-\t300\tfam\tPF00001\t40\t0.01\t12.5\t0.25\t1\t1\t0.1\t0.1\t12.5\t0."
            "25\t2\t39\t1\t42\t1\t42\t1.00\t-"
            "\n");
}

TEST(Tables, SwapTheLengthsForScans) {
  const MadeHits made(ReportKind::Scan);
  const auto lines = rows(table(made, TableContent::Domains, TableLayout::Padded, ReportKind::Scan));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(fields(lines[0], ' ')[2], "40");
  EXPECT_EQ(fields(lines[0], ' ')[5], "300");
}

TEST(Tables, HaveOneHeadForManyQueries) {
  const MadeHits made;
  MadeHits none;
  none.ranked = none.reported = {};
  std::string text;
  TableWriter writer([&](std::string_view piece) { text += piece; }, TableStyle());
  const auto add = [&](const std::string& name, const MadeHits& hits) {
    writer.add(make_table_text(writer.style(), {name, ""}, hits.ranked, hits.reported, 100));
  };
  add("empty", none);
  add("first", made);
  add("second_with_a_very_long_name", made);
  writer.finish("1", "q", "t");
  EXPECT_EQ(text.find("# target name"), text.rfind("# target name"));
  const auto lines = rows(text);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(fields(lines[1], ' ')[2], "first");
  EXPECT_EQ(fields(lines[3], ' ')[2], "second_with_a_very_long_name");
}

TEST(Tables, HaveHeadAndTrailerWithoutAnyQuery) {
  std::string padded, tabbed;
  TableWriter([&](std::string_view piece) { padded += piece; },
              {TableContent::Domains, TableLayout::Padded, ReportKind::Search})
      .finish("9.8.7", "fam.hmm", "db.fa");
  TableWriter([&](std::string_view piece) { tabbed += piece; },
              {TableContent::Domains, TableLayout::Tabbed, ReportKind::Search})
      .finish("9.8.7", "fam.hmm", "db.fa");
  EXPECT_TRUE(padded.ends_with(kTrailer));
  EXPECT_EQ(rows(padded).size(), 0u);
  EXPECT_EQ(rows(tabbed).size(), 1u);
}

TEST(Tables, KeepTheirColumnsWithOddNames) {
  MadeHits made;
  const std::string long_name(100, 'n');
  made.sequences[0].name = "#a b\tc";
  made.sequences[0].accession = "x\ny";
  made.sequences[0].description = "one\ttwo\nthree";
  made.sequences[1].name = long_name;
  for (const TableLayout layout : {TableLayout::Padded, TableLayout::Tabbed}) {
    const char separator = layout == TableLayout::Padded ? ' ' : '\t';
    const auto lines = rows(table(made, TableContent::Targets, layout, ReportKind::Search, {"", ""}));
    const std::size_t first = layout == TableLayout::Padded ? 0 : 1;
    ASSERT_EQ(lines.size(), first + 2);
    EXPECT_EQ(fields(lines[first], separator)[0], long_name);
    const auto odd = fields(lines[first + 1], separator);
    EXPECT_EQ(odd[0], "_a_b_c");
    EXPECT_EQ(odd[1], "x_y");
    EXPECT_EQ(odd[2], "-") << "an empty name";
    EXPECT_EQ(odd.size(), separator == ' ' ? 21u : 19u);
    EXPECT_TRUE(lines[first + 1].ends_with("one two three"));
  }
}

TEST(Tables, HaveTargetsWhoseDomainsAreAllBelowTheCutoff) {
  MadeHits made;
  made.domains.erase(made.domains.begin());
  made.rank(ReportKind::Search);
  const auto lines = rows(table(made, TableContent::Targets, TableLayout::Padded));
  ASSERT_EQ(lines.size(), 2u);
  const auto low = fields(lines[1], ' ');
  EXPECT_EQ(low[0], "low");
  for (const std::size_t column : {7, 8, 9}) EXPECT_EQ(low[column], "nan");
  EXPECT_EQ(low[16], "0") << "reported domains";
}

TEST(Tables, AreTheSameWithAnyNumberOfThreads) {
  constexpr int kTargets = 1000;
  std::vector<SequenceHit> sequences(kTargets);
  std::vector<DomainHit> domains(kTargets);
  for (int i = 0; i < kTargets; ++i) {
    SequenceHit& hit = sequences[i];
    hit.name = "target" + std::string(static_cast<std::size_t>(i * 31 % 40), 'x') + std::to_string(i);
    hit.score = static_cast<float>(i * 7919 % kTargets);
    hit.p_value = 1e-9;
    hit.target_index = domains[i].target_index = static_cast<std::uint64_t>(i);
    domains[i].name = hit.name;
    domains[i].score = domains[i].sequence_score = hit.score;
    domains[i].p_value = domains[i].sequence_p_value = hit.p_value;
  }
  const HitLists ranked = rank_hits(sequences, domains, ReportKind::Search);
  for (const TableContent content : {TableContent::Targets, TableContent::Domains}) {
    for (const TableLayout layout : {TableLayout::Padded, TableLayout::Tabbed}) {
      const auto text = [&](unsigned threads) {
        return make_table_text({content, layout, ReportKind::Search}, {"fam", ""}, ranked, ranked, 10,
                               threads);
      };
      const TableText by_one = text(1);
      const auto lines = rows(by_one.rows);
      ASSERT_EQ(lines.size(), std::size_t{kTargets});
      for (int i = 0; i < kTargets; ++i) {
        const std::string name = fields(lines[i], layout == TableLayout::Padded ? ' ' : '\t')[0];
        ASSERT_EQ(name, ranked.sequences[i]->name);
      }
      for (const unsigned threads : {2U, 5U, 16U}) {
        EXPECT_EQ(text(threads).head, by_one.head);
        EXPECT_EQ(text(threads).rows, by_one.rows) << threads;
      }
    }
  }
}

}  // namespace
}  // namespace gpuhmm
