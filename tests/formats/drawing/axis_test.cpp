// Positions, labels and number of ticks; text of pictures.
#include "formats/drawing/axis.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "formats/drawing/raster_canvas.hpp"
#include "formats/drawing/svg_canvas.hpp"
#include "formats/drawing/text.hpp"

namespace gpuhmm {
namespace {

std::vector<std::string> texts(const std::vector<Tick>& ticks) {
  std::vector<std::string> result;
  for (const Tick& tick : ticks) result.push_back(tick.text);
  return result;
}

std::vector<std::string> ticks_of(double low, double high, std::size_t most, bool whole = false) {
  return texts(axis_ticks({"", low, high, whole, false}, most));
}

TEST(TickDistance, IsOneTwoOrFiveTimesAPowerOfTen) {
  EXPECT_DOUBLE_EQ(tick_distance(10, 11, false), 1);
  EXPECT_DOUBLE_EQ(tick_distance(10, 10, false), 2);
  EXPECT_DOUBLE_EQ(tick_distance(10, 6, false), 2);
  EXPECT_DOUBLE_EQ(tick_distance(10, 5, false), 5);
  EXPECT_DOUBLE_EQ(tick_distance(10, 2, false), 10);
  EXPECT_DOUBLE_EQ(tick_distance(0.3, 7, false), 0.05);
  EXPECT_DOUBLE_EQ(tick_distance(3, 100, false), 0.05);
  EXPECT_DOUBLE_EQ(tick_distance(3, 100, true), 1);
}

TEST(TickDistance, GivesNoMoreTicksThanAskedForOverManyRanges) {
  for (double range = 1e-6; range < 1e12; range *= 1.37) {
    for (std::size_t most = 2; most < 15; ++most) {
      const double distance = tick_distance(range, most, false);
      EXPECT_LE(std::floor(range / distance) + 1, static_cast<double>(most) + 1e-9) << range << ' ' << most;
      const double power = std::pow(10.0, std::floor(std::log10(distance) + 1e-9));
      const double factor = distance / power;
      EXPECT_TRUE(std::fabs(factor - 1) < 1e-9 || std::fabs(factor - 2) < 1e-9 ||
                  std::fabs(factor - 5) < 1e-9)
          << distance;
      EXPECT_GE(range / distance, static_cast<double>(most - 1) / 2.5 - 1e-6) << range << ' ' << most;
    }
  }
}

TEST(AxisTicks, AreWrittenWithTheDecimalsOfTheirDistance) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(ticks_of(-3, 3, 7), (Texts{"−3", "−2", "−1", "0", "1", "2", "3"}));
  EXPECT_EQ(ticks_of(-0.25, 0.6, 6), (Texts{"−0.2", "0.0", "0.2", "0.4", "0.6"}));
  EXPECT_EQ(ticks_of(0.5, 3.5, 10, true), (Texts{"1", "2", "3"}));
  EXPECT_EQ(ticks_of(0, 4e9, 5), (Texts{"0", "1e+09", "2e+09", "3e+09", "4e+09"}));
  EXPECT_EQ(ticks_of(0, 2e-8, 3), (Texts{"0", "1e−08", "2e−08"}));
  EXPECT_EQ(ticks_of(5, 5, 4), (Texts{"5"}));
}

TEST(AxisTicks, AreAtPowersOfTenAndTheirDoublesAndFivefoldsOnLogarithmicAxes) {
  using Texts = std::vector<std::string>;
  const auto logarithmic = [](double low, double high, std::size_t most) {
    Axis axis{"", low, high};
    axis.logarithmic = true;
    return texts(axis_ticks(axis, most));
  };
  EXPECT_EQ(logarithmic(0.1, 10, 8), (Texts{"0.1", "0.2", "0.5", "1", "2", "5", "10"}));
  EXPECT_EQ(logarithmic(0.1, 10, 6), (Texts{"0.1", "1", "10"}));
  EXPECT_EQ(logarithmic(1e5, 1e8, 3), (Texts{"1000000", "1e+08"}));
  EXPECT_EQ(logarithmic(3, 4, 8), (Texts{}));
}

TEST(FittingTicks, DoNotOverlap) {
  const SvgCanvas canvas(0, 0, "", "");
  const TextStyle style{11, Anchor::Middle, false, false};
  for (const double length : {10.0, 60.0, 130.0, 640.0}) {
    for (const double high : {3.5, 272.5, 35213.5, 1e9}) {
      const Axis axis{"", 0.5, high, true, true};
      const auto ticks = fitting_ticks(axis, length, 10,
                                       [&](const std::string& text) { return canvas.width_of(text, style); });
      double end = -1e9;
      for (const Tick& tick : ticks) {
        const double middle = place_on(axis, tick.value, 0, length);
        const double half = canvas.width_of(tick.text, style) / 2;
        EXPECT_GE(middle - half, end - 1e-9) << length << ' ' << high << ' ' << tick.text;
        end = middle + half;
        EXPECT_GE(tick.value, 1);
        EXPECT_LE(tick.value, high);
      }
      EXPECT_GE(ticks.size(), 1U) << length << ' ' << high;
      if (length > 600) {
        EXPECT_EQ(ticks.front().text, "1");
        EXPECT_GE(ticks.size(), 3U);
      }
    }
  }
}

TEST(FittingTicks, LeaveOutTheFirstNumberIfItDoesNotFit) {
  const auto wide = [](const std::string&) { return 30.0; };
  EXPECT_EQ(texts(fitting_ticks({"", 0.5, 20.5, true, true}, 400, 5, wide)),
            (std::vector<std::string>{"1", "5", "10", "15", "20"}));
  EXPECT_EQ(texts(fitting_ticks({"", 0.5, 20.5, true, true}, 140, 5, wide)).front(), "5");
}

TEST(PlaceOn, PutsTheOnlyNumberInTheMiddle) {
  EXPECT_DOUBLE_EQ(place_on({"", 0, 10, false, false}, 2.5, 100, 200), 125);
  EXPECT_DOUBLE_EQ(place_on({"", 0, 10, false, false}, 2.5, 200, 100), 175);
  EXPECT_DOUBLE_EQ(place_on({"", 4, 4, false, false}, 4, 100, 200), 150);
}

TEST(PlaceOn, PutsEqualRatiosAtEqualDistancesOnLogarithmicAxes) {
  Axis axis{"", 1, 100};
  axis.logarithmic = true;
  EXPECT_DOUBLE_EQ(place_on(axis, 10, 0, 50), 25);
  EXPECT_DOUBLE_EQ(place_on(axis, 100, 50, 0), 0);
}

TEST(DrawableText, IsUtf8WithoutControlCharacters) {
  EXPECT_EQ(drawable("plain\xC3\xA9\xE2\x88\x92\xF0\x9F\x98\x80"),
            "plain\xC3\xA9\xE2\x88\x92\xF0\x9F\x98\x80");
  const std::string mark = "\xEF\xBF\xBD";
  EXPECT_EQ(drawable("a\x1b[1m\tb"), "a" + mark + "[1m" + mark + "b");
  EXPECT_EQ(drawable("\xE9t\xC3"), mark + "t" + mark);      // Latin-1; truncated
  EXPECT_EQ(drawable("\xC0\xAF"), mark + mark);             // overlong
  EXPECT_EQ(drawable("\xED\xA0\x80"), mark + mark + mark);  // a surrogate
  EXPECT_EQ(drawable("\xEF\xBF\xBE"), mark + mark + mark);  // U+FFFE
  EXPECT_EQ(drawable("\xC2\x85"), mark + mark);             // C1
  EXPECT_EQ(drawable("\xF4\x90\x80\x80"), mark + mark + mark + mark);
}

TEST(ShortenedText, EndsWithAnEllipsis) {
  const auto at_most = [](std::size_t most) {
    return [most](const std::string& text) { return character_count(text) <= most; };
  };
  EXPECT_EQ(shortened("abcdef", at_most(6)), "abcdef");
  EXPECT_EQ(shortened("abcdef", at_most(4)), "abc…");
  EXPECT_EQ(shortened("äöüß", at_most(3)), "äö…");
  EXPECT_EQ(shortened("abc", at_most(1)), "…");
  EXPECT_EQ(shortened("abc", at_most(0)), "");
}

TEST(SvgCanvas, EscapesAllTexts) {
  SvgCanvas canvas(100, 50, "t<>&\"", "d\x01");
  canvas.begin_group("a\"b", "<script>");
  canvas.text(1, 2, "x<y\xFF", {});
  canvas.end_group();
  const std::string svg = canvas.svg();
  EXPECT_NE(svg.find("<title>t&lt;&gt;&amp;&quot;</title>"), std::string::npos);
  EXPECT_NE(svg.find("<desc>d\xEF\xBF\xBD</desc>"), std::string::npos);
  EXPECT_NE(svg.find("class=\"a&quot;b\"><title>&lt;script&gt;</title>"), std::string::npos);
  EXPECT_NE(svg.find(">x&lt;y\xEF\xBF\xBD</text>"), std::string::npos);
  EXPECT_NE(svg.find("role=\"img\""), std::string::npos);
}

}  // namespace
}  // namespace gpuhmm
