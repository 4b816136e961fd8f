// Tests pictures of rectangles: the matrix in grey, axes, frames, ranks and legend.
#include "companion/submatrix/overlay.hpp"

#include <gtest/gtest.h>

#include "companion/submatrix/figure.hpp"
#include "formats/image/image.hpp"
#include "formats/io/temporary_folder.hpp"

namespace gpuhmm {
namespace {

GreyImage decoded(const std::string& png) {
  const test::TemporaryFolder folder;
  Input input(folder.write("plot", png));
  return read_image(input, ImageFormat::Png);
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}

Overlay overlay_of(const Matrix& matrix, const std::vector<Pattern>& patterns) {
  return {matrix,        patterns, {}, "title", "subtitle", {"Row", 0},
          {"Column", 0}, "Value",  1,  false,   {},         "nothing is positive"};
}

TEST(Overlay, PngShowsTheValuesInGrey) {
  // Left half black, right half white, each a quarter of a million pixels.
  const Matrix matrix{1, 2, {-5, 5}, {}};
  std::size_t black = 0, white = 0, others = 0;
  const GreyImage image = decoded(overlay_png(overlay_of(matrix, {})));
  EXPECT_GT(image.columns, 700U);
  // A row through the middle of the matrix.
  std::size_t row = 0;
  for (std::size_t r = 0; r < image.rows; ++r) {
    std::size_t dark = 0;
    for (std::size_t c = 0; c < image.columns; ++c) dark += image.values[r * image.columns + c] == 0 ? 1 : 0;
    if (dark > 300 && dark < 400) row = r;
  }
  ASSERT_GT(row, 0U);
  for (std::size_t c = 100; c < 760; ++c) {
    const int value = image.values[row * image.columns + c];
    (value == 0 ? black : value == 255 ? white : others) += 1;
  }
  EXPECT_NEAR(static_cast<double>(black), 330, 40);
  EXPECT_NEAR(static_cast<double>(white), 330, 40);
  EXPECT_LE(others, 4U);
}

TEST(Overlay, EveryValueHasItsGrey) {
  const Matrix matrix{1, 3, {0, 1, 2}, {}};
  const std::vector<Pattern> none;  // an overlay refers to its patterns
  const auto greys = [&](bool high_is_dark) {
    Overlay overlay = overlay_of(matrix, none);
    overlay.high_is_dark = high_is_dark;
    const GreyImage image = decoded(overlay_png(overlay));
    const std::size_t row = 130;  // within the matrix: its top is at 75, it is 180 high
    return std::vector<int>{image.values[row * image.columns + 150], image.values[row * image.columns + 450],
                            image.values[row * image.columns + 700]};
  };
  EXPECT_EQ(greys(false), (std::vector<int>{0, 128, 255}));
  EXPECT_EQ(greys(true), (std::vector<int>{255, 128, 0}));
}

TEST(Overlay, LargeMatricesAreAveraged) {
  Matrix matrix{4000, 3, std::vector<std::int64_t>(12000, 0), {}};
  for (std::size_t i = 0; i < 6000; ++i) matrix.values[i] = 90;
  const std::string svg = overlay_svg(overlay_of(matrix, {}));
  EXPECT_LT(svg.size(), 100'000U);
  EXPECT_EQ(count_of(svg, "data:image/png;base64,iVBORw0KGgo"), 2U);  // the matrix and the scale
}

TEST(Overlay, EmptyMatrices) {
  for (const Matrix& matrix : {Matrix{}, Matrix{0, 7, {}, {}}, Matrix{7, 0, {}, {}}}) {
    EXPECT_EQ(overlay_png(overlay_of(matrix, {})).rfind("\x89PNG", 0), 0U);
    const std::string svg = overlay_svg(overlay_of(matrix, {}));
    EXPECT_NE(svg.find("no rectangle: nothing is positive"), std::string::npos);
    EXPECT_EQ(svg.find("<image"), std::string::npos);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
  }
}

TEST(Overlay, EveryRectangleHasAFrameAndARank) {
  const Matrix matrix{5, 6, std::vector<std::int64_t>(30, 1), {}};
  const std::vector<Pattern> patterns{{110, {1, 2, 3, 4}}, {7, {0, 0, 0, 1}}, {6, {0, 0, 4, 5}}};
  Overlay overlay = overlay_of(matrix, patterns);
  overlay.labels = {"a < b & c", "second", "third"};
  overlay.keys = {"first key", "second key", "third key"};
  const std::string svg = overlay_svg(overlay);
  EXPECT_EQ(count_of(svg, "<g class=\"rectangle\">"), 3U);
  EXPECT_EQ(count_of(svg, "<g class=\"rank\">"), 3U);
  EXPECT_NE(svg.find("<title>a &lt; b &amp; c</title>"), std::string::npos);
  EXPECT_NE(svg.find(">1: first key</text>"), std::string::npos);
  EXPECT_NE(svg.find(">rectangle and its rank</text>"), std::string::npos);
}

TEST(Overlay, LegendCountsTheRanksShown) {
  const Matrix matrix{40, 40, std::vector<std::int64_t>(1600, 1), {}};
  std::vector<Pattern> patterns;
  for (std::size_t i = 0; i < 1600; ++i) patterns.push_back({1, {i / 40, i % 40, i / 40, i % 40}});
  Overlay overlay = overlay_of(matrix, patterns);
  overlay.keys.assign(1600, "key");
  const std::string svg = overlay_svg(overlay);
  const std::size_t ranks = count_of(svg, "<g class=\"rank\">");
  EXPECT_GT(ranks, 20U);
  EXPECT_LT(ranks, 1600U);
  EXPECT_EQ(count_of(svg, "<g class=\"rectangle\">"), 1000U);
  EXPECT_NE(svg.find("(shown for " + std::to_string(ranks) + " of 1600; frames of the best 1000)"),
            std::string::npos);
  EXPECT_NE(svg.find(">and 1590 more</text>"), std::string::npos);
}

TEST(Figure, DescribesAMatrix) {
  SubmatrixReport report;
  report.input = "folder/m.txt";
  report.rows = 5;
  report.columns = 6;
  report.unit.decimals = 1;
  report.shift = "mean";
  report.subtracted = 15;
  report.patterns = {{110, {1, 2, 3, 2}}};
  const Matrix matrix{5, 6, std::vector<std::int64_t>(30, 1), {}};
  const Overlay figure = figure_of(report, matrix);
  EXPECT_EQ(figure.title, "m.txt");
  EXPECT_EQ(figure.subtitle, "5 rows × 6 columns; shift mean, 1.5 subtracted");
  EXPECT_EQ(figure.keys, (std::vector<std::string>{"rows 1–3, columns 2, sum 11.0"}));
  EXPECT_EQ(figure.value_title, "Value less shift");
  EXPECT_DOUBLE_EQ(figure.unit, 0.1);
}

TEST(Figure, TellsWhyNothingIsFound) {
  const Matrix matrix{1, 1, {1}, {}};
  SubmatrixReport report;
  const auto svg = [&] { return overlay_svg(figure_of(report, matrix)); };
  EXPECT_NE(svg().find(">no rectangle: nothing is positive</text>"), std::string::npos);
  report.least = "2.5";
  EXPECT_NE(svg().find(">no rectangle: no sum is at least 2.5</text>"), std::string::npos);
}

TEST(Figure, DescribesDotPlots) {
  SubmatrixReport report;
  report.rows = 5;
  report.columns = 11;
  report.plot = {"alpha", "beta", 5, true, "BLOSUM62"};
  report.patterns = {{110, {1, 2, 3, 3}}, {20, {0, 5, 1, 5}}};
  const Matrix matrix{5, 11, std::vector<std::int64_t>(55, 1), {}};
  const Overlay figure = figure_of(report, matrix);
  EXPECT_EQ(figure.title, "alpha × beta");
  EXPECT_EQ(figure.subtitle, "5 × 7 residues, BLOSUM62");
  EXPECT_EQ(figure.columns.first, -4);
  EXPECT_EQ(figure.rows.first, 1);
  EXPECT_EQ(figure.rows.title, "A: residue of alpha");
  EXPECT_EQ(figure.keys[0], "A 2–4, B 0–3, diagonal −2 to −1, sum 110");
  EXPECT_EQ(figure.keys[1], "A 1–2, B 2–3, diagonal 1, sum 20");
  EXPECT_TRUE(figure.high_is_dark);
}

}  // namespace
}  // namespace gpuhmm
