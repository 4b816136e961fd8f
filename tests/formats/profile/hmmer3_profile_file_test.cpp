// Reading of HMMER3's profile files by HMMER3's rules: numbers, tolerance, errors.
#include "gpuhmm/hmmer3_profile_file.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <random>

#include "formats/profile/hmmer3_binary.hpp"
#include "formats/profile/hmmer3_parser.hpp"
#include "profile_files.hpp"

namespace gpuhmm {
namespace {

using namespace test;
using hmmer3::Generation;
using hmmer3::ProfileFileError;
using hmmer3::ReadingOptions;

const std::string kFolder = std::string(GPUHMM_TESTDATA) + "/hmmer3/";

/// Five nodes, protein, in the format 3/e.
std::string small() { return file_bytes(kFolder + "XYPPX.hmm"); }

std::vector<hmmer3::Profile> read(const std::string& path, const ReadingOptions& options = {}) {
  hmmer3::ProfileReader reader(path, options);
  std::vector<hmmer3::Profile> profiles;
  while (std::optional<hmmer3::Profile> profile = reader.next()) profiles.push_back(std::move(*profile));
  return profiles;
}

std::vector<hmmer3::Profile> read_bytes(const std::string& bytes, const ReadingOptions& options = {}) {
  const TemporaryFolder folder;
  return read(folder.write("profile", bytes), options);
}

/// What HMMER3 says of a file with this content, without the folder; empty if nothing is wrong.
std::string refusal(const std::string& bytes) {
  const TemporaryFolder folder;
  const std::string path = folder.write("profile", bytes);
  try {
    read(path);
  } catch (const ProfileFileError& error) {
    EXPECT_NE(std::string(error.what()).find(path), std::string::npos);
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    std::string text = error.hmmer3_text();
    while (text.find(path) != std::string::npos) text = replaced(text, path, "F");
    return text;
  }
  return {};
}

constexpr const char* kDamaged = "bad file format in HMM file F";

TEST(Hmmer3ProfileFile, ReadsTheNumbersOfText) {
  const hmmer3::Profile profile = read(kFolder + "XYPPX.hmm", {.prefer_pressed = false}).at(0);
  EXPECT_EQ(profile.name, "XYPPX");
  EXPECT_EQ(profile.accession, "PF02162.8");
  EXPECT_EQ(profile.description, "XYPPX repeat");
  EXPECT_EQ(profile.alphabet, AlphabetKind::Hmmer3Amino);
  EXPECT_EQ(profile.nodes, 5);
  EXPECT_EQ(profile.consensus, " GYPPq");
  EXPECT_EQ(profile.map, (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(profile.match_emission(1, 0), std::exp(-0.91707F));
  EXPECT_EQ(profile.transition[0][hmmer3::kDD], 0.0F);
  EXPECT_EQ(profile.transition[5][hmmer3::kMD], 0.0F);
  EXPECT_EQ(profile.statistics.viterbi_mu, -4.7526F);
  EXPECT_EQ(profile.gathering->domain, 0.7F);
  EXPECT_EQ(profile.sequence_count, 7);
  EXPECT_EQ(profile.checksum, 149732247U);
  EXPECT_FALSE(profile.max_length);
}

TEST(Hmmer3ProfileFile, ReadsInsertEmissionsThatRepeatAndThatDiffer) {
  const std::string emissions = "  2.68618  4.42225", others = "  0.69315  1.50000";
  for (const int node : {0, 1, 2, 3, 4, 5}) {
    std::string text = small();
    std::size_t at = text.find("m->m");
    for (int line = 0; line <= node; ++line) at = text.find(emissions, at + 1);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, others.size(), others);
    const hmmer3::Profile profile = read_bytes(text).at(0);
    for (int k = 0; k <= 5; ++k) {
      const float* const row = &profile.insert.at(static_cast<std::size_t>(k) * 20);
      EXPECT_EQ(row[0], std::exp(k == node ? -0.69315F : -2.68618F)) << node << " " << k;
      EXPECT_EQ(row[1], std::exp(k == node ? -1.5F : -4.42225F)) << node << " " << k;
      EXPECT_EQ(row[2], std::exp(-2.77519F)) << node << " " << k;
    }
  }
}

/// The binary file is as hmmpress made it.
TEST(Hmmer3ProfileFile, NumbersAreRoundedAsByStrtod) {
  std::vector<std::string> words = {"0.00000",
                                    "0.0",
                                    ".5",
                                    "5.",
                                    ".",
                                    "1..2",
                                    "1.5x",
                                    "-1.5",
                                    "+2.5",
                                    "1e3",
                                    "7",
                                    "x",
                                    "1.e2",
                                    "inf",
                                    "123456789012.345",
                                    "1234567890123.456",
                                    "0.1234567890123456"};
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    std::string digits = std::to_string(random());
    digits.resize(1 + random() % 16);
    words.push_back(digits.insert(random() % (digits.size() + 1), "."));
  }
  for (const std::string& word : words) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(leading_number(word)),
              std::bit_cast<std::uint64_t>(std::strtod(word.c_str(), nullptr)))
        << word;
  }
}

