// The score histogram agrees with HMMER 2.3.2.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "formats/report/hmmer2_histogram.hpp"
#include "report_reader.hpp"
#include "util/format.hpp"

namespace gpuhmm {
namespace {

std::string written(const ScoreHistogram& scores, const std::optional<ExtremeValue>& evd) {
  std::string text;
  write_hmmer2_histogram([&](std::string_view piece) { text += piece; }, scores, evd);
  return text;
}

// As hmm2search prints it: the zero byte after a label of 21 characters stays in the line and cuts off its
// newline.
TEST(Histogram, LeavesOutTheNewlineAfterALongLabelWithOneBar) {
  ScoreHistogram scores;
  scores.add(-1500, 1);
  scores.add(-1309, 1);
  scores.add(-1308, 130);
  scores.add(-1307, 5);
  const std::string text = written(scores, std::nullopt);
  EXPECT_NE(text.find("\n<-1308      2      -=-1308    130      -|"), std::string::npos) << text;
}

TEST(Histogram, IsAsHmmerPrintsIt) {
  int cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator(GPUHMM_TESTDATA "/report/histogram")) {
    std::istringstream in(testing::read_file(entry.path()));
    std::string word, line;
    std::optional<ExtremeValue> evd;
    in >> word >> word;
    if (word != "none") {
      evd.emplace();
      evd->mu = std::stof(word);
      in >> evd->lambda;
    }
    in >> word;
    std::getline(in, line);
    ScoreHistogram scores;
    std::istringstream values(line);
    for (float score = 0; values >> score;) scores.add(score);
    const std::string expected = in.str().substr(static_cast<std::size_t>(in.tellg()));
    EXPECT_EQ(written(scores, evd), expected) << entry.path();
    ++cases;
  }
  EXPECT_EQ(cases, 10);
}

TEST(Histogram, HasOnlyHeadingsForAnEmptyDatabase) {
  const std::string headings =
      "score    obs    exp  (one = represents 1 sequences)\n"
      "-----    ---    ---\n";
  EXPECT_EQ(written({}, {}), headings + "\n\n% No statistical fit available\n");
  EXPECT_EQ(written({}, ExtremeValue{-4.97825f, 0.65494f}),
            headings +
                "\n\n% Statistical details of theoretical EVD fit:\n"
                "              mu =    -4.9783\n"
                "          lambda =     0.6549\n"
                "chi-sq statistic =     0.0000\n"
                "  P(chi-square)  =          0\n");
}

/// Bars start at column 20 even where the label is longer, and no line is longer than 79 characters.
TEST(Histogram, HasLinesOfAtMost79CharactersForManySequences) {
  ScoreHistogram scores;
  for (int i = 0; i < 2'000'000; ++i) scores.add(0.5f);
  scores.add(1.5f);
  EXPECT_EQ(written(scores, {}),
            "score    obs    exp  (one = represents 33899 sequences)\n"
            "-----    ---    ---\n"
            "    0 2000000      -" +
                std::string(59, '=') + "\n" + "    1      1      -|=" + std::string(58, ' ') + "\n" +
                "\n\n% No statistical fit available\n");
}

/// Values seen in reports of HMMER 2.3.2 (the statistic is printed with four decimals there).
TEST(Histogram, HasTheChiSquarePOfTheDebianBuild) {
  const auto printed = [](int bins, float chi_square) {
    return format("%.4g", hmmer2_chi_square_p(bins, chi_square));
  };
  EXPECT_EQ(printed(10, 141.5413f), "1.048e+09");
  EXPECT_EQ(printed(8, 195.7746f), "1.337e+09");
  EXPECT_EQ(printed(10, 1600.0f), "0") << "exp underflows";
  EXPECT_EQ(printed(10, 3.0f), "0") << "chi-square at most as large as its mean and two more";
  EXPECT_EQ(printed(10, 10.9f), "0");
  EXPECT_EQ(printed(1, 50.0f), "0");
  EXPECT_EQ(printed(0, 0.0f), "0");
}

}  // namespace
}  // namespace gpuhmm
