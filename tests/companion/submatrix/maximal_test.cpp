// All maximal submatrices: the plain search against the definition, the fast one against the plain one.
#include "companion/submatrix/maximal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "companion/segments/segment.hpp"
#include "companion/submatrix/random_matrices.hpp"
#include "gpuhmm/device.hpp"
#include "simd/instruction_set.hpp"

namespace gpuhmm {
namespace {

using testing::matrix_of;
using testing::random_matrix;

std::vector<Pattern> all_on_host(const Matrix& matrix, unsigned threads = 1,
                                 const SubmatrixLimits& limits = {}) {
  SubmatrixOptions options;
  options.threads = threads;
  return maximal_submatrices(matrix, limits, options);
}

// With 32 and, by values that are multiples of a large number, with 64 bits.
void expect_reference(const Matrix& matrix) {
  std::vector<Pattern> expected = maximal_submatrices_reference(matrix);
  for (const unsigned threads : {1U, 3U}) {
    ASSERT_EQ(all_on_host(matrix, threads), expected) << matrix.rows << " x " << matrix.columns;
  }
  constexpr std::int64_t kFactor = std::int64_t{1} << 33;
  Matrix large = matrix;
  for (std::int64_t& value : large.values) value *= kFactor;
  for (Pattern& pattern : expected) pattern.sum *= kFactor;
  ASSERT_EQ(all_on_host(large), expected) << matrix.rows << " x " << matrix.columns;
}

// A matrix of some kind, by turns: few and many ties, mostly negative, islands, barred cells.
Matrix matrix_of_kind(std::mt19937_64& random, std::size_t rows, std::size_t columns, int kind) {
  Matrix matrix = kind % 4 == 3   ? testing::island_matrix(random, rows, columns)
                  : kind % 4 == 2 ? random_matrix(random, rows, columns, -9, 6)
                                  : random_matrix(random, rows, columns, kind % 4 == 0 ? -1 : -20,
                                                  kind % 4 == 0 ? 1 : 20);
  if (kind % 5 == 4) testing::bar_some(random, matrix, 0.05);
  return matrix;
}

TEST(MaximalReference, EqualsTheDefinition) {
  std::mt19937_64 random(41);
  for (int i = 0; i < 200; ++i) {
    Matrix matrix = matrix_of_kind(random, 1 + random() % 6, 1 + random() % 6, i);
    const std::vector<Pattern> found = maximal_submatrices_reference(matrix);
    for (const Pattern& pattern : found) {
      ASSERT_EQ(pattern, testing::brute_force(matrix, Preference::Innermost));
      bar(matrix, pattern.where);
    }
    ASSERT_TRUE(testing::brute_force(matrix, Preference::Innermost).empty());
  }
}

// A single row or column has the maximal segments of Ruzzo and Tompa.
TEST(MaximalReference, OfOneLineIsTheListOfMaximalSegments) {
  std::mt19937_64 random(42);
  for (int i = 0; i < 300; ++i) {
    const std::int64_t size = i % 3 == 0 ? 1 : i % 3 == 1 ? 3 : 1000;
    Matrix matrix = random_matrix(random, 1, 1 + random() % 60, -size, size);
    auto segments = maximal_segments<std::int64_t>(std::span<const std::int64_t>(matrix.values));
    std::stable_sort(segments.begin(), segments.end(),
                     [](const auto& a, const auto& b) { return a.score > b.score; });
    std::vector<Pattern> expected;
    for (const auto& segment : segments) {
      expected.push_back({segment.score, {0, segment.begin, 0, segment.end - 1}});
    }
    EXPECT_EQ(maximal_submatrices_reference(matrix), expected);
    std::swap(matrix.rows, matrix.columns);
    for (Pattern& pattern : expected) {
      pattern.where = {pattern.where.left, 0, pattern.where.right, 0};
    }
    EXPECT_EQ(maximal_submatrices_reference(matrix), expected);
  }
}

// The examples of docs/submatrix.md.
TEST(MaximalReference, TakesTheInnermostOfEqualSums) {
  const Matrix row = matrix_of(1, 4, {5, -5, 3, 4});
  EXPECT_EQ(maximal_submatrices_reference(row), (std::vector<Pattern>{{7, {0, 2, 0, 3}}, {5, {0, 0, 0, 0}}}));
  SubmatrixOptions options;
  EXPECT_EQ(top_submatrices(row, {.most = 9}, options), (std::vector<Pattern>{{7, {0, 0, 0, 3}}}));
  const Matrix cross = matrix_of(3, 3, {-9, 2, -9, 2, 1, 2, -9, 2, -9});
  EXPECT_EQ(maximal_submatrices_reference(cross),
            (std::vector<Pattern>{{5, {1, 0, 1, 2}}, {2, {0, 1, 0, 1}}, {2, {2, 1, 2, 1}}}));
}

// Runs the test once with every instruction set of this machine.
class MaximalSubmatrices : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { simd::use_instruction_set(GetParam()); }
  void TearDown() override { simd::use_instruction_set(""); }
};

INSTANTIATE_TEST_SUITE_P(EveryInstructionSet, MaximalSubmatrices,
                         ::testing::ValuesIn(simd::instruction_sets()),
                         [](const auto& set) { return set.param; });

TEST_P(MaximalSubmatrices, EqualTheReference) {
  std::mt19937_64 random(43);
  int kind = 0;
  for (const std::size_t rows : {1, 2, 5, 16, 17, 35}) {
    for (const std::size_t columns : {1, 2, 3, 15, 18, 33}) {
      ASSERT_NO_FATAL_FAILURE(expect_reference(matrix_of_kind(random, rows, columns, kind++)));
    }
  }
}

TEST_P(MaximalSubmatrices, OfManySmallMatricesEqualTheReference) {
  std::mt19937_64 random(44);
  for (int i = 0; i < 150; ++i) {
    const std::size_t rows = 1 + random() % 24, columns = 1 + random() % 24;
    ASSERT_NO_FATAL_FAILURE(expect_reference(matrix_of_kind(random, rows, columns, i)));
  }
}

TEST(MaximalSubmatrix, OfSimpleMatrices) {
  EXPECT_TRUE(all_on_host({}).empty());
  EXPECT_TRUE(all_on_host({0, 5, {}, {}}).empty());
  for (const std::int64_t value : {-3, 0}) {
    EXPECT_TRUE(all_on_host({40, 30, std::vector<std::int64_t>(1200, value), {}}).empty());
  }
  EXPECT_EQ(all_on_host({40, 30, std::vector<std::int64_t>(1200, 2), {}}),
            (std::vector<Pattern>{{2400, {0, 0, 39, 29}}}));
  Matrix barred{40, 30, std::vector<std::int64_t>(1200, 2), {}};
  bar(barred, {0, 0, 39, 29});
  EXPECT_TRUE(all_on_host(barred).empty());
}

// Of a checkerboard every other cell, in the order of the ends.
TEST(MaximalSubmatrix, AreAtMostThePositiveCells) {
  Matrix matrix{20, 31, std::vector<std::int64_t>(620), {}};
  std::vector<Pattern> expected;
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    for (std::size_t column = 0; column < matrix.columns; ++column) {
      const bool positive = (row + column) % 2 == 0;
      matrix.values[matrix.cell(row, column)] = positive ? 1 : -2;
      if (positive) expected.push_back({1, {row, column, row, column}});
    }
  }
  EXPECT_EQ(all_on_host(matrix), expected);
}