TEST(Hmmer3ProfileFile, TextAndBinaryAreTheSame) {
  for (const std::string name : {"XYPPX", "ecori"}) {
    const std::string binary = file_bytes(kFolder + name + ".hmm.h3m");
    EXPECT_EQ(hmmer3_binary(read(kFolder + name + ".hmm", {.prefer_pressed = false}).at(0)), binary);
    EXPECT_EQ(hmmer3_binary(read_bytes(binary).at(0)), binary);
    EXPECT_EQ(read_bytes(binary + binary + "end").size(), 2U);
  }
}

TEST(Hmmer3ProfileFile, IsAsTolerantAsHmmer3) {
  const std::array<std::array<const char*, 2>, 12> harmless = {{
      {"NSEQ  7\n", "NSEQ  7x y # z\n"},
      {"NSEQ  7\n", "UNKNOWN\n//\n# comment\n\v\n\n"},
      {"CONS  yes\n", "CONS  YES\nCONS  no\n"},
      {"GA    14.30 0.70", "GA    14.30; 0.70; 5"},
      {"      1 G - -", "      1 Gly - - more words"},
      {"      1   0.91707", " \f    1th   0.91707abc"},
      {"0.91707", "+0.91707"},
      {"0.91707", "-1.5"},
      {"0.91707", "*1"},
      {"STATS LOCAL MSV ", "STATS local msv "},
      {"XYPPX repeat\n", "XYPPX # repeat \r\n"},
      {"\n//\n", "\n// end"},
  }};
  for (const auto& [from, to] : harmless) EXPECT_EQ(refusal(replaced(small(), from, to)), "") << to;
  EXPECT_EQ(read_bytes(replaced(small(), "XYPPX repeat\n", "XYPPX # repeat \r\n")).at(0).description,
            "XYPPX # repeat");
  EXPECT_EQ(read_bytes(replaced(small(), "0.91707", "inf")).at(0).match_emission(1, 0), 0.0F);
}

TEST(Hmmer3ProfileFile, FlushesSubnormalsUnlessAsked) {
  const std::string text = replaced(small(), "0.91707", "90");
  EXPECT_EQ(read_bytes(text).at(0).match_emission(1, 0), 0.0F);
  EXPECT_EQ(read_bytes(text, {.keep_subnormals = true}).at(0).match_emission(1, 0), std::exp(-90.0F));
}

TEST(Hmmer3ProfileFile, RefusesOrLeavesOutWhatTheEndCutsOff) {
  const std::string text = small();
  const ReadingOptions drop{.drop_unfinished = true};
  for (std::size_t end = text.find('\n'); end + 4 < text.size(); end = text.find('\n', end + 1)) {
    const std::string cut = text.substr(0, end + 1);
    EXPECT_TRUE(read_bytes(cut, drop).empty());
    EXPECT_EQ(read_bytes(text + cut, drop).size(), 1U);
    EXPECT_EQ(refusal(cut), kDamaged);
    EXPECT_EQ(refusal(text + cut), kDamaged);
  }
  EXPECT_EQ(refusal(text.substr(0, text.find("0.91707"))), kDamaged);
  try {
    read_bytes(text + text.substr(0, text.rfind("//")));
    FAIL();
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("the file ends in profile 'XYPPX' before its closing //"),
              std::string::npos);
  }
}

