// HMMER3 text profiles: a small one against a conversion by hand, and damaged ones.
#include <gtest/gtest.h>

#include <array>

#include "profile_files.hpp"

namespace gpuhmm {
namespace {

using namespace test;

/// Two nodes in each HMMER3 version; the columns after the match emissions differ.
std::string small(char version) {
  std::string columns = " 7";
  if (version >= 'e') columns += " c";
  columns += " x";
  if (version >= 'f') columns += " m";
  columns += " H";
  const std::string quarter = " 1.38629 1.38629 1.38629 1.38629";
  return std::string("HMMER3/") + version + " [3.3.2]\nNAME  small\nLENG  2\nALPH  DNA\nRF    yes\n" +
         "CS    yes\nMAP   yes\nGA    25.05;\nCOM   [1] hmmbuild small\nHMM   A C G T\n m->m\n  COMPO" +
         quarter + "\n" + quarter +
         "\n 0.69315 1.38629 1.38629 0.69315 0.69315 0.00000 *\n 1 0.69315 1.38629 *  1.38629" + columns +
         "\n" + quarter + "\n 0.22314 2.30259 2.30259 0.69315 0.69315 0.69315 0.69315\n 2" + quarter +
         columns + "\n" + quarter + "\n 0.10536 2.30259 * 0.69315 0.69315 0.00000 *\n//\n";
}

TEST(Hmmer3Text, ConvertsEveryVersion) {
  for (char version = 'a'; version <= 'f'; ++version) {
    SCOPED_TRACE(version);
    const Profile profile = parsed(small(version)).at(0);
    EXPECT_EQ(profile.name, "small");
    EXPECT_EQ(profile.alphabet, AlphabetKind::Nucleic);
    EXPECT_EQ(profile.rf, " xx");
    EXPECT_EQ(profile.cs, " HH");
    EXPECT_EQ(profile.map, (std::vector<int>{0, 7, 7}));
    EXPECT_EQ(profile.command_log, std::vector<std::string>{" hmmbuild small"});
    EXPECT_EQ(profile.gathering->sequence, 25.0F);
    EXPECT_EQ(profile.gathering->domain, 25.0F);
    const std::string text = written({profile}, write_hmmer2_text);
    for (const char* const line :
         {"XT      -9967     -1  -1000  -1000  -9967     -1  -9967     -1 \n", "NULT      -1  -9967\n",
          "NULE       0      0      0      0 \n", "DATE  (null)\n", "CKSUM 0\n", "NSEQ  0\n",
          // b_1 and delta do not sum to 1, as B -> I_0 is dropped; they are renormalised.
          "         -585      *  -1585\n", "     1   1000      0      *      0     7\n",
          "     x      0      0      0      0 \n",
          "     H   -322  -3322  -3322  -1000  -1000  -1000  -1000   -585      * \n",
          "     H      *      *      *      *      *      *      *      *      0 \n"}) {
      EXPECT_NE(text.find(line), std::string::npos) << line << text;
    }
  }
}

TEST(Hmmer3Text, ReadsSeveralWithBlankLinesAndComments) {
  EXPECT_EQ(parsed("\n" + small('f') + "\n# next\n" + small('f') + "\n").size(), 2U);
  EXPECT_EQ(parsed(replaced(small('d'), "  COMPO 1.38629 1.38629 1.38629 1.38629\n", "")).size(), 1U);
}

TEST(Hmmer3Text, RefusesDamage) {
  const std::vector<std::array<const char*, 3>> damages = {
      {"NAME  small\n", "", "has no NAME line"},
      {"LENG  2\n", "", "has no LENG line"},
      {"ALPH  DNA\n", "", "GA comes before ALPH"},
      {"ALPH  DNA", "ALPH  dice", "line 4: ALPH is 'dice'; expected amino, DNA or RNA"},
      {"RF    yes", "RF    y", "RF is 'y'; expected yes or no"},
      {"LENG  2", "LENG  0", "LENG is 0"},
      {"LENG  2", "LENG  900000000", "LENG is 900000000"},
      {"LENG  2", "LENG  1", "goes on after its last node, 1; expected //"},
      {"LENG  2", "LENG  3", "the match line of node 3 has 1 fields"},
      {"GA    25.05;", "GA    x", "GA is 'x'; expected a decimal number"},
      {"COM   [1] hmmbuild small", "COM   [1]", "COM has no value"},
      {"0.69315 1.38629 *", "0.69315 nan *", "is 'nan'"},
      {"0.69315 1.38629 *", "0.69315 inf *", "is 'inf'"},
      {"0.69315 1.38629 *", "0.69315 -1.38 *", "is -1.38; expected zero or above"},
      {" 2 1.38629", " 5 1.38629", "the node number is 5; expected 2"},
      {" 0.22314 2.30259", " 0.22314", "the transition line of node 1 has 6 fields; expected 7"},
      {" 0.22314 2.30259 2.30259", " * * *", "match transitions of node 1 are not probabilities"},
      {" 7 c x m H", " 7 c x m", "the match line of node 1 has 9 fields; expected 10"},
      {"HMM   A C G T\n", "//\n", "ends before its main section"},
      {"//\n", "//\ngarbage\n", "expected the next profile"},
      {"//\n", "", "the file ends in profile 'small'"},
      {"//\n", "//\nHMMER2.0\n", "expected the next profile"}};
  for (const auto& [from, to, message] : damages) {
    const std::string found = complaint(replaced(small('f'), from, to));
    EXPECT_NE(found.find(message), std::string::npos) << from << " -> " << to << " gives: " << found;
  }
}

TEST(Hmmer3Text, NeedsBothCutoffsForProteins) {
  const std::string good = file_bytes(std::string(GPUHMM_TESTDATA) + "/hmm/RRM_1_hmmer3.hmm");
  EXPECT_EQ(complaint(good), "");
  EXPECT_NE(
      complaint(replaced(good, "ALPH  amino\n", "ALPH  amino\nGA    25.0\n")).find("GA has too few fields"),
      std::string::npos);
}

}  // namespace
}  // namespace gpuhmm