// Larger than the reference can do: what follows from the definition.
TEST(MaximalSubmatrix, AreDisjointFallAndCoverEveryPositiveCell) {
  std::mt19937_64 random(45);
  for (const auto& [rows, columns] : {std::pair{180, 140}, std::pair{90, 300}}) {
    Matrix matrix = random_matrix(random, rows, columns, -1000, 1000);
    const std::vector<Pattern> found = all_on_host(matrix, 2);
    const auto sum_of = [&](const Rectangle& where) {
      Int128 sum = 0;
      for (std::size_t row = where.top; row <= where.bottom; ++row) {
        for (std::size_t column = where.left; column <= where.right; ++column) {
          const std::size_t cell = matrix.cell(row, column);
          EXPECT_FALSE(matrix.is_barred(cell));
          sum += matrix.values[cell];
        }
      }
      return sum;
    };
    ASSERT_GT(found.size(), 400U);
    EXPECT_EQ(found.front().sum, best_submatrix_reference(matrix).sum);
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(sum_of(found[i].where), found[i].sum);
      bar(matrix, found[i].where);
      if (i == 0) continue;
      EXPECT_LE(found[i].sum, found[i - 1].sum);
      EXPECT_TRUE(found[i].sum < found[i - 1].sum || found[i - 1].where.ends_before(found[i].where));
    }
    for (std::size_t cell = 0; cell < matrix.values.size(); ++cell) {
      EXPECT_TRUE(matrix.values[cell] <= 0 || matrix.is_barred(cell));
    }
  }
}

