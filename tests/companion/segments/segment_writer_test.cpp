// Tests tables and JSON of segments, which have the same digits.
#include "companion/segments/segment_writer.hpp"

#include <gtest/gtest.h>

namespace gpuhmm {
namespace {

template <class Score>
std::string line(bool json, const Segment<Score>& segment, int exponent = 0) {
  std::string text;
  SegmentWriter([&text](std::string_view part) { text += part; }, json).add(segment, exponent);
  return text;
}

std::string start(bool json, bool exact) {
  std::string text;
  SegmentWriter writer([&text](std::string_view part) { text += part; }, json);
  writer.begin(12, "int32", exact);
  writer.add_empty();
  return text;
}

TEST(SegmentWriter, SaysWhatWasSearched) {
  EXPECT_EQ(start(false, true),
            "# vector of 12 int32; elements counted from 0, end inclusive\n"
            "# start\tend\tlength\tsum\tmean\n-\t-\t0\t0\t-\n");
  EXPECT_EQ(start(false, false).substr(0, 86),
            "# vector of 12 int32; elements counted from 0, end inclusive; sums in double precision");
  EXPECT_EQ(start(true, true), "{\"start\":null,\"end\":null,\"length\":0,\"sum\":0,\"mean\":null}\n");
}

TEST(SegmentWriter, WritesEndsInclusive) {
  const Segment<std::int64_t> found{5, 10, 21};
  EXPECT_EQ(line(false, found), "5\t9\t5\t21\t4.2\n");
  EXPECT_EQ(line(true, found), "{\"start\":5,\"end\":9,\"length\":5,\"sum\":21,\"mean\":4.2}\n");
}

TEST(SegmentWriter, KeepsAllDigits) {
  const Segment<Int128> found{0, 2, (Int128{1} << 70) + 1};
  EXPECT_EQ(
      line(true, found),
      "{\"start\":0,\"end\":1,\"length\":2,\"sum\":1180591620717411303425,\"mean\":590295810358705651712}\n");
  EXPECT_EQ(line(true, Segment<std::int64_t>{0, 2, 3}, -2),
            "{\"start\":0,\"end\":1,\"length\":2,\"sum\":0.75,\"mean\":0.375}\n");
  EXPECT_EQ(line(true, Segment<double>{0, 1, 1e5}),
            "{\"start\":0,\"end\":0,\"length\":1,\"sum\":1e+05,\"mean\":1e+05}\n");
}

}  // namespace
}  // namespace gpuhmm
