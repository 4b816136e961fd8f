// Tables, JSON and pictures of rectangles.
#include "submatrix/report.hpp"

#include <gtest/gtest.h>

#include "formats/image/image.hpp"
#include "formats/io/temporary_folder.hpp"
#include "submatrix/overlay.hpp"

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
}

TEST(SubmatrixReport, DotPlot) {
  SubmatrixReport report = sample();
  report.plot = {"a", "b", 5, true};
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
  EXPECT_NE(submatrix_json(report).find("\"sum\":1.2676506002282294e+30,"), std::string::npos);
}

TEST(Overlay, PngHasTheMatrixInGreyAndFrames) {
  const Matrix matrix{2, 200, std::vector<std::int64_t>(400, 5), {}};
  std::vector<Pattern> patterns{{1, {0, 50, 1, 99}}};
  Matrix two = matrix;
  two.values[0] = -5;
  const test::TemporaryFolder folder;
  Input input(folder.write("plot", overlay_png({two, patterns, {"label"}})));
  const GreyImage image = read_image(input, ImageFormat::Png);
  ASSERT_EQ(image.rows, 4U);  // twice as large
  ASSERT_EQ(image.columns, 400U);
  EXPECT_EQ(image.values[0], 0);
  EXPECT_EQ(image.values[2], 255);
  EXPECT_EQ(image.values[99], 255);
  EXPECT_NE(image.values[100], 255);
  EXPECT_NE(image.values[199], 255);
  EXPECT_EQ(image.values[200], 255);
}

TEST(Overlay, LargeMatricesAreAveraged) {
  Matrix matrix{4000, 3, std::vector<std::int64_t>(12000, 0), {}};
  for (std::size_t i = 0; i < 6000; ++i) matrix.values[i] = 90;
  const test::TemporaryFolder folder;
  Input input(folder.write("plot", overlay_png({matrix, {}, {}})));
  const GreyImage image = read_image(input, ImageFormat::Png);
  ASSERT_EQ(image.rows, 1334U);
  ASSERT_EQ(image.columns, 1U);
  EXPECT_EQ(image.values.front(), 255);
  EXPECT_EQ(image.values.back(), 0);
}

TEST(Overlay, EmptyMatrices) {
  for (const Matrix& matrix : {Matrix{}, Matrix{0, 7, {}, {}}, Matrix{7, 0, {}, {}}}) {
    EXPECT_EQ(overlay_png({matrix, {}, {}}).rfind("\x89PNG", 0), 0U);
    EXPECT_NE(overlay_svg({matrix, {}, {}}).find("viewBox"), std::string::npos);
  }
}

TEST(Overlay, SvgHasAFrameForEachRectangle) {
  const Matrix matrix{5, 6, std::vector<std::int64_t>(30, 1), {}};
  const std::vector<Pattern> patterns{{110, {1, 2, 3, 4}}, {7, {0, 0, 0, 1}}};
  const std::string svg = overlay_svg({matrix, patterns, {"a < b & c", "second"}});
  EXPECT_EQ(svg.rfind("<svg xmlns=\"http://www.w3.org/2000/svg\"", 0), 0U);
  EXPECT_NE(svg.find("viewBox=\"0 0 6 5\""), std::string::npos);
  EXPECT_NE(svg.find("data:image/png;base64,iVBORw0KGgo"), std::string::npos);
  EXPECT_NE(svg.find("<title>a &lt; b &amp; c</title><rect x=\"2\" y=\"1\" width=\"3\" height=\"3\""),
            std::string::npos);
  EXPECT_NE(svg.find("<title>second</title><rect x=\"0\" y=\"0\" width=\"2\" height=\"1\""),
            std::string::npos);
}

}  // namespace
}  // namespace gpuhmm
