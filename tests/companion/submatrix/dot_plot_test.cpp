// Tests straight and sheared dot plots, and the matches of their rectangles.
#include "companion/submatrix/dot_plot.hpp"

#include <gtest/gtest.h>

#include "companion/submatrix/random_matrices.hpp"

namespace gpuhmm {
namespace {

const SubstitutionMatrix& blosum62() {
  static const SubstitutionMatrix scores = SubstitutionMatrix::blosum62();
  return scores;
}

TEST(DotPlot, HasTheScoreOfEveryPair) {
  const Matrix plot = dot_plot("WAR", "AW", blosum62());
  EXPECT_EQ(plot.rows, 3U);
  EXPECT_EQ(plot.columns, 2U);
  EXPECT_EQ(plot.values, (std::vector<std::int64_t>{-3, 11, 4, -3, -1, -3}));
  EXPECT_TRUE(dot_plot("", "AW", blosum62()).values.empty());
}

TEST(DotPlot, ShearedDiagonalsAreColumns) {
  const std::string a = "WARN";
  const std::string b = "AWND";
  const Matrix plot = sheared_dot_plot(a, b, blosum62());
  EXPECT_EQ(plot.rows, 4U);
  EXPECT_EQ(plot.columns, 7U);
  for (std::size_t i = 0; i < plot.rows; ++i) {
    for (std::size_t d = 0; d < plot.columns; ++d) {
      const std::ptrdiff_t j = static_cast<std::ptrdiff_t>(i + d) - 3;
      const bool there = j >= 0 && j < 4;
      ASSERT_EQ(plot.is_barred(plot.cell(i, d)), !there);
      if (there) {
        ASSERT_EQ(plot.values[plot.cell(i, d)], blosum62().score(a[i], b[static_cast<std::size_t>(j)]));
      }
    }
  }
  EXPECT_EQ(sheared_dot_plot("", "A", blosum62()).rows, 0U);
}

TEST(DotPlot, RectanglesInResidues) {
  const DotPlotMatch straight = match_of({2, 10, 4, 15});
  EXPECT_EQ(straight.first_a, 3U);
  EXPECT_EQ(straight.last_a, 5U);
  EXPECT_EQ(straight.first_b, 11U);
  EXPECT_EQ(straight.last_b, 16U);
  EXPECT_EQ(straight.first_diagonal, 6);
  EXPECT_EQ(straight.last_diagonal, 13);
  const DotPlotMatch band = sheared_match_of({2, 5, 4, 6}, 6);  // diagonals 0 and 1
  EXPECT_EQ(band.first_diagonal, 0);
  EXPECT_EQ(band.last_diagonal, 1);
  EXPECT_EQ(band.first_a, 3U);
  EXPECT_EQ(band.last_a, 5U);
  EXPECT_EQ(band.first_b, 3U);
  EXPECT_EQ(band.last_b, 6U);
}

TEST(DotPlot, FindsACommonStretch) {
  const std::string common = "WCHMFYWCHK";
  const std::string a = "DDDD" + common + "PPPPPP";
  const std::string b = "AAAAAAAAAAA" + common + "DDD";
  const Matrix plot = sheared_dot_plot(a, b, blosum62());
  const DotPlotMatch match = sheared_match_of(testing::best_on_host(plot, 1).where, a.size());
  EXPECT_EQ(match.first_diagonal, 7);
  EXPECT_EQ(match.last_diagonal, 7);
  EXPECT_EQ(match.first_a, 5U);
  EXPECT_EQ(match.last_a, 14U);
  EXPECT_EQ(match.first_b, 12U);
  EXPECT_EQ(match.last_b, 21U);
}

}  // namespace
}  // namespace gpuhmm