TEST(MaximalSubmatrix, StopAtTheLimits) {
  std::mt19937_64 random(46);
  const Matrix matrix = random_matrix(random, 30, 40, -9, 8);
  const std::vector<Pattern> all = maximal_submatrices_reference(matrix);
  ASSERT_GT(all.size(), 40U);
  const auto first = [&](std::size_t count) {
    return std::vector<Pattern>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
  };
  EXPECT_EQ(all_on_host(matrix, 1, {.most = 7}), first(7));
  EXPECT_EQ(all_on_host(matrix, 1, {.most = 100'000}), all);
  const Int128 least = all[20].sum;
  const auto count = static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [&](const Pattern& pattern) { return pattern.sum >= least; }));
  EXPECT_EQ(all_on_host(matrix, 2, {.least = least}), first(count));
  EXPECT_EQ(maximal_submatrices_reference(matrix, {.least = least}), first(count));
  EXPECT_TRUE(all_on_host(matrix, 1, {.least = all[0].sum + 1}).empty());
  EXPECT_TRUE(all_on_host(matrix, 1, {.least = Int128{1} << 100}).empty());
}

TEST(MaximalSubmatrix, OfExtremesOf64Bits) {
  std::mt19937_64 random(47);
  for (int i = 0; i < 30; ++i) {
    const Matrix matrix = testing::extreme_matrix(random);
    ASSERT_EQ(all_on_host(matrix), maximal_submatrices_reference(matrix));
  }
  // Around the largest sums that fit 32 and 64 bits.
  for (const std::int64_t most :
       {std::int64_t{std::numeric_limits<std::int32_t>::max()}, std::numeric_limits<std::int64_t>::max()}) {
    for (int i = 0; i < 40; ++i) {
      const std::int64_t size = most / (4 + static_cast<std::int64_t>(random() % 60));
      const Matrix matrix = random_matrix(random, 20, 18, -size, size);
      ASSERT_EQ(all_on_host(matrix), maximal_submatrices_reference(matrix));
    }
  }
}

TEST(MaximalSubmatrix, TellHowFarTheyAre) {
  std::mt19937_64 random(48);
  std::vector<double> reported;
  SubmatrixOptions options;
  options.done = [&](double part) { reported.push_back(part); };
  maximal_submatrices(random_matrix(random, 40, 40, -5, 5), {}, options);
  EXPECT_TRUE(std::is_sorted(reported.begin(), reported.end()));
  EXPECT_LT(reported.front(), 1.0);
  EXPECT_EQ(reported.back(), 1.0);
}

class MaximalOnDevices : public ::testing::TestWithParam<WalkTile> {};

INSTANTIATE_TEST_SUITE_P(Shapes, MaximalOnDevices,
                         ::testing::Values(WalkTile{4, 16, 1, 1, false, false},
                                           WalkTile{8, 8, 2, 4, false, false},
                                           WalkTile{4, 4, 2, 32, false, false}),
                         [](const auto& test) {
                           return std::to_string(test.param.lines_g()) + "x" +
                                  std::to_string(test.param.lines_h());
                         });

TEST_P(MaximalOnDevices, EqualTheHost) {
  const std::vector<DeviceInfo> devices = list_devices();
  ASSERT_FALSE(devices.empty()) << "is PoCL installed?";
  SubmatrixOptions options;
  options.threads = 2;
  options.shape = GetParam();
  for (int i = 0; i < 2; ++i) options.devices.push_back(std::make_unique<DeviceWalker>(devices.front()));
  std::mt19937_64 random(49);
  int kind = 0;
  for (const auto& [rows, columns] :
       {std::pair{1, 9}, std::pair{17, 33}, std::pair{70, 64}, std::pair{50, 150}, std::pair{140, 150}}) {
    for (int i = 0; i < 3; ++i) {
      const Matrix matrix = matrix_of_kind(random, rows, columns, kind++);
      ASSERT_EQ(maximal_submatrices(matrix, {}, options), all_on_host(matrix)) << rows << " x " << columns;
    }
  }
  EXPECT_EQ(options.devices.size(), 2U);
}

TEST(MaximalOnDevice, RefuseWorkGroupsThatSplitTiles) {
  SubmatrixOptions options;
  options.devices.push_back(std::make_unique<DeviceWalker>(list_devices().at(0)));
  options.shape = WalkTile{4, 4, 1, 1, false, false};
  EXPECT_THROW(maximal_submatrices(matrix_of(1, 1, {1}), {}, options), std::invalid_argument);
}

}  // namespace
}  // namespace gpuhmm
