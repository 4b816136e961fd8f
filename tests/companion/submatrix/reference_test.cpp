// Compares the plain search with the definition and with worked examples.
#include "companion/submatrix/reference.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "companion/submatrix/random_matrices.hpp"

namespace gpuhmm {
namespace {

using testing::matrix_of;
using testing::random_matrix;

TEST(SubmatrixReference, TheExampleOfTheDissertation) {
  const Matrix matrix = matrix_of(5, 5, {-10, -10, 20,  -20, -30, 5,  -20, 10, 40,  10, 30,  -40, 20,
                                         -10, -15, -20, 4,   -5,  50, 10,  10, -20, 10, -40, 10});
  EXPECT_EQ(best_submatrix_reference(matrix), (Pattern{110, {1, 2, 3, 4}}));
}

TEST(SubmatrixReference, EqualsTheDefinition) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 600; ++i) {
    const std::size_t rows = 1 + random() % 7;
    const std::size_t columns = 1 + random() % 7;
    const std::int64_t size = i % 3 == 0 ? 1 : 9;  // 1: many ties
    Matrix matrix = random_matrix(random, rows, columns, -size, size);
    if (i % 2 == 0) testing::bar_some(random, matrix, 0.15);
    ASSERT_EQ(best_submatrix_reference(matrix), testing::brute_force(matrix)) << rows << " x " << columns;
  }
}

TEST(SubmatrixReference, SimpleCases) {
  EXPECT_EQ(best_submatrix_reference(matrix_of(1, 1, {7})), (Pattern{7, {0, 0, 0, 0}}));
  EXPECT_TRUE(best_submatrix_reference(matrix_of(1, 1, {-7})).empty());
  EXPECT_TRUE(best_submatrix_reference(matrix_of(0, 0, {})).empty());
  EXPECT_TRUE(best_submatrix_reference(matrix_of(2, 2, {0, -1, 0, 0})).empty());
  EXPECT_EQ(best_submatrix_reference(matrix_of(2, 3, {1, 1, 1, 1, 1, 1})), (Pattern{6, {0, 0, 1, 2}}));
  EXPECT_EQ(best_submatrix_reference(matrix_of(1, 5, {2, -1, 2, -9, 3})), (Pattern{3, {0, 0, 0, 2}}));
  EXPECT_EQ(best_submatrix_reference(matrix_of(5, 1, {2, -1, 2, -9, 3})), (Pattern{3, {0, 0, 2, 0}}));
}

TEST(SubmatrixReference, TiesTakeTheSmallestTopThenLeftThenBottomThenRight) {
  EXPECT_EQ(best_submatrix_reference(matrix_of(2, 2, {-6, 5, 5, -6})), (Pattern{5, {0, 1, 0, 1}}));
  EXPECT_EQ(best_submatrix_reference(matrix_of(1, 3, {0, 5, 0})), (Pattern{5, {0, 0, 0, 1}}));
  EXPECT_EQ(best_submatrix_reference(matrix_of(3, 1, {0, 5, 0})), (Pattern{5, {0, 0, 1, 0}}));
  // The same sum from a later start in another pair of lines: the smaller top is preferred.
  EXPECT_EQ(best_submatrix_reference(matrix_of(3, 3, {-9, -9, 4, -9, -9, -9, 4, -9, -9})),
            (Pattern{4, {0, 2, 0, 2}}));
}

TEST(SubmatrixReference, ExtremesOf64Bits) {
  constexpr std::int64_t kHigh = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kLow = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(best_submatrix_reference(matrix_of(2, 2, {kHigh, kHigh, kHigh, kHigh})),
            (Pattern{static_cast<Int128>(kHigh) * 4, {0, 0, 1, 1}}));
  EXPECT_EQ(best_submatrix_reference(matrix_of(1, 3, {kHigh, -1, kHigh})),
            (Pattern{static_cast<Int128>(kHigh) * 2 - 1, {0, 0, 0, 2}}));
  EXPECT_TRUE(best_submatrix_reference(matrix_of(2, 2, {kLow, kLow, kLow, kLow})).empty());
}

TEST(SubmatrixReference, BarredCellsAreInNoRectangle) {
  Matrix matrix = matrix_of(3, 3, {1, 1, 1, 1, 100, 1, 1, 1, 1});
  bar(matrix, {1, 1, 1, 1});
  EXPECT_EQ(best_submatrix_reference(matrix), (Pattern{3, {0, 0, 0, 2}}));
  bar(matrix, {0, 0, 2, 2});
  EXPECT_TRUE(best_submatrix_reference(matrix).empty());
}

}  // namespace
}  // namespace gpuhmm