TEST(Hmmer3ProfileFile, RefusesWhatHmmer3Refuses) {
  const std::array<std::array<const char*, 2>, 15> damages = {{
      {"NAME  XYPPX\n", "NAME\n"},
      {"DESC  XYPPX repeat\n", "DESC   \n"},
      {"LENG  5\n", "LENG  4\n"},
      {"LENG  5\n", "LENG  6\n"},
      {"ALPH  amino\n", ""},
      {"ALPH  amino\n", "ALPH  dice\n"},
      {"RF    no\n", "RF    perhaps\n"},
      {"NSEQ  7\n", "NSEQ  0\n"},
      {"EFFN  7.000000\n", "EFFN  0\n"},
      {"NSEQ  7\n", "MAXL  x\n"},
      {"GA    14.30 0.70\n", "GA    14.30\n"},
      {"STATS LOCAL MSV ", "STATS LOCAL "},
      {"STATS LOCAL MSV       -5.1112  0.78852\n", ""},
      {"      1   0.91707", "      2   0.91707"},
      {"0.91707", "nan"},
  }};
  for (const auto& [from, to] : damages) EXPECT_EQ(refusal(replaced(small(), from, to)), kDamaged) << to;
  EXPECT_EQ(refusal(small() + "more\n"), kDamaged);
  EXPECT_EQ(refusal(small() + replaced(small(), "HMMER3/e", "HMMER3/d")), kDamaged);
  EXPECT_EQ(refusal(small() + file_bytes(kFolder + "ecori.hmm")), "HMM file F contains different alphabets");
  EXPECT_EQ(refusal(replaced(small(), "CONS  yes", "CONS  no")),
            "HMM must have a consensus to transfer to the profile");
}

TEST(Hmmer3ProfileFile, SaysWhyAFileIsNone) {
  const std::string start = "File format problem in trying to open HMM file F.\n";
  EXPECT_EQ(refusal(""), start + "File exists, but appears to be empty?\n");
  EXPECT_EQ(refusal("\n \n\t\n\n"), start + "File exists, but appears to be empty?\n");
  EXPECT_EQ(refusal("HMMER3/g x\n"),
            start +
                "Format tag is 'HMMER3/g': unrecognized.\nCurrent H3 format is 'HMMER3/f'. "
                "Previous H2/H3 formats also supported.\n");
  for (const char* binary : {"ABC\x80", "\xb3\xed\xed\xf8 x", " \n\n\xc3 A\n"}) {  // bit 31 of a magic number
    EXPECT_EQ(refusal(binary),
              start +
                  "Format tag appears binary, but unrecognized\nCurrent H3 format is HMMER3/f. "
                  "Previous H2/H3 formats also supported.\n");
  }
  for (const char* profile :
       {"HMMER2.0  [2.3.2]\nNAME  a\n", "\xb5\xed\xed\xe8 little", "\xe8\xed\xed\xb5 big"}) {
    EXPECT_TRUE(refusal(profile).starts_with(start + "It has profiles of HMMER2: convert them")) << profile;
  }
  try {
    read("/none/such");
    FAIL();
  } catch (const ProfileFileError& error) {
    EXPECT_EQ(error.hmmer3_text(),
              "File existence/permissions problem in trying to open HMM file /none/such.\n"
              "HMM file /none/such not found (nor an .h3m binary of it)\n");
  }
}

TEST(Hmmer3ProfileFile, RefusesDamagedBinaries) {
  const std::string binary = file_bytes(kFolder + "XYPPX.hmm.h3m");
  for (std::size_t size = 4; size < binary.size(); size += 7) {
    EXPECT_EQ(refusal(binary.substr(0, size)), kDamaged) << size;
  }
  EXPECT_EQ(refusal(binary + "more"), kDamaged);
  std::string other = binary;
  other[8] = '\x7f';
  other[11] = '\x7f';  // very many nodes
  EXPECT_EQ(refusal(other), kDamaged);
}

