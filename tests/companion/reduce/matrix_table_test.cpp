// Tests the text of a reduced matrix.
#include "companion/reduce/matrix_table.hpp"

#include <gtest/gtest.h>

namespace gpuhmm {
namespace {

TEST(MatrixTable, HasOneLinePerRow) {
  EXPECT_EQ(matrix_table({{2, 3}, std::vector<std::int64_t>{1, 2, 3, 4, 5, -6}}, ReduceOperation::Sum, 7),
            "# sum of 7 matrices 2 x 3, int64\n1\t2\t3\n4\t5\t-6\n");
  EXPECT_EQ(matrix_table({{1, 2}, std::vector<float>{0.1F, 1e10F}}, ReduceOperation::Minimum, 1),
            "# min of 1 matrices 1 x 2, float32\n0.1\t1e+10\n");
}

}  // namespace
}  // namespace gpuhmm
