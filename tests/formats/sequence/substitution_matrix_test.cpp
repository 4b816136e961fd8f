// BLOSUM62 and substitution matrices from files.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <numbers>
#include <optional>
#include <sstream>

#include "formats/io/temporary_folder.hpp"
#include "gpuhmm/build.hpp"

namespace gpuhmm {
namespace {

constexpr std::string_view kAminoAcids = "ARNDCQEGHILKMFPSTWYV";

// A valid file for the amino acids and the letters of `more`; equal letters score 10, others -1.
std::string valid_file(const std::string& more) {
  const std::string letters = std::string(kAminoAcids) + more;
  std::string text = "# made up\n ";
  for (const char c : letters) text += std::string(" ") + c;
  for (const char a : letters) {
    text += std::string("\n") + a;
    for (const char b : letters) text += a == b ? " 10" : " -1";
  }
  return text + "\n";
}

SubstitutionMatrix read(const std::string& text, AlphabetKind alphabet = AlphabetKind::Amino) {
  const test::TemporaryFolder folder;
  return SubstitutionMatrix::read(folder.write("scores", text), alphabet);
}

std::string error(const std::string& text, AlphabetKind alphabet = AlphabetKind::Amino) {
  try {
    read(text, alphabet);
  } catch (const FileError& e) {
    return e.what();
  }
  return "read";
}

TEST(SubstitutionMatrix, HasTheScoresOfBlosum62) {
  const SubstitutionMatrix scores = SubstitutionMatrix::blosum62();
  for (const char a : kAminoAcids) {
    for (const char b : kAminoAcids) EXPECT_EQ(scores.score(a, b), scores.score(b, a));
  }
  int diagonal = 0;
  int all = 0;
  for (const char a : kAminoAcids) {
    diagonal += scores.score(a, a);
    for (const char b : kAminoAcids) all += scores.score(a, b);
  }
  EXPECT_EQ(diagonal, 116);
  EXPECT_EQ(all, -426);
  EXPECT_EQ(scores.score('W', 'W'), 11);
  EXPECT_EQ(scores.score('w', 'f'), 1);
  EXPECT_EQ(scores.score('B', 'D'), 4);
  EXPECT_EQ(scores.score('X', 'A'), 0);
  EXPECT_EQ(scores.score('*', '*'), 1);
  EXPECT_EQ(scores.score('U', 'C'), 9);
  EXPECT_EQ(scores.score('O', 'K'), 5);
  EXPECT_EQ(scores.score('J', 'L'), scores.score('X', 'L'));
}

// 5 for equal, -4 for different nucleotides; a degenerate letter scores the mean with each nucleotide,
// rounded half up. The scores of two degenerate letters follow no rule; tests/cli compares them with
// Biopython's copy.
TEST(SubstitutionMatrix, HasTheScoresOfNuc44) {
  const SubstitutionMatrix scores = SubstitutionMatrix::nuc44();
  const Alphabet& alphabet = Alphabet::get(AlphabetKind::Nucleic);
  for (const char a : alphabet.letters()) {
    const std::uint32_t members = alphabet.members(alphabet.code(a));
    const int count = std::popcount(members);
    for (const char b : std::string("ACGTU")) {
      const bool equal = (members & alphabet.members(alphabet.code(b))) != 0;
      const double mean = (equal ? 5.0 - 4 * (count - 1) : -4.0 * count) / count;
      EXPECT_EQ(scores.score(a, b), static_cast<int>(std::floor(mean + 0.5))) << a << b;
      EXPECT_EQ(scores.score(b, a), scores.score(a, b)) << a << b;
    }
  }
  int all = 0;
  for (const char a : std::string("ATGCSWRYKMBVHDN")) {
    for (const char b : std::string("ATGCSWRYKMBVHDN")) {
      EXPECT_EQ(scores.score(a, b), scores.score(b, a));
      all += scores.score(a, b);
    }
  }
  EXPECT_EQ(all, -395);
  EXPECT_EQ(scores.score('u', 'T'), 5);
  EXPECT_EQ(scores.score('X', 'A'), scores.score('N', 'A'));
  EXPECT_EQ(scores.score('L', 'A'), scores.score('N', 'A'));
}

TEST(SubstitutionMatrix, ReadsMatricesForNucleotides) {
  const auto file = [](const std::string& letters) {
    std::string text = " ";
    for (const char c : letters) text += std::string(" ") + c;
    for (std::size_t i = 0; i < letters.size(); ++i) {
      text += std::string("\n") + letters[i];
      for (std::size_t j = 0; j < letters.size(); ++j) text += i == j ? " " + std::to_string(i + 1) : " -1";
    }
    return text + "\n";
  };
  const auto kNucleic = AlphabetKind::Nucleic;
  const SubstitutionMatrix rna = read(file("ACGUN"), kNucleic);
  EXPECT_EQ(rna.score('T', 'u'), 4);
  EXPECT_EQ(rna.score('R', 'X'), 5);  // both as N
  EXPECT_EQ(read(file("ACGTX"), kNucleic).score('N', 'X'), 5);
  EXPECT_EQ(read(file("ACGT*"), kNucleic).score('N', 'X'), 5);
  EXPECT_EQ(read(file("ACGTUN"), kNucleic).score('U', 'T'), -1);  // a column of its own
  EXPECT_NE(error(file("ACGT"), kNucleic).find("no scores for N, X or *"), std::string::npos);
  EXPECT_NE(error(file("ACGN"), kNucleic).find("no scores for T; expected all nucleotides"),
            std::string::npos);
  EXPECT_NE(error(valid_file("X"), kNucleic).find("scores for E; expected a matrix for nucleotides"),
            std::string::npos);
  EXPECT_NE(error(file("ACGTN")).find("no scores for R; expected all 20 amino acids"), std::string::npos);
}

TEST(SubstitutionMatrix, IsReadFromAFile) {
  const SubstitutionMatrix scores = read(valid_file("X"));
  EXPECT_EQ(scores.score('A', 'a'), 10);
  EXPECT_EQ(scores.score('A', 'R'), -1);
  EXPECT_EQ(scores.score('B', 'X'), 10);  // B as X
  EXPECT_EQ(read(valid_file("*")).score('X', '*'), 10);
}

TEST(SubstitutionMatrix, HasTheScaleOfItsFile) {
  const auto scale = [](const std::string& remarks) { return read(remarks + valid_file("X")).scale(); };
  const auto half_bits = "#  BLOSUM Clustered Scoring Matrix in 1/2 Bit Units\n";
  EXPECT_EQ(scale(""), std::nullopt);
  EXPECT_EQ(scale("# scale = 0.5\n#  Blocks Substitution Matrix in 1/3 Bit Units\n"), std::nullopt);
  EXPECT_DOUBLE_EQ(*scale(half_bits), std::numbers::ln2 / 2);
  EXPECT_DOUBLE_EQ(*scale("# PAM 250 substitution matrix, scale = ln(2)/3 = 0.231049\n"), 0.231049);
  EXPECT_DOUBLE_EQ(*scale(half_bits + std::string("# substitution matrix, scale=0.1\n")), 0.1);
  EXPECT_NE(error("# substitution matrix, scale = ln(2)\n" + valid_file("X")).find("line 1: scale 'ln(2)'"),
            std::string::npos);
  EXPECT_NE(error("# substitution matrix, scale = 0\n" + valid_file("X")).find("above 0"), std::string::npos);
}

TEST(SubstitutionMatrix, MayHaveRowsWithoutLetters) {
  std::string text = valid_file("X"), bare;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    bare += (line.size() > 1 && line[0] != '#' && line[0] != ' ' ? line.substr(1) : line) + "\n";
  }
  EXPECT_EQ(read(bare).score('R', 'R'), 10);
  EXPECT_EQ(read(bare).score('R', 'N'), -1);
}

TEST(SubstitutionMatrix, IsRefusedIfDamaged) {
  EXPECT_NE(error(valid_file("")).find("no scores for X or *"), std::string::npos);
  EXPECT_NE(error("").find("no scores for A"), std::string::npos);
  EXPECT_NE(error(" A R\nA 1 2\nR 1\n").find("line 3: 1 scores for R; expected 2"), std::string::npos);
  EXPECT_NE(error(" A R\nA 1 x\n").find("line 2: 'x' is not a score"), std::string::npos);
  EXPECT_NE(error(" A R\nA 1 2000000\n").find("line 2: '2000000' is not a score"), std::string::npos);
  EXPECT_NE(error(" A A\n").find("line 1: 'A' among the letters"), std::string::npos);
  EXPECT_NE(error(" A RN\n").find("line 1: 'RN' among the letters"), std::string::npos);
  EXPECT_NE(error(" A R\nA 1 2\na 1 2\n").find("line 3: a second row of a"), std::string::npos);
  EXPECT_NE(error(" A R\nAR 1 2\n").find("line 2: the line begins with 'AR'"), std::string::npos);
}

}  // namespace
}  // namespace gpuhmm
