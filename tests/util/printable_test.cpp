// Text is made safe for messages.
#include "util/printable.hpp"

#include <gtest/gtest.h>

namespace gpuhmm {
namespace {

TEST(Printable, TextStays) {
  for (const char* text :
       {"", "a b", "caf\u00e9 \u4e2d\u6587 \U0001f9ec", "back\\slash 'quotes\" <&>", "\u00a0\ue000"}) {
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, ControlCharactersAreEscaped) {
  EXPECT_EQ(printable("a\tb\nc\rd"), "a\\tb\\nc\\rd");
  EXPECT_EQ(printable(std::string_view("\0\x01\x1b[31m\x7f", 8)), "\\x00\\x01\\x1b[31m\\x7f");
  EXPECT_EQ(printable("\u0085\u009b31m"), "\\xc2\\x85\\xc2\\x9b31m");  // C1: next line, control sequence
}

TEST(Printable, DirectionMarksAndSeparatorsAreEscaped) {
  EXPECT_EQ(printable("x\u202ey"), "x\\xe2\\x80\\xaey");
  for (const char* text : {"\u061c", "\u200e", "\u200f", "\u2028", "\u2029", "\u2066", "\u2069", "\ufeff"}) {
    EXPECT_TRUE(printable(text).starts_with("\\x")) << printable(text);
  }
  EXPECT_EQ(printable("\u200d\u2027\u202f\u2065\u206a"), "\u200d\u2027\u202f\u2065\u206a");
}

TEST(Printable, BytesThatAreNotUtf8AreEscaped) {
  EXPECT_EQ(printable("\xff\xfe"), "\\xff\\xfe");
  EXPECT_EQ(printable("caf\xe9 x"), "caf\\xe9 x");          // Latin 1
  EXPECT_EQ(printable("\xc3"), "\\xc3");                    // cut
  EXPECT_EQ(printable("\xe4\xb8"), "\\xe4\\xb8");           // cut
  EXPECT_EQ(printable("\xe4\xb8z"), "\\xe4\\xb8z");         // no continuation
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");           // overlong
  EXPECT_EQ(printable("\xe0\x80\xaf"), "\\xe0\\x80\\xaf");  // overlong
  EXPECT_EQ(printable("\xf0\x8f\xbf\xbf"), "\\xf0\\x8f\\xbf\\xbf");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // a surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // above U+10FFFF
}

TEST(Printable, LongTextIsCutInTheMiddle) {
  const std::string longest(kLongestMessage, 'a');
  EXPECT_EQ(printable(longest), longest);
  const std::string cut = printable("begin" + std::string(std::size_t{1} << 22, 'a') + "end");
  EXPECT_EQ(cut.size(), kLongestMessage + 5);
  EXPECT_TRUE(cut.starts_with("begin") && cut.ends_with("end"));
  EXPECT_NE(cut.find("a ... a"), std::string::npos);
}

}  // namespace
}  // namespace gpuhmm
