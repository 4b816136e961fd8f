// What the benches measure, keep and refuse.
#include <gtest/gtest.h>

#include "experiment/maximum/maximum.hpp"
#include "experiment/maximum/pocl_device.hpp"
#include "experiment/maximum/segment_bench.hpp"
#include "experiment/maximum/submatrix_bench.hpp"

namespace gpuhmm::experiment::maximum {
namespace {

Request request_with(std::vector<DeviceInfo> devices) {
  Request request;
  request.devices = std::move(devices);
  request.runs = 2;
  return request;
}

TEST(SegmentBench, SharesAVectorAmongDevices) {
  SegmentBench bench(request_with({test_device(), test_device(), test_device()}));
  for (const DataSet set : kDataSets) {
    for (const std::size_t devices : {1, 2, 3}) {
      const SegmentTask task{50'003, devices, set};
      EXPECT_GT(bench.scan({}, task).kernel.number().value_or(0), 0);
      EXPECT_GT(bench.scan({.staged = false}, task).answer.number().value_or(0), 0);
      EXPECT_GT(bench.engine(task).kernel.number().value_or(0), 0);
      EXPECT_GT(bench.sequential(task).answer.number().value_or(0), 0);
    }
  }
}

TEST(SegmentBench, MeasuresATaskOnce) {
  Request request = request_with({test_device()});
  std::vector<std::string> reports;
  request.progress = [&](const std::string& next) { reports.push_back(next); };
  SegmentBench bench(request);
  const Times first = bench.scan({}, {2000}), again = bench.scan({}, {2000});
  EXPECT_EQ(first.kernel.number(), again.kernel.number());
  EXPECT_EQ(first.kernel.spread()->runs, 2U);
  EXPECT_EQ(reports, (std::vector<std::string>{"S-shared, 90 x 128, 2,000 elements"}));
}

TEST(SegmentBench, SaysWhyThereIsNoFigure) {
  SegmentBench none(request_with({}));
  EXPECT_EQ(none.scan({}, {2000}).kernel.text(), "no OpenCL device");
  EXPECT_TRUE(none.sequential({2000}).kernel.number());
  DeviceInfo small = test_device();
  small.local_memory = 16000;
  SegmentBench one(request_with({small}));
  EXPECT_EQ(one.scan({}, {2000, 2}).kernel.text(), "needs 2 devices; the run has 1");
  EXPECT_EQ(one.scan({}, {2000}).kernel.text(), "needs 16,384 bytes of local memory; the device has 16,000");
  EXPECT_EQ(one.sequential({one.largest_size() + 1}).kernel.text(), "with --full");
}

TEST(SubmatrixBench, SharesAMatrixAmongDevices) {
  SubmatrixBench bench(request_with({test_device(), test_device()}));
  for (const DataSet set : kDataSets) {
    for (const std::size_t devices : {2, 1}) {
      const SubmatrixTask task{101, devices, set};
      EXPECT_GT(bench.scan({}, task).kernel.number().value_or(0), 0);
      EXPECT_GT(bench.scan({.staged = false, .branches = false}, task).answer.number().value_or(0), 0);
      EXPECT_GT(bench.engine(task).kernel.number().value_or(-1), -1);
      EXPECT_GT(bench.host(task).answer.number().value_or(0), 0);
      EXPECT_GT(bench.sequential(ColumnOrder::Transposed, task).answer.number().value_or(0), 0);
    }
  }
}

TEST(SubmatrixBench, SaysWhyThereIsNoFigure) {
  DeviceInfo small = test_device();
  small.max_work_group = 256;
  SubmatrixBench bench(request_with({small}));
  EXPECT_EQ(bench.scan({.staged = false}, {100}).kernel.text(),
            "needs 1,024 work-items in a work-group; the device takes 256");
  EXPECT_EQ(bench.sequential(ColumnOrder::RowMajor, {15'360}).kernel.text(), "with --full");
}

TEST(MaximumExperiment, HasTheTablesAndFiguresOfThePublication) {
  std::vector<std::string> ids;
  for (const TableSource& table : maximum_experiment().tables) ids.push_back(table.id);
  EXPECT_EQ(ids, (std::vector<std::string>{"6.1", "6.2", "6.3", "6.4", "figure-6.1", "figure-6.2",
                                           "figure-6.3", "subsequence-memory", "subsequence-groups",
                                           "subsequence-branches", "6.5", "6.6", "figure-6.4", "figure-6.5",
                                           "figure-6.6", "submatrix-branches"}));
}

TEST(MaximumExperiment, ShowsPublishedFiguresAndTheHostsWithoutADevice) {
  Request request = request_with({});
  request.runs = 1;
  const Experiment experiment = maximum_experiment();
  const Table table = measure(chosen_tables(experiment, {"6.4"}).front(), request);
  ASSERT_EQ(table.rows.size(), 10U);
  EXPECT_EQ(table.rows[4][5].number(), 146.363);
  EXPECT_EQ(table.columns[6].name, "S-seq");
  EXPECT_TRUE(table.rows[0][6].number());
  EXPECT_EQ(table.rows[9][6].text(), "with --full");
  EXPECT_EQ(table.rows[0][8].text(), "no OpenCL device");
}

}  // namespace
}  // namespace gpuhmm::experiment::maximum
