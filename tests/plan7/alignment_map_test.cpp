// Columns of alignments aligned to a profile. The expected maps come from hmm2align --withali;
// tests/oracle/align.py compares many more.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "gpuhmm/align.hpp"
#include "gpuhmm/profile_file.hpp"
#include "plan7/arithmetic.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm {
namespace {

ScoreModel toy() {
  ScoreModel model(read_profiles(GPUHMM_TESTDATA "/vectors/toy5.hmm").front());
  model.e_to_j = kMinusInfinity;
  return model;
}

std::vector<int> map(const std::vector<WeightedRow>& rows) { return map_alignment(toy(), rows); }

using Map = std::vector<int>;

TEST(AlignmentMap, AlignsColumnsWithoutGaps) {
  EXPECT_EQ(map({{"WFCDEF"}, {"WYCDFY"}}), (Map{0, 2, 3, 4, 5, 6}));
  EXPECT_EQ(map({{"YYYYYYCDEF"}}), (Map{0, 6, 7, 8, 9, 10}));
}

TEST(AlignmentMap, GapsAndWeightsCount) {
  EXPECT_EQ(map({{"AF-CDGEFW"}, {"-YS--GFY-"}, {"CFC-DG-KW"}}), (Map{0, 3, 4, 5, 7, 8}));
  EXPECT_EQ(map({{"AF-CDGEFW", 0.1F}, {"-YS--GFY-", 5}, {"CFC-DG-KW", 0.1F}}), (Map{0, 3, 4, 7, 8, 9}));
  EXPECT_EQ(map({{"AF-CDGEFW", 1}, {"-YS--GFY-", 50}, {"CFC-DG-KW", 1}}), (Map{0, 3, 4, 7, 8, 9}));
}

TEST(AlignmentMap, DividesDegenerateCodesAndIgnoresUnknownLetters) {
  EXPECT_EQ(map({{"YC*DJF"}, {"---XBZ"}}), (Map{0, 1, 2, 4, 5, 6}));
  EXPECT_EQ(map({{"yc*djf"}, {"~_.xbz"}}), (Map{0, 1, 2, 4, 5, 6}));
}

TEST(AlignmentMap, LeavesStatesWithoutColumnIfThereAreFew) {
  const Map found = map({{"EF"}});
  EXPECT_EQ(found, (Map{0, 0, 0, 0, 1, 2}));
}

TEST(AlignmentMap, NoPathIsAnError) {
  const std::vector<WeightedRow> rows = {{"EF"}};
  ScoreModel model = toy();
  std::ranges::fill(model.begin, kMinusInfinity);
  EXPECT_THROW(map_alignment(model, rows), std::invalid_argument);
}

}  // namespace
}  // namespace gpuhmm
