// Tests tables and JSON of rectangles.
#include "companion/submatrix/report.hpp"

#include <gtest/gtest.h>

namespace gpuhmm {
namespace {

SubmatrixReport sample() {
  SubmatrixReport report;
  report.input = "m.txt";
  report.rows = 5;
  report.columns = 6;
  report.patterns = {{110, {1, 2, 3, 4}}, {7, {0, 0, 0, 1}}};
  return report;
}

TEST(SubmatrixReport, Table) {
  EXPECT_EQ(submatrix_table(sample()),
            "# m.txt: 5 rows, 6 columns\n"
            "# rows and columns count from 0, ends included\n"
            "#rank\ttop\tleft\tbottom\tright\theight\twidth\tsum\tmean\n"
            "1\t1\t2\t3\t4\t3\t3\t110\t12.2222\n"
            "2\t0\t0\t0\t1\t1\t2\t7\t3.5\n");
}

TEST(SubmatrixReport, TellsThatItHasMaximalSubmatrices) {
  SubmatrixReport report = sample();
  report.all = true;
  EXPECT_NE(submatrix_table(report).find(
                "\n# maximal submatrices: each is the best of the cells that the ones before leave\n#rank\t"),
            std::string::npos);
  EXPECT_EQ(submatrix_json(report), submatrix_json(sample()));
}

TEST(SubmatrixReport, ShiftAndDecimals) {
  SubmatrixReport report = sample();
  report.unit.decimals = 1;
  report.shift = "mean";
  report.subtracted = -25;
  report.patterns.pop_back();
  EXPECT_EQ(submatrix_table(report),
            "# m.txt: 5 rows, 6 columns; shift mean: -2.5 subtracted\n"
            "# rows and columns count from 0, ends included\n"
            "#rank\ttop\tleft\tbottom\tright\theight\twidth\tsum\tmean\n"
            "1\t1\t2\t3\t4\t3\t3\t11.0\t1.22222\n");
  EXPECT_EQ(
      submatrix_json(report),
      "{\"input\":\"m.txt\",\"subtracted\":-2.5,\"rank\":1,\"top\":1,\"left\":2,\"bottom\":3,\"right\":4,"
      "\"height\":3,\"width\":3,\"sum\":11.0,\"mean\":1.2222222222222223}\n");
}

TEST(SubmatrixReport, NothingFound) {
  SubmatrixReport report = sample();
  report.patterns.clear();
  EXPECT_NE(submatrix_table(report).find("\n# no rectangle: nothing is positive\n"), std::string::npos);
  EXPECT_EQ(submatrix_json(report), "");
  report.input = "a\nb";
  EXPECT_TRUE(submatrix_table(report).starts_with("# a\\nb: 5 rows"));
  report.least = "2.5";
  EXPECT_NE(submatrix_table(report).find("\n# no rectangle: no sum is at least 2.5\n"), std::string::npos);
}

TEST(SubmatrixReport, DotPlot) {
  SubmatrixReport report = sample();
  report.plot = {"a", "b", 5, true, "BLOSUM62"};
  const std::string table = submatrix_table(report);
  EXPECT_NE(table.find("\n#rank\ta_start\ta_end\tb_start\tb_end\tfirst_diagonal\tlast_diagonal\tsum\tmean\n"
                       "1\t2\t4\t0"),
            std::string::npos)
      << table;
  EXPECT_EQ(submatrix_json(report).rfind("{\"a\":\"a\",\"b\":\"b\",\"rank\":1,\"a_start\":2,", 0), 0U);
}

TEST(SubmatrixReport, SumsOf128Bits) {
  SubmatrixReport report = sample();
  report.patterns = {{static_cast<Int128>(1) << 100, {0, 0, 0, 0}}};
  EXPECT_NE(submatrix_table(report).find("\t1267650600228229401496703205376\t"), std::string::npos);
  EXPECT_NE(submatrix_json(report).find("\"sum\":1267650600228229401496703205376,"), std::string::npos);
}

}  // namespace
}  // namespace gpuhmm
