// JSON lines and their numbers.
#include "formats/json/json_value.hpp"

#include <gtest/gtest.h>

namespace gpuhmm {
namespace {

TEST(JsonValue, KeepsTheDecimalsOfFloats) {
  EXPECT_EQ(json_line({{"x", json_decimal(2.4F)}}), "{\"x\":2.4}\n");
}

TEST(JsonValue, WritesNumbersAsGiven) {
  const Json object = {{"text", "a \"b\""},
                       {"long", json_number("27670116110564327420")},
                       {"list", {json_number("1e+05"), json_number("-0")}},
                       {"none", nullptr}};
  EXPECT_EQ(json_line_of_numbers(object),
            "{\"text\":\"a \\\"b\\\"\",\"long\":27670116110564327420,\"list\":[1e+05,-0],\"none\":null}\n");
}

TEST(JsonValue, LeavesMarksInStrings) {
  for (const char* text : {"\x7f",
                           "\x7f"
                           "1",
                           "\x7f"
                           "1\x7f"
                           "2",
                           "\"\x7f"
                           "1\x7f",
                           "x\x7f"
                           "1\x7f"}) {
    const Json object = {{"a", text}, {"b", json_number("1")}};
    const std::string line = json_line_of_numbers(object);
    EXPECT_EQ(Json::parse(line)["a"], text) << line;
    EXPECT_EQ(Json::parse(line)["b"], 1) << line;
  }
}

TEST(JsonValue, ReplacesInvalidUtf8) { EXPECT_EQ(json_line({{"x", "\xff"}}), "{\"x\":\"\xef\xbf\xbd\"}\n"); }

}  // namespace
}  // namespace gpuhmm