TEST(Hmmer3ProfileFile, PrefersThePressedFile) {
  const TemporaryFolder folder;
  const std::string path = folder.write("profile", small());
  folder.write("profile.h3m", file_bytes(kFolder + "ecori.hmm.h3m"));
  const auto opening_fails = [&](const std::string& missing) {
    try {
      read(path);
      ADD_FAILURE() << missing;
    } catch (const ProfileFileError& error) {
      EXPECT_NE(error.hmmer3_text().find(missing), std::string::npos) << error.hmmer3_text();
    }
  };
  for (const std::string suffix : {".h3f", ".h3p", ".h3i"}) {
    opening_fails("profile.h3m, a pressed HMM file; but no " + suffix + " file found\n");
    folder.write("profile" + suffix, suffix == ".h3i" ? "junk" : "");
  }
  opening_fails("but format of its .h3i file unrecognized\n");
  folder.write("profile.h3i", file_bytes(kFolder + "ecori.hmm.h3i"));
  EXPECT_EQ(read(path).at(0).nodes, 6);
  EXPECT_EQ(read(path, {.prefer_pressed = false}).at(0).name, "XYPPX");
  std::filesystem::remove(path);
  EXPECT_EQ(hmmer3::ProfileReader(path).name(), path);
}

/// The names of what a reader gives, and how it ends.
std::string given(hmmer3::ProfileReader reader) {
  std::string all;
  try {
    while (const std::optional<hmmer3::Profile> profile = reader.next()) all += profile->name + " ";
  } catch (const ProfileFileError& error) {
    return all + error.what();
  }
  return all + (reader.hmmer2_follows() ? "HMMER2" : "");
}

TEST(Hmmer3ProfileFile, ReadAheadGivesTheSame) {
  const TemporaryFolder folder;
  const std::string second = replaced(small(), "XYPPX", "second"),
                    third = replaced(small(), "XYPPX", "third");
  const std::string nucleic = file_bytes(kFolder + "ecori.hmm");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"XYPPX second third ", small() + second + third},
      {"XYPPX second HMMER2", small() + second + file_bytes(vector_path("toy5.hmm"))},
      {"line", small() + second + replaced(third, "LENG  5", "LENG  x")},
      {"alphabet", small() + second + nucleic},
      {"consensus", small() + second + replaced(third, "CONS  yes", "CONS  no")},
      {"XYPPX ", file_bytes(kFolder + "XYPPX.hmm.h3m")}};
  for (const auto& [part, bytes] : cases) {
    const std::string path = folder.write("profiles", bytes);
    const ReadingOptions options{.stop_at_hmmer2 = true};
    const std::string expected = given(hmmer3::ProfileReader(path, options));
    EXPECT_NE(expected.find(part), std::string::npos) << expected;
    for (const double nodes : {0.0, 5.0, 6.0, 10.0, 15.0, 16.0, 1e9}) {
      hmmer3::ProfileReader reader(path, options);
      reader.read_ahead(nodes);
      EXPECT_EQ(given(std::move(reader)), expected) << nodes;
      hmmer3::ProfileReader(path, options).read_ahead(nodes);  // nobody wants them
    }
  }
}

TEST(Hmmer3ProfileFile, TellsTheGeneration) {
  const auto generation = [](const std::string& bytes) {
    Input input("profile", bytes, 0);
    const Generation found = hmmer3::generation_of(input);
    EXPECT_EQ(input.peek(bytes.size()), bytes);
    return found;
  };
  const std::string old = file_bytes(vector_path("toy5.hmm"));
  EXPECT_EQ(generation(small()), Generation::Hmmer3);
  EXPECT_EQ(generation("\n# " + std::string(3000, 'x') + "\n" + small()), Generation::Hmmer3);
  EXPECT_EQ(generation(file_bytes(kFolder + "XYPPX.hmm.h3m")), Generation::Hmmer3);
  EXPECT_EQ(generation(old), Generation::Hmmer2);
  EXPECT_EQ(generation(written(parsed(old), write_hmmer2_binary)), Generation::Hmmer2);
  EXPECT_THROW(generation("neither\n"), ProfileFileError);
}

}  // namespace
}  // namespace gpuhmm
