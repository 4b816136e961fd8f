// Bins of times.
#include "experiment/reduce/time_histogram.hpp"

#include <gtest/gtest.h>

namespace gpuhmm::experiment {
namespace {

double count_in(const Table& table, std::size_t bin, std::size_t column) {
  return table.rows.at(bin).at(column).number().value();
}

TEST(TimeHistogram, CountsEveryRunInTheBinOfItsTime) {
  const Table table = time_histogram("x", "title", {{"a", {1, 1.5, 3, 15.9}}, {"b", {16, 16, 1}}}, 4, "");
  ASSERT_EQ(table.rows.size(), 4U);
  ASSERT_EQ(table.columns.size(), 3U);
  EXPECT_EQ(table.rows[0][0].text(), "1 to 2");
  EXPECT_EQ(table.rows[3][0].text(), "8 to 16");
  const std::vector<std::vector<double>> expected = {{2, 1}, {1, 0}, {0, 0}, {1, 2}};
  for (std::size_t bin = 0; bin < 4; ++bin) {
    EXPECT_EQ(count_in(table, bin, 1), expected[bin][0]) << bin;
    EXPECT_EQ(count_in(table, bin, 2), expected[bin][1]) << bin;
  }
  EXPECT_EQ(table.notes.size(), 2U);
}

TEST(TimeHistogram, TakesEqualTimesAndSeriesWithoutAny) {
  const Table table = time_histogram("x", "title", {{"a", {2, 2}}, {"b", {}}}, 3, "no device");
  double all = 0;
  for (std::size_t bin = 0; bin < 3; ++bin) {
    all += count_in(table, bin, 1);
    EXPECT_EQ(table.rows[bin][2].text(), "no device");
    EXPECT_TRUE(table.rows[bin][2].is_absent());
  }
  EXPECT_EQ(all, 2);
  EXPECT_EQ(table.notes.size(), 1U);
}

}  // namespace
}  // namespace gpuhmm::experiment
