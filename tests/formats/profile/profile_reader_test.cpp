// HMMER2 text and binary profile files are read; damaged ones are refused with a message.
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdlib>

#include "profile_files.hpp"

namespace gpuhmm {
namespace {

using namespace test;

std::string toy() { return file_bytes(vector_path("toy5.hmm")); }

TEST(ProfileReader, ReadsAllFieldsOfText) {
  ProfileReader reader(vector_path("toy5cal.hmm"));
  EXPECT_EQ(reader.kind(), ProfileFileKind::Hmmer2Text);
  EXPECT_EQ(reader.name(), vector_path("toy5cal.hmm"));
  const std::optional<Profile> profile = reader.next();
  ASSERT_TRUE(profile);
  EXPECT_FALSE(reader.next());
  EXPECT_EQ(profile->name, "toy5");
  EXPECT_EQ(profile->accession, "XX00001");
  EXPECT_EQ(profile->description, "Tiny five node test model");
  EXPECT_EQ(profile->nodes, 5);
  EXPECT_EQ(profile->alphabet, AlphabetKind::Amino);
  EXPECT_EQ(profile->rf, " xxxxx");
  EXPECT_EQ(profile->cs, " HHHCC");
  EXPECT_EQ(profile->map, (std::vector<int>{0, 1, 2, 3, 5, 6}));
  EXPECT_EQ(profile->command_log,
            (std::vector<std::string>{"hmm2build -F --hand toy5.hmm toy5.sto",
                                      "hmm2calibrate --seed 7 --num 1000 toy5cal.hmm"}));
  EXPECT_EQ(profile->sequence_count, 4);
  EXPECT_EQ(profile->date, "Thu Jan  1 00:00:00 2026");
  EXPECT_EQ(profile->checksum, 5659);
  EXPECT_EQ(profile->gathering->domain, 2.0F);
  EXPECT_EQ(profile->trusted->sequence, 4.0F);
  EXPECT_EQ(profile->noise->domain, 0.5F);
  EXPECT_EQ(profile->evd->mu, -4.978280F);
  EXPECT_EQ(profile->evd->lambda, 0.654920F);
}

TEST(ProfileReader, ReadsSeveralProfiles) {
  const std::vector<Profile> profiles = read_profiles(vector_path("three.hmm"));
  ASSERT_EQ(profiles.size(), 3U);
  EXPECT_FALSE(profiles[0].evd);
  EXPECT_TRUE(profiles[1].evd);
  EXPECT_EQ(profiles[2].name, "toy6fs");
}

TEST(ProfileReader, ReadsTheSameFromTextAndBinaryOfBothByteOrders) {
  const std::string binary = file_bytes(vector_path("toy5cal.bin"));
  const std::vector<Profile> little = parsed(binary);
  EXPECT_EQ(written(little, write_hmmer2_text), file_bytes(vector_path("toy5cal.hmm")));
  EXPECT_EQ(written(little, write_hmmer2_binary), binary);
  const std::string both = byte_swapped(binary + binary);
  EXPECT_EQ(both.substr(0, 4), "\xe8\xed\xed\xb5");
  EXPECT_EQ(written(parsed(both), write_hmmer2_binary), binary + binary);
}

TEST(ProfileReader, KeepsTheFlagOfAccessibilityInBinaryFiles) {
  std::string binary = file_bytes(vector_path("toy5cal.bin"));
  EXPECT_FALSE(parsed(binary).at(0).accessibility);
  binary[5] ^= '\x20';  // bit 13 of the flags
  EXPECT_TRUE(parsed(binary).at(0).accessibility);
  EXPECT_EQ(written(parsed(binary), write_hmmer2_binary), binary);
}

TEST(ProfileReader, ReadsInsertEmissionsThatRepeatAndThatDiffer) {
  const std::string text = toy(), first = "-149   -500", line = "     x   " + first;
  const auto with = [&](int node, const std::string& other) {
    std::size_t at = 0;
    for (int n = 0; n < node; ++n) at = text.find(line, at + 1);
    return std::string(text).replace(at, other.size(), other);
  };
  const std::string other_emission = with(3, "     x   -150"), other_rf = with(2, "     .");
  EXPECT_EQ(written(parsed(text + other_emission + other_rf), write_hmmer2_text),
            text + other_emission + other_rf);
  const Profile profile = parsed(other_emission).at(0);
  const auto of_node = [&](std::size_t k) { return profile.insert.at(k * 20); };
  EXPECT_EQ(of_node(1), of_node(2));
  EXPECT_NE(of_node(2), of_node(3));
  EXPECT_EQ(of_node(4), of_node(2));
  EXPECT_EQ(parsed(other_rf).at(0).rf, " x.xxx");
}

TEST(ProfileReader, ReadsGzip) {
  const TemporaryFolder folder;
  const std::string path = folder.file("three.hmm.gz");
  const std::string text = file_bytes(vector_path("three.hmm"));
  gzFile out = gzopen(path.c_str(), "wb");
  ASSERT_NE(out, nullptr);
  ASSERT_EQ(gzwrite(out, text.data(), static_cast<unsigned>(text.size())), static_cast<int>(text.size()));
  ASSERT_EQ(gzclose(out), Z_OK);
  EXPECT_EQ(written(read_profiles(path), write_hmmer2_text), written(parsed(text), write_hmmer2_text));
}

TEST(ProfileReader, NamesKinds) {
  EXPECT_EQ(name_of(ProfileFileKind::Hmmer2Text), "HMMER2 text");
  EXPECT_EQ(name_of(ProfileFileKind::Hmmer2Binary), "HMMER2 binary");
  EXPECT_EQ(name_of(ProfileFileKind::Hmmer3Text), "HMMER3 text");
}

TEST(ProfileReader, TakesCarriageReturns) {
  std::string text;
  for (const char c : toy()) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(written(parsed(text), write_hmmer2_text), toy());
}

TEST(ProfileReader, TakesTagsInAnyOrderUnknownAndRepeatedOnes) {
  const std::string text = replaced(replaced(toy(), "NAME  toy5\n", "WHAT  is this\nNAME  other\nDESC\n"),
                                    "XT  ", "NAME  toy5\nTA\nXT  ");
  EXPECT_EQ(written(parsed(text), write_hmmer2_text), toy());
}

TEST(ProfileReader, TakesValuesFromTheSeventhColumn) {
  EXPECT_EQ(parsed(replaced(toy(), "NAME  toy5", "NAME toy5 "))[0].name, "oy5");
  EXPECT_EQ(parsed(replaced(toy(), "ACC   XX00001", "ACC   "))[0].accession, "");
  EXPECT_FALSE(parsed(replaced(toy(), "ACC   XX00001", "ACC"))[0].accession);
}

TEST(ProfileReader, CutsLinesAtTheLengthOfHmmersBuffer) {
  const std::string description(600, 'd');
  const Profile profile = parsed(replaced(toy(), "Tiny five node test model", description + "\nCOM   x"))[0];
  EXPECT_EQ(profile.description, std::string(505, 'd'));
  // The rest of a long line is a line of its own.
  EXPECT_EQ(parsed(replaced(toy(), "Tiny five node test model", std::string(505, 'd') + "NAME  z"))[0].name,
            "z");
}

TEST(ProfileReader, TakesMissingOptionalLines) {
  std::string text = toy();
  for (const char* const tag : {"ACC", "DESC", "COM", "NSEQ", "DATE", "CKSUM", "GA", "TC", "NC"}) {
    text = without_lines(text, tag);
  }
  const Profile profile = parsed(text)[0];
  EXPECT_FALSE(profile.accession || profile.description || profile.date || profile.gathering);
  EXPECT_TRUE(profile.command_log.empty());
  EXPECT_EQ(profile.sequence_count, 0);
  EXPECT_NE(written({profile}, write_hmmer2_text).find("DATE  (null)\n"), std::string::npos);
}

TEST(ProfileReader, TakesPfamCutoffs) {
  const Profile profile = parsed(replaced(toy(), "GA    3.0 2.0", "GA    25.50; -2.25;"))[0];
  EXPECT_EQ(profile.gathering->sequence, 25.5F);
  EXPECT_EQ(profile.gathering->domain, -2.25F);
}

struct Damage {
  const char* from;
  const char* to;
  const char* message;
};

void expect_messages(const std::string& text, const std::vector<Damage>& damages) {
  for (const Damage& damage : damages) {
    const std::string found = complaint(replaced(text, damage.from, damage.to));
    EXPECT_NE(found.find(damage.message), std::string::npos)
        << "'" << damage.from << "' -> '" << damage.to << "' gives: " << found;
    EXPECT_EQ(found.find('\n'), std::string::npos);
  }
}

TEST(ProfileReader, RefusesDamagedHeaders) {
  expect_messages(toy(),
                  {{"LENG  5", "LENG  0", "profile, line 5: LENG is 0; expected 1 to 100000"},
                   {"LENG  5", "LENG  -5", "line 5: LENG is -5"},
                   {"LENG  5", "LENG  2000000000", "line 5: LENG is 2000000000"},
                   {"LENG  5", "LENG  99999999999999999999", "line 5: LENG is '99999999999999999999'"},
                   {"LENG  5", "LENG  5x", "line 5: LENG is '5x'; expected an integer"},
                   {"LENG  5", "LENG  ", "line 5: LENG has 0 fields"},
                   {"LENG  5", "LENG  4", "goes on after its last node, 4; expected //"},
                   {"LENG  5", "LENG  6", "the match line of node 6 has 1 fields; expected 22"},
                   {"ALPH  Amino", "ALPH  Klingon", "line 6: ALPH is 'Klingon'; expected Amino or Nucleic"},
                   {"ALPH  Amino", "ALPH  Nucleic", "NULE has 20 fields; expected 4"},
                   {"NSEQ  4", "NSEQ  four", "NSEQ is 'four'"},
                   {"GA    3.0 2.0", "GA    3.0", "GA has 1 fields; expected 2"},
                   {"GA    3.0 2.0", "GA    3.0 nan", "GA is 'nan'; expected a decimal number"},
                   {"GA    3.0 2.0", "GA    3.0 inf", "GA is 'inf'"},
                   {"XT      -8455", "XT      -84.5", "a score is '-84.5'; expected an integer"},
                   {"XT      -8455", "XT    9999999", "a score is 9999999; expected at most"},
                   {"NULT      -4  -8455", "NULT       *      *", "null model's loop probability"},
                   {"NULT      -4  -8455", "NULT       0      *", "null model's loop probability"},
                   {"NULE     595", "NULE       *", "residue frequency of the null model is zero"},
                   {"NULE     595", "NULE   ", "NULE has 19 fields; expected 20"},
                   {"HMM   ", "HMN   ", "profile 'toy5' ends before its main section"}});
}

TEST(ProfileReader, RefusesMissingHeaderLines) {
  for (const std::string tag : {"NAME", "LENG", "ALPH", "XT", "NULT", "NULE"}) {
    const std::string found = complaint(without_lines(toy(), tag));
    const bool first = tag == "ALPH";  // NULE needs ALPH first
    EXPECT_NE(found.find(first ? "NULE comes before ALPH" : "has no " + tag + " line"), std::string::npos)
        << found;
  }
}

TEST(ProfileReader, RefusesDamagedNodes) {
  expect_messages(toy(), {{"     2  -3051", "     3  -3051", "the node number is 3; expected 2"},
                          {"     2  -3051", "     x  -3051", "the node number is 'x'"},
                          {"     2  -3051", "     2   3O51", "a score is '3O51'"},
                          {"     2  -3051", "     2", "the match line of node 2 has 21 fields; expected 22"},
                          {"   -585      *  -1585", "   -585      *", "begin transitions has 2 fields"},
                          {"   -585      *  -1585", "      *      *      *", "cannot be used"},
                          {"   -149   -500", "   -149", "the insert line of node 1 has 20 fields"},
                          {"    -33  -6045", "    -33", "the transition line of node 1 has 9 fields"},
                          {"    -33  -6045  -7087", "      *      *      *",
                           "cannot be used: match transitions of node 1 are not probabilities"},
                          {"//\n", "//\n\n", "expected the next profile"},
                          {"//\n", "//\nHMMER1", "expected the next profile"},
                          {"//\n", "", "the file ends in profile 'toy5' before its closing //"}});
  std::string zero = toy();
  zero[zero.find("toy5") + 1] = '\0';
  EXPECT_NE(complaint(zero).find("line 2: holds a zero byte"), std::string::npos);
}

TEST(ProfileReader, RefusesASecondAlphabet) {
  const std::string found = complaint(toy() + file_bytes(vector_path("toydna.hmm")));
  EXPECT_NE(found.find("profile 'toydna' (Nucleic) has another alphabet than 'toy5' (Amino)"),
            std::string::npos)
      << found;
}

TEST(ProfileReader, RefusesOtherKinds) {
  using std::string_literals::operator""s;
  EXPECT_EQ(complaint(""), "profile: is empty; expected a profile file");
  EXPECT_NE(complaint(">seq\nACGT\n").find("is not a profile file"), std::string::npos);
  EXPECT_NE(complaint("\n" + toy()).find("is not a profile file"), std::string::npos);
  EXPECT_NE(complaint("# HMM v1.7\n").find("HMMER 1; convert it with HMMER 2's"), std::string::npos);
  EXPECT_NE(complaint("HMMER v1.9\n").find("HMMER 1"), std::string::npos);
  EXPECT_NE(complaint("\xb4\xed\xed\xe8"s).find("HMMER 1"), std::string::npos);
  EXPECT_NE(complaint("\xe8\xed\xed\xb1"s).find("HMMER 1"), std::string::npos);
  EXPECT_NE(complaint("\xba\xed\xed\xe8"s).find("HMMER3's hmmconvert"), std::string::npos);
  EXPECT_NE(complaint("\xf3\xe6\xe6\xb3"s).find("pressed profile file of HMMER3"), std::string::npos);
  EXPECT_NE(complaint("HMMER3/g [9.9]\n").find("unknown version"), std::string::npos);
  EXPECT_NE(complaint("\xff\xff\xff\xff"s).find("is not a profile file"), std::string::npos);
  EXPECT_THROW(ProfileReader(std::string(GPUHMM_TESTDATA)), FileError);
  EXPECT_THROW(ProfileReader(vector_path("none.hmm")), FileError);
}

TEST(ProfileReader, RefusesDamagedBinary) {
  const std::string good = file_bytes(vector_path("toy5cal.bin"));
  const auto with = [&good](std::size_t at, std::uint32_t value) {
    std::string bytes = good;
    std::memcpy(&bytes[at], &value, 4);
    return complaint(bytes);
  };
  constexpr std::size_t kName = 8;
  constexpr std::size_t kNodes = 0x3b;  // after name, accession and description
  EXPECT_NE(with(kName, 0x7fffffff).find("profile, profile 1, near byte 12: the length of the name"),
            std::string::npos);
  EXPECT_NE(with(kName, 0xffffffff).find("length of the name is -1"), std::string::npos);
  EXPECT_NE(with(kName, 3).find("zero byte"), std::string::npos);
  EXPECT_NE(with(kName, 0).find("has no name"), std::string::npos);
  EXPECT_NE(with(4, 0x1f8e).find("no probabilities"), std::string::npos);
  EXPECT_NE(with(kNodes, 0).find("length is 0"), std::string::npos);
  EXPECT_NE(with(kNodes, 0x40000000).find("length is 1073741824"), std::string::npos);
  EXPECT_NE(with(kNodes, 90000).find("the file ends in the middle"), std::string::npos);
  EXPECT_NE(with(kNodes + 4, 1).find("the alphabet is number 1"), std::string::npos);
  EXPECT_NE(with(good.size() - 4, 0x7fc00000).find("'toy5' that ends here cannot be used: delete"),
            std::string::npos);
  EXPECT_NE(with(good.size() - 28, 0xbf000000).find("match transitions of node 4"), std::string::npos);
  EXPECT_NE(complaint(good + "x").find("profile 2, near byte 1261: the file ends"), std::string::npos);
  EXPECT_NE(complaint(good + byte_swapped(good)).find("in the same byte order"), std::string::npos);
  EXPECT_NE(complaint(good + toy()).find("expected the next profile"), std::string::npos);
}

}  // namespace
}  // namespace gpuhmm
