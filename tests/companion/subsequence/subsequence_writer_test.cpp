// Tests tables and JSON of subsequences.
#include "companion/subsequence/subsequence_writer.hpp"

#include <gtest/gtest.h>

namespace gpuhmm {
namespace {

const NumberValues kVector = std::vector<double>{0.25, -1, 0.5, 1e5};

Subsequence answer_of(std::vector<std::size_t> positions, double sum) {
  Subsequence answer;
  answer.positions = std::move(positions);
  answer.sum = sum;
  return answer;
}

TEST(SubsequenceWriter, Table) {
  EXPECT_EQ(subsequence_table(answer_of({0, 2}, 0.75), {}, kVector),
            "# increasing subsequence; sum 0.75, elements 2; positions counted from 0\n"
            "# position\tvalue\n0\t0.25\n2\t0.5\n");
}

TEST(SubsequenceWriter, JsonHasTheDigitsOfTheTable) {
  EXPECT_EQ(subsequence_json(answer_of({2, 3}, 100000.5), kVector),
            "{\"elements\":2,\"sum\":100000.5,\"positions\":[2,3],\"values\":[0.5,1e+05]}\n");
}

TEST(SubsequenceWriter, NoAnswer) {
  Subsequence none;
  none.longest = 3;
  EXPECT_EQ(subsequence_table(none, {SubsequenceQuery::Length::Exactly, 5, true}, kVector),
            "# no non-decreasing subsequence of 5 elements; the longest has 3\n");
  EXPECT_EQ(subsequence_json(none, kVector),
            "{\"elements\":0,\"sum\":null,\"positions\":[],\"values\":[],\"longest\":3}\n");
}

}  // namespace
}  // namespace gpuhmm
