// The tables of the experiment: shape, published figures, reasons without a device.
#include "experiment/reduce/reduce_experiment.hpp"

#include <gtest/gtest.h>

namespace gpuhmm::experiment {
namespace {

// Measured on the host, with so many runs.
Table table_of(const std::string& id, std::size_t runs) {
  Request request;
  request.runs = runs;
  return measure(chosen_tables(reduce_experiment(), {id}).at(0), request);
}

TEST(ReduceExperiment, HasHistogramsMeansLadderAndGroups) {
  std::vector<std::string> ids;
  for (const TableSource& table : reduce_experiment().tables) ids.push_back(table.id);
  EXPECT_EQ(ids, (std::vector<std::string>{"2.1", "2.2", "means", "ladder", "groups"}));
}

TEST(ReduceExperiment, HasThePublishedGainBesideThePublishedMethod) {
  const Table table = table_of("means", 1);
  ASSERT_EQ(table.rows.size(), 6U);
  EXPECT_EQ(table.columns.back().origin, Origin::Published);
  for (const std::vector<Cell>& row : table.rows) {
    const bool published = row[0].text() == "published, with transfer";
    EXPECT_EQ(row.back().number(), published ? std::optional(3.0) : std::nullopt);
    const bool host = row[0].text() == "sequential" || row[0].text() == "today, 1 thread";
    EXPECT_EQ(row[1].is_absent(), !host);
    EXPECT_EQ(row[1].text(), host ? "" : "no OpenCL device");
  }
}

TEST(ReduceExperiment, CountsAsManyTimesAsRuns) {
  const Table table = table_of("2.1", 3);
  double runs = 0;
  for (const std::vector<Cell>& row : table.rows) runs += row[1].number().value();
  EXPECT_EQ(runs, 3);
  EXPECT_TRUE(table.rows[0][2].is_absent());
}

}  // namespace
}  // namespace gpuhmm::experiment
