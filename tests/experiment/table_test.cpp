// Tables of experiments: statistics, the choice of tables, text, JSON, plots.
#include <gtest/gtest.h>

#include <limits>

#include "experiment/experiment.hpp"
#include "experiment/table_plot.hpp"
#include "experiment/table_text.hpp"

namespace gpuhmm::experiment {
namespace {

Table small_table() {
  Table table;
  table.id = "6.1";
  table.title = "Maximum subsequence";
  table.columns = {{"n", "", Origin::Setting},
                   {"one device", "ms", Origin::Published},
                   {"one device", "ms", Origin::Measured},
                   {"two devices", "ms", Origin::Measured}};
  table.rows = {{1000.0, 0.5, spread_of({1, 2, 4}), Cell::absent("there is one device")},
                {2500.0, 12345.6, 0.25, Cell::absent("there is one device")}};
  table.notes = {"Kernels only."};
  return table;
}

Experiment small_experiment() {
  const auto measure_it = [](const Request& /*request*/) { return small_table(); };
  return {"sums",
          "Sums",
          "A. Author: Sums (2013)",
          {{"6.1", "First", measure_it}, {"6.2", "Second", measure_it}}};
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++found;
  return found;
}

TEST(Spread, HasMedianMeanAndSampleDeviation) {
  const Spread odd = spread_of({4, 1, 2});
  EXPECT_EQ(odd.median, 2);
  EXPECT_DOUBLE_EQ(odd.mean, 7.0 / 3);
  EXPECT_NEAR(odd.deviation, 1.5275252316519468, 1e-15);
  EXPECT_EQ(odd.least, 1);
  EXPECT_EQ(odd.most, 4);
  EXPECT_EQ(spread_of({4, 1, 2, 8}).median, 3);
  EXPECT_EQ(spread_of({7}).deviation, 0);
  EXPECT_EQ(scaled(odd, 1000).median, 2000);
}

TEST(Spread, LeavesTheFirstCallOut) {
  double next = 100;
  const Spread spread = measured(3, [&next] { return next++; });
  EXPECT_EQ(spread.runs, 3U);
  EXPECT_EQ(spread.least, 101);
}

TEST(ChosenTables, AreInTheOrderOfThePublication) {
  const Experiment experiment = small_experiment();
  EXPECT_EQ(chosen_tables(experiment, {}).size(), 2U);
  const std::vector<TableSource> both = chosen_tables(experiment, {"6.2", "6.1"});
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0].id, "6.1");
  EXPECT_THROW(chosen_tables(experiment, {"6.3"}), std::invalid_argument);
}

TEST(Measure, NamesTheTableAndRefusesRowsOfAnotherWidth) {
  TableSource source = small_experiment().tables[1];
  EXPECT_EQ(measure(source, {}).title, "Second");
  source.measure = [](const Request& /*request*/) {
    Table table = small_table();
    table.rows.push_back({1.0});
    return table;
  };
  EXPECT_THROW(measure(source, {}), std::logic_error);
}

TEST(TableText, AlignsColumnsAndGivesReasonsOnce) {
  EXPECT_EQ(table_text(small_table()),
            "Table 6.1: Maximum subsequence\n"
            "   n  one device*  one device  two devices\n"
            "               ms          ms           ms\n"
            "1000          0.5      2 \u00b11.5         -[1]\n"
            "2500        12346        0.25         -[1]\n"
            "  [1] there is one device\n"
            "  Kernels only.\n");
}

TEST(RunJson, HasEveryCellWithItsOrigin) {
  const Table table = small_table();
  const Json run = run_json(small_experiment(), {}, {"1.2", "gpuhmm bench sums", "2026-01-02"}, {&table, 1});
  EXPECT_EQ(run["experiment"], "sums");
  EXPECT_EQ(run["date"], "2026-01-02");
  const Json& written = run["tables"][0];
  EXPECT_EQ(written["columns"][1]["origin"], "published");
  EXPECT_EQ(written["rows"][0][2]["runs"], 3);
  EXPECT_EQ(written["rows"][0][2]["median"], 2.0);
  EXPECT_EQ(written["rows"][1][3]["absent"], "there is one device");
}

TEST(TablePlot, DrawsABarForEachNumber) {
  const std::string svg = table_plot(small_table());
  EXPECT_EQ(svg.rfind("<?xml", 0) == 0 || svg.rfind("<svg", 0) == 0, true);
  EXPECT_NE(svg.find("one device (published)"), std::string::npos);
  EXPECT_NE(svg.find("2500"), std::string::npos);
}

TEST(TablePlot, DrawsALineForEachColumnOnLogarithmicAxes) {
  Table table = small_table();
  table.plot = {PlotStyle::Kind::Lines, 0, {}, true, true};
  table.rows.push_back(
      {0.0, 1.0, 1.0, std::numeric_limits<double>::infinity()});  // not on a logarithmic axis
  const std::string svg = table_plot(table);
  EXPECT_EQ(count(svg, "class=\"series\""), 3U);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(TablePlot, SaysThatThereAreNoNumbers) {
  Table table = small_table();
  for (std::vector<Cell>& row : table.rows) {
    for (std::size_t i = 1; i < row.size(); ++i) row[i] = Cell::absent("no device");
  }
  EXPECT_NE(table_plot(table).find("no numbers"), std::string::npos);
}

}  // namespace
}  // namespace gpuhmm::experiment
