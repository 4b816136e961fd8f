// Tests scales, and the regions found with them.
#include "companion/segments/regions.hpp"

#include <gtest/gtest.h>

#include <random>

namespace gpuhmm {
namespace {

const Alphabet& letters() { return Alphabet::get(AlphabetKind::AminoLetters); }

std::vector<std::uint8_t> codes(const std::string& text) {
  std::vector<std::uint8_t> result;
  for (const char c : text) result.push_back(letters().codes()[static_cast<unsigned char>(c)]);
  return result;
}

std::int32_t score_of(const ResidueScores& scores, char letter) { return scores.scores[codes({letter})[0]]; }

std::string message_of(const std::string& scale) {
  try {
    parse_scale(scale, "mine");
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

constexpr const char* kKyteDoolittle =
    "D Hydropathy index (Kyte-Doolittle, 1982)\nA Kyte, J. and Doolittle, R.F.\n"
    "I   A/L    R/K    N/M    D/F    C/P    Q/S    E/T    G/W    H/Y    I/V\n"
    "    1.8   -4.5   -3.5   -3.5    2.5   -3.5   -3.5   -0.4   -3.2    4.5\n"
    "    3.8   -3.9    1.9    2.8   -1.6   -0.8   -0.7   -0.9   -1.3    4.2\n//\n";

TEST(Scales, ReadDecimals) {
  EXPECT_EQ(parse_decimal("-1.25").digits, -125);
  EXPECT_EQ(parse_decimal("-1.25").decimals, 2);
  EXPECT_EQ(parse_decimal("+.5").scaled(3), 500);
  EXPECT_EQ(parse_decimal("7").value(), 7.0);
  EXPECT_EQ(parse_decimal("0.10000000").digits, 100000);
  for (const char* bad : {"", "-", ".", "1e3", "1,5", "nan", "1.2345678", "1000000", "1.2.3"}) {
    EXPECT_THROW(parse_decimal(bad), std::invalid_argument) << bad;
  }
}

TEST(Scales, AnAaindexEntryIsTheBuiltInScale) {
  const ResidueScale read = parse_scale(kKyteDoolittle, "kd");
  const ResidueScale* built_in = find_scale("kyte-doolittle");
  ASSERT_NE(built_in, nullptr);
  for (std::size_t i = 0; i < 20; ++i)
    EXPECT_EQ(read.values[i].scaled(2), built_in->values[i].scaled(2)) << i;
}

TEST(Scales, OctanolLessInterface) {
  const auto& octanol = find_scale("white-wimley-octanol")->values;
  const auto& interface = find_scale("white-wimley-interface")->values;
  const auto& difference = find_scale("octanol-interface")->values;
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(difference[i].scaled(2), octanol[i].scaled(2) - interface[i].scaled(2)) << i;
  }
}

TEST(Scales, ReadTwoColumns) {
  std::string text = "# mine\n";
  for (const char c : std::string("ACDEFGHIKLMNPQRSTVWY")) text += std::string(1, c) + "\t0.5 0.1\n\n";
  EXPECT_EQ(parse_scale(text, "mine").values[19].scaled(1), 5);
  EXPECT_EQ(message_of(text + "w 1\n"), "line 42: a second value for W");
  EXPECT_EQ(message_of("A 1\nB 2\n"), "line 2: 'B' is none of the 20 amino acids, nor U");
  EXPECT_EQ(message_of("A 1\nC x\n"), "line 2: 'x' is no decimal number");
  EXPECT_EQ(message_of("A 1\nTrp 2\n"),
            "line 2: expected a letter of a residue and a number, or an AAindex entry");
  EXPECT_EQ(message_of("A 1\nD 1\n"),
            "no value for C, expected one for each of the 20 amino acids, or of A, C, G and T");
  EXPECT_EQ(message_of(""),
            "no value for A, expected one for each of the 20 amino acids, or of A, C, G and T");
  EXPECT_EQ(message_of("I   A/L    R/K\n 1 2 3\n"),
            "line 2: expected ten numbers below the line I of an AAindex entry");
}

TEST(Scales, FilesOfNucleotides) {
  for (const char* text : {"A 1\nC -2\nG 3\nT 0.5\n", "g 3\nu 0.5\nc -2\na 1\n"}) {
    const ResidueScale scale = parse_scale(text, "mine");
    EXPECT_EQ(scale.alphabet, AlphabetKind::Nucleic);
    EXPECT_EQ(scale.values[0].scaled(1), 10);
    EXPECT_EQ(scale.values[1].scaled(1), -20);
    EXPECT_EQ(scale.values[2].scaled(1), 30);
    EXPECT_EQ(scale.values[3].scaled(1), 5);
  }
  EXPECT_EQ(parse_scale(kKyteDoolittle, "kd").alphabet, AlphabetKind::Amino);
  EXPECT_EQ(message_of("A 1\n"), "no value for C, expected one for each of A, C, G and T");
  EXPECT_EQ(message_of("T 1\nU 1\n"), "line 2: a second value for U");
  EXPECT_EQ(message_of("A 1\nU 1\nL 1\n"), "line 2: 'U' is none of the 20 amino acids");
}

// The scores by letter are the same by the codes of every alphabet that the sequences may have.
TEST(Scales, NucleotidesScoreMeansByAnyCodes) {
  const ResidueScale scale = parse_scale("A 4\nC 1\nG -1\nT -9\n", "mine");
  for (const AlphabetKind kind : {AlphabetKind::AminoLetters, AlphabetKind::Nucleic}) {
    const Alphabet& alphabet = Alphabet::get(kind);
    const ResidueScores scores = residue_scores(scale, parse_decimal("2"), alphabet);
    const auto score = [&](char letter) { return scores.scores[alphabet.code(letter)] + 2; };
    EXPECT_EQ(score('A'), 4);
    EXPECT_EQ(score('t'), -9);
    EXPECT_EQ(score('U'), -9);
    EXPECT_EQ(score('R'), 2);   // 3 / 2, away from zero
    EXPECT_EQ(score('Y'), -4);  // -8 / 2
    EXPECT_EQ(score('S'), 0);
    EXPECT_EQ(score('W'), -3);  // -5 / 2
    EXPECT_EQ(score('M'), 3);   // 5 / 2
    EXPECT_EQ(score('K'), -5);
    EXPECT_EQ(score('B'), -3);
    EXPECT_EQ(score('D'), -2);
    EXPECT_EQ(score('H'), -1);  // -4 / 3
    EXPECT_EQ(score('V'), 1);   // 4 / 3
    EXPECT_EQ(score('N'), -1);  // -5 / 4
    EXPECT_EQ(score('X'), score('N'));
  }
  const ResidueScores scores = residue_scores(scale, {}, letters());
  EXPECT_EQ(score_of(scores, 'L'), score_of(scores, 'N'));  // no code for nucleotides
  EXPECT_TRUE(scores.ends_part[codes("-")[0]]);
  EXPECT_TRUE(scores.ends_part[codes("*")[0]]);
  EXPECT_FALSE(scores.ends_part[codes("N")[0]]);
}

TEST(Scales, BuiltInNamesAreOfOneAlphabet) {
  for (const AlphabetKind kind : {AlphabetKind::Amino, AlphabetKind::Nucleic}) {
    for (const ResidueScale& scale : built_in_scales(kind)) {
      EXPECT_EQ(scale.alphabet, kind);
      EXPECT_EQ(find_scale(scale.name), &scale);
    }
  }
  EXPECT_EQ(built_in_scales(AlphabetKind::Nucleic).front().name, "gc");
  EXPECT_EQ(find_scale("nonsense"), nullptr);
}

TEST(Scales, DegenerateResiduesScoreMeans) {
  const ResidueScores scores =
      residue_scores(*find_scale("kyte-doolittle"), parse_decimal("0.25"), letters());
  EXPECT_EQ(scores.decimals, 2);
  EXPECT_EQ(score_of(scores, 'A'), 155);
  EXPECT_EQ(score_of(scores, 'a'), 155);
  EXPECT_EQ(score_of(scores, 'B'), -375);
  EXPECT_EQ(score_of(scores, 'J'), 415 - 25);
  EXPECT_EQ(score_of(scores, 'U'), score_of(scores, 'C'));
  EXPECT_EQ(score_of(scores, 'O'), score_of(scores, 'K'));
  EXPECT_EQ(score_of(scores, 'X'), -49 - 25);  // mean of all: -0.49
  EXPECT_EQ(score_of(scores, '?'), score_of(scores, 'X'));
}

// A mean with half a unit is rounded away from zero.
TEST(Scales, MeansAreRoundedHalfAwayFromZero) {
  std::string text;
  for (const char c : std::string("ACDEFGHIKLMNPQRSTVWY"))
    text += std::string(1, c) + (c == 'D' ? " 1" : c == 'I' ? " -1" : " 0") + "\n";
  const ResidueScores scores = residue_scores(parse_scale(text, "mine"), {}, letters());
  EXPECT_EQ(score_of(scores, 'B'), 1);   // of 1 and 0
  EXPECT_EQ(score_of(scores, 'J'), -1);  // of -1 and 0
}

TEST(Regions, NoneCrossesAStopOrGap) {
  const ResidueScores scores = residue_scores(*find_scale("kyte-doolittle"), {}, letters());
  EXPECT_EQ(all_regions(codes("IIIIDDDDDII"), scores), (std::vector<Region>{{0, 4, 180}, {9, 11, 90}}));
  EXPECT_EQ(all_regions(codes("*II*II-I-"), scores),
            (std::vector<Region>{{1, 3, 90}, {4, 6, 90}, {7, 8, 45}}));
  EXPECT_TRUE(all_regions(codes("DD*--"), scores).empty());
  EXPECT_TRUE(all_regions({}, scores).empty());
}

// Runs the plain algorithm on each part between stops and gaps.
std::vector<Region> plain_regions(const std::vector<std::uint8_t>& residues, const ResidueScores& scores) {
  std::vector<Region> regions;
  std::vector<std::int32_t> part;
  for (std::size_t i = 0; i <= residues.size(); ++i) {
    if (i < residues.size() && !scores.ends_part[residues[i]]) {
      part.push_back(scores.scores[residues[i]]);
      continue;
    }
    for (const Region& region : maximal_segments<std::int64_t>(std::span<const std::int32_t>(part))) {
      regions.push_back({i - part.size() + region.begin, i - part.size() + region.end, region.score});
    }
    part.clear();
  }
  return regions;
}

TEST(Regions, AreThoseOfThePlainAlgorithm) {
  std::mt19937 random(32);
  for (int round = 0; round < 3000; ++round) {
    const char* shift = round % 3 == 0 ? "0" : round % 3 == 1 ? "1.2" : "-1.5";
    const ResidueScores scores =
        residue_scores(built_in_scales(AlphabetKind::Amino)[1], parse_decimal(shift), letters());
    std::vector<std::uint8_t> residues(random() % 120);
    for (auto& code : residues) code = static_cast<std::uint8_t>(random() % (round % 2 == 0 ? 28 : 20));
    std::vector<Region> expected = plain_regions(residues, scores);
    ASSERT_EQ(all_regions(residues, scores), expected);
    const auto least = static_cast<std::int64_t>(random() % 150);
    std::vector<Region> found = all_regions(residues, scores, least);
    filter_regions(found, {least, 1, UINT64_MAX});
    filter_regions(expected, {least, 1, UINT64_MAX});
    ASSERT_EQ(found, expected) << least;
    filter_regions(expected, {least, 1, 1});
    ASSERT_EQ(find_regions(residues, scores, {least, 1, 1}), expected) << least;
  }
}

TEST(Regions, Filters) {
  std::vector<Region> regions = {{0, 4, 5}, {6, 9, 9}, {11, 30, 9}, {31, 32, 7}};
  filter_regions(regions, {6, 2, UINT64_MAX});
  EXPECT_EQ(regions, (std::vector<Region>{{6, 9, 9}, {11, 30, 9}}));
  filter_regions(regions, {0, 1, 1});
  EXPECT_EQ(regions, (std::vector<Region>{{6, 9, 9}}));
}

TEST(Regions, TheSameOnAnyNumberOfThreads) {
  std::mt19937 random(31);
  SequenceBatch batch;
  for (int i = 0; i < 500; ++i) {
    batch.begin_sequence("s", "", "");
    std::vector<std::uint8_t> residues(random() % 300);
    for (auto& code : residues) code = static_cast<std::uint8_t>(random() % letters().code_count());
    batch.append_residues(residues);
  }
  const ResidueScores scores =
      residue_scores(built_in_scales(AlphabetKind::Amino)[0], parse_decimal("1.2"), letters());
  const auto expected = find_regions(batch, scores, {}, 1);
  EXPECT_EQ(find_regions(batch, scores, {}, 4), expected);
}

}  // namespace
}  // namespace gpuhmm
