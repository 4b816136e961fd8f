// Masking of short-period repeats.
#include "plan7/xnu.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "plan7/random_models.hpp"

namespace gpuhmm {
namespace {

std::string masked(const std::string& text) {
  const Alphabet& amino = Alphabet::get(AlphabetKind::Amino);
  std::vector<std::uint8_t> residues;
  for (const char c : text) residues.push_back(amino.code(c));
  mask_repeats(residues);
  std::string result;
  for (const std::uint8_t x : residues) result += amino.letter(x);
  return result;
}

TEST(MaskRepeats, ShortPeriodsAreMasked) {
  EXPECT_EQ(masked("MKVLAWERTQQQQQQQQQQQQMKVLAWERT"), "MKVLAWXXXXXXXXXXXXXXXMKVLAWERT");
  EXPECT_EQ(masked("GDGDGDGDGDGDGDGD"), "XXXXXXXXXXXXXXXX");
  EXPECT_EQ(masked("WHKFWHKFWHKFWHKF"), "XXXXXXXXXXXXXXXX");
  // Repeats of period 5, and those that score less than 21, are not masked.
  EXPECT_EQ(masked("WHKFCWHKFCWHKFCWHKFC"), "WHKFCWHKFCWHKFCWHKFC");
  EXPECT_EQ(masked("QQQQ"), "QQQQ");
  EXPECT_EQ(masked("QQQQQ"), "XXXXX");
  EXPECT_EQ(masked(""), "");
}

// Repeats at the limits: a score of 21 is enough, and a drop by 14 does not end a repeat. Expected results
// come from hmm2search.
TEST(MaskRepeats, CutsAreThoseOfTheReference) {
  EXPECT_EQ(masked("GQGHHFQQQKQQHFWGQQQHHQWH"), "GQGHHFXXXXXXXFWGXXXXXXWH");
  EXPECT_EQ(masked("GQQKKKGFQQQQWKQDEKKKH"), "GXXXXXXXXXXXXXXXXXXXH");
  EXPECT_EQ(masked("WNKQEQEKGFQHDKQQHQKWWFH"), "WNKQEQEKGFXXXXXXXXXXXFH");
  EXPECT_EQ(masked("DEFQQHKQQKWW"), "DEFQQHKQQKWW");
}

// An X masks itself and a residue 1 to 4 before it, unless that is A, C or M. Expected results come from
// hmm2search.
TEST(MaskRepeats, UnknownResiduesReadBeyondTheTable) {
  EXPECT_EQ(masked("DX"), "XX");
  EXPECT_EQ(masked("AX"), "AX");
  EXPECT_EQ(masked("DAXVF"), "XXXXX");
  EXPECT_EQ(masked("DAXVG"), "XXXVG");
}

// With several X together, sums exceed 2^31.
TEST(MaskRepeats, SumsOfUnknownResiduesWrap) {
  EXPECT_EQ(masked("XXXXXXXX"), "XXXXXXXX");
  EXPECT_EQ(masked("XNQNNNXX"), "XXXXXXXX");
  EXPECT_EQ(masked("GGXXGXDEE"), "XXXXXXDEE");
  EXPECT_EQ(masked("SXAIWXMPRCGMGX"), "XXAXWXMPRCXMGX");
  EXPECT_EQ(masked("KDXKGDDKKKKXKEDDG"), "XXXXXXXXXXXXXEDDG");
  EXPECT_EQ(masked("ICTHYTNWXHGXCRXXAXFHW"), "ICXXXXXXXXXXCRXXAXFHW");
  EXPECT_EQ(masked("KDGKEDGGGDXXEEDDXEKGXK"), "XXXXXXXXXXXXEEDDXEXXXK");
}

TEST(MaskRepeats, OnlyEverReplacesByX) {
  test::Random random(9);
  for (int trial = 0; trial < 300; ++trial) {
    auto residues = random.sequence(AlphabetKind::Amino, random.integer(0, 100));
    const auto before = residues;
    mask_repeats(residues);
    for (std::size_t i = 0; i < residues.size(); ++i) {
      ASSERT_TRUE(residues[i] == before[i] || residues[i] == 23);
    }
  }
}

}  // namespace
}  // namespace gpuhmm
