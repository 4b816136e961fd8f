// The tables: their figures are complete, and say why a number is missing.
#include "experiment/sort/tables.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "experiment/sort/sort.hpp"

namespace gpuhmm::experiment {
namespace {

TableSource table_of(const Experiment& experiment, const std::string& id) {
  return chosen_tables(experiment, {id}).front();
}

std::size_t published_numbers(const Table& table) {
  std::size_t count = 0;
  for (const std::vector<Cell>& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      count += table.columns[i].origin == Origin::Published && row[i].number() ? 1 : 0;
    }
  }
  return count;
}

TEST(SortTables, AreThoseOfThePublicationAndThreeMore) {
  std::vector<std::string> ids;
  for (const TableSource& table : sort_experiment().tables) ids.push_back(table.id);
  EXPECT_EQ(ids, (std::vector<std::string>{"3", "4", "5", "6", "7", "8", "9", "rivals", "today", "long"}));
}

TEST(SortTables, HaveAllPublishedFiguresWithoutADevice) {
  const Experiment experiment = sort_experiment();
  const std::map<std::string, std::pair<std::size_t, std::size_t>> rows_and_figures{
      {"3", {3, 12}}, {"4", {4, 16}}, {"6", {7, 24}}, {"8", {8, 4}}, {"9", {5, 16}}};
  for (const auto& [id, expected] : rows_and_figures) {
    const Table table = measure(table_of(experiment, id), Request{});
    EXPECT_EQ(table.rows.size(), expected.first) << id;
    EXPECT_EQ(published_numbers(table), expected.second) << id;
    for (const std::vector<Cell>& row : table.rows) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        const bool measured =
            table.columns[i].origin == Origin::Measured || table.columns[i].origin == Origin::Derived;
        EXPECT_TRUE(!measured || row[i].text() == "no OpenCL device") << id << ": " << row[i].text();
      }
    }
  }
}

// The thesis' table 3 with one word a work-item is the sum of the stages of table 6.
TEST(SortTables, PublishedStagesAddUp) {
  for (std::size_t set = 0; set < 4; ++set) {
    double sum = 0;
    for (const sorting::PublishedStage& stage : sorting::kStages) {
      if (stage.measured != nullptr && stage.measured != &sorting::SortStages::transfer)
        sum += stage.figures[set];
    }
    EXPECT_NEAR(sum, sorting::kTable3[0].figures[set], 0.006) << set;
    EXPECT_EQ(sorting::kTable3[0].figures[set], sorting::kTable4[2].figures[set]) << set;
  }
}

TEST(SortTables, KeepLargeSetsForFull) {
  sorting::Measurements measurements{Request{}};
  const auto& outcome = measurements.rival(sorting::published_set(4).shape, sorting::Rival::StdSort);
  EXPECT_EQ(std::get<std::string>(outcome), "153,600,000 words of 9 letters: with --full");
}

TEST(SortMeasurements, UseTheRequestsWordsOfAnItemAndWorkGroup) {
  Request request;
  request.runs = 1;
  request.devices = {*select_device(list_devices(), "pthread")};
  EXPECT_EQ(sorting::Measurements(request).work(), (sorting::WorkShape{.each = 1, .group = 384}));
  request.words_per_item = 7;
  request.work_group = 96;
  sorting::Measurements measurements(request);
  const sorting::WordShape shape{.count = 4001};
  const auto& own = measurements.stages(shape);
  EXPECT_EQ(std::get<std::vector<sorting::SortStages>>(own).size(), 1U);
  EXPECT_EQ(&own, &measurements.stages(shape, {.each = 7, .group = 96}));
}

TEST(SortMeasurements, GiveEachRunOfASortThatIsRight) {
  Request request;
  request.runs = 2;
  request.devices = {*select_device(list_devices(), "pthread")};
  sorting::Measurements measurements(request);
  const sorting::WordShape shape{.count = 4001};
  EXPECT_EQ(std::get<std::vector<sorting::SortStages>>(measurements.stages(shape)).size(), 2U);
  EXPECT_EQ(std::get<sorting::TodayTimes>(measurements.today(shape)).kernels.runs, 2U);
  for (const sorting::Rival rival : sorting::kRivals) {
    const auto& outcome = measurements.rival(shape, rival);
    const auto* const spread = std::get_if<Spread>(&outcome);
    EXPECT_TRUE(spread ? spread->runs == 2 : rival == sorting::Rival::GnuSort);
  }
  EXPECT_EQ(std::get<Spread>(measurements.selection()).runs, 2U);
}

}  // namespace
}  // namespace gpuhmm::experiment
