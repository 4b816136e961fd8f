// Compares with the reference programs hmm2convert of HMMER 2.3.2 and, for HMMER3 files, hmmconvert of
// HMMER 3.3.2. The tests fail if the programs are missing.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <random>
#include <set>

#include "gpuhmm/profile_file.hpp"
#include "profile_files.hpp"

namespace gpuhmm {
namespace {

using namespace test;

/// Runs a shell command; its exit status must be 0.
void run(const std::string& command) {
  FILE* const pipe = popen(("LC_ALL=C; " + command + " 2>&1").c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string output;
  std::array<char, 4096> buffer;
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    output.append(buffer.data(), n);
  }
  ASSERT_EQ(pclose(pipe), 0) << command << "\n" << output;
}

/// A format: the option of hmm2convert and the writer of this library.
struct Format {
  const char* option;
  Writer writer;
};
constexpr Format kText = {"-a", write_hmmer2_text};
constexpr Format kBinary = {"-b", write_hmmer2_binary};
constexpr Format kGcg = {
    "-p", [](std::ostream& out, const Profile& profile) { write_gcg_profile(out, profile, GcgKind::Plain); }};
constexpr Format kExtendedGcg = {"-P", [](std::ostream& out, const Profile& profile) {
                                   write_gcg_profile(out, profile, GcgKind::Extended);
                                 }};

class Oracle : public testing::Test {
 protected:
  /// The output of the reference program for a profile file (plain or gzip, HMMER2 or HMMER3).
  std::string reference(const std::string& path, const Format& format) {
    const std::string plain = folder_.file("plain.hmm");
    const std::string converted = folder_.file("converted.hmm");
    const std::string result = folder_.file("result.hmm");
    run((path.ends_with(".gz") ? "gzip -dc '" : "cat '") + path + "' > " + plain);
    const bool hmmer3 = file_bytes(plain).substr(0, 8).find("HMMER3") != std::string::npos;
    if (hmmer3) run("hmmconvert -2 " + plain + " > " + converted);
    run(std::string("hmm2convert ") + format.option + " -F " + (hmmer3 ? converted : plain) + " " + result);
    return file_bytes(result);
  }

  void expect_same(const std::string& path) {
    const std::vector<Profile> profiles = read_profiles(path);
    EXPECT_EQ(written(profiles, write_hmmer2_text), reference(path, kText)) << path;
    EXPECT_TRUE(written(profiles, write_hmmer2_binary) == without_padding(reference(path, kBinary))) << path;
  }

  const TemporaryFolder folder_;
};

TEST_F(Oracle, ConvertsExampleFilesAlike) {
  int files = 0;
  for (const char* const folder : {"/vectors", "/hmm"}) {
    for (const auto& entry : std::filesystem::directory_iterator(std::string(GPUHMM_TESTDATA) + folder)) {
      const std::string extension = entry.path().extension();
      if (extension != ".hmm" && extension != ".bin") continue;
      expect_same(entry.path());
      for (const Format& format : {kGcg, kExtendedGcg}) {
        EXPECT_EQ(written(read_profiles(entry.path()), format.writer), reference(entry.path(), format))
            << entry.path() << format.option;
      }
      ++files;
    }
  }
  EXPECT_GE(files, 6);
}

TEST_F(Oracle, ConvertsSharedFilesAlike) {
  const std::string shared = std::string(GPUHMM_SHARED) + "/data/hmm";
  if (!std::filesystem::exists(shared)) GTEST_SKIP() << "no shared data";
  // Files with two alphabets, which the reference program also refuses.
  const std::set<std::string> mixed = {"hmmer_bug13-mixed1.hmm", "hmmer_bug13-mixed2.hmm"};
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(shared)) {
    const std::string name = entry.path().filename();
    if (!entry.is_regular_file() || name.ends_with(".tsv")) continue;
    if (mixed.contains(name)) {
      EXPECT_THROW(read_profiles(entry.path()), FileError);
    } else {
      expect_same(entry.path());
    }
    ++files;
  }
  EXPECT_GT(files, 100);
}

/// Profiles built by HMMER 3 from alignments: protein, DNA and RNA, in each text version.
TEST_F(Oracle, ConvertsHmmer3VersionsAlike) {
  const std::string shared = std::string(GPUHMM_SHARED) + "/data/align/";
  if (!std::filesystem::exists(shared)) GTEST_SKIP() << "no shared data";
  for (const char* const name :
       {"zf-C2H2", "RRM_1", "WD40", "fn3_tut", "7kD_DNA_binding", "nucleic_MADE1", "nucleic_SraC_RyeA"}) {
    const std::string built = folder_.file("built.hmm");
    run("hmmbuild " + built + " " + shared + name + ".sto");
    for (char version = 'a'; version <= 'f'; ++version) {
      const std::string path = folder_.file(std::string(name) + ".3" + version);
      run(std::string("hmmconvert --outfmt 3/") + version + " " + built + " > " + path);
      EXPECT_EQ(ProfileReader(path).kind(), ProfileFileKind::Hmmer3Text);
      expect_same(path);
    }
  }
}

/// Unusual headers that the reference program accepts.
TEST_F(Oracle, ReadsUnusualHeadersAlike) {
  const std::string toy = file_bytes(vector_path("toy5cal.hmm"));
  const std::string name = "NAME  toy5\n";
  const std::string log = "COM   hmm2build -F --hand toy5.hmm toy5.sto\n";
  const std::vector<std::pair<std::string, std::string>> changes = {
      {name, "NAME  two words \t\n"},
      {name, "NAME x toy5\n"},
      {name, "FOO   bar\n\nNAME\n" + name},
      {"ACC   XX00001\n", "ACC   \n"},
      {"ACC   XX00001\n", "ACC  XX00001\n"},
      {"DESC  Tiny", "DESC    Tiny"},
      {"DESC  Tiny", "DESC  " + std::string(600, 'y') + " Tiny"},
      {"DESC  Tiny", "DESC  " + std::string(505, 'y') + "NAME  other\nACC   A Tiny"},
      {"RF    yes", "RF    Yikes"},
      {"CS    yes", "CS yes"},
      {"MAP   yes", "MAP   "},
      {"ALPH  Amino", "ALPH  aMINOacids"},
      {log, ""},
      {log, "COM   \n"},
      {log, log + log},
      {"NSEQ  4\n", ""},
      {"NSEQ  4", "NSEQ  -17 or so"},
      {"DATE  ", "DATE     "},
      {"CKSUM 5659", "CKSUM 4294967295"},
      {"CKSUM 5659", "CKSUM5659"},
      {"GA    3.0 2.0", "GA    25.05; 1e2;"},
      {"GA    3.0 2.0\n", ""},
      {"TC    4.0 3.5", "TC    -0.04 12345678.9 7"},
      {"EVD    -4.978280   0.654920", "EVD   -1e-7 0.12345678"},
      {"  -8455     -4  -1000  -1000", "      *      *  -1000      *"},
      {"NULT      -4  -8455", "NULT  -40 -845 *"},
      {"     1   1994", "     1      *"},
      {"   -149   -500", "      *   -500"},
      {"     x   -149", "  long   -149"},
      {"   -585      *  -1585", "   -585    any      *"},
      {"    -33  -6045  -7087", "      *      *      0"},
  };
  for (const auto& [from, to] : changes) {
    SCOPED_TRACE(to);
    const std::string changed = replaced(toy, from, to);
    expect_same(folder_.write("changed.hmm", changed));
    expect_same(folder_.write("changed.hmm", changed + toy));
  }
}

TEST_F(Oracle, ReadsUnusualHmmer3HeadersAlike) {
  const std::string good = file_bytes(std::string(GPUHMM_TESTDATA) + "/hmm/RRM_1_hmmer3.hmm");
  const std::string alphabet = "ALPH  amino\n";
  for (const std::string added :
       {"DESC    spaces   inside  \n", "DESC  a #b c\n", "DATE  any   text  \n", "ACC   one two\n",
        "COM   [1] hmmbuild a  b \nCOM   [2]   second\n", "COM   no number\n", "GA    25.05 -3.25\n",
        "TC    25.05; 20.35;\n", "NC    12345678.04 -0.04\n", "NSEQ  7 or more\n", "WHAT  else\n",
        "\n# comment\n", "GA    0.25 1e3\n"}) {
    SCOPED_TRACE(added);
    expect_same(folder_.write("changed.hmm", replaced(good, alphabet, alphabet + added)));
  }
  for (const std::string tag : {"DESC  ", "COM   [1] "}) {
    expect_same(folder_.write("changed.hmm",
                              replaced(good, alphabet, alphabet + tag + std::string(600, 'x') + "\n")));
  }
  expect_same(folder_.write("changed.hmm", "\n" + good + "\n\n" + good + "\n"));
}

/// Random probabilities; half of them would reveal another rounding of HMMER3's factor 1442.695.
TEST_F(Oracle, ConvertsRandomHmmer3Alike) {
  const std::vector<const char*> on_the_edge = {"0.18611", "0.32266", "0.76974", "0.86886", "1.04284",
                                                "1.27851", "1.65073", "1.82471", "1.96126", "2.03612"};
  std::mt19937 random(3);
  const auto number = [&] {
    if (random() % 2 == 0) return std::string(on_the_edge[random() % on_the_edge.size()]);
    return std::to_string(random() % 12) + "." + std::to_string(10'000 + random() % 90'000);
  };
  for (const bool amino : {true, false}) {
    std::string text = std::string("HMMER3/a x\nNAME  random\nLENG  200\nALPH  ") +
                       (amino ? "amino" : "DNA") + "\nRF    no\nCS    no\nMAP   no\nHMM     A\n  m->m\n";
    const auto numbers = [&](int count) {
      for (; count > 0; --count) text += " " + number();
    };
    for (int k = 0; k <= 200; ++k) {
      if (k > 0) {
        text += " " + std::to_string(k);
        numbers(amino ? 20 : 4);
        text += " - - -\n";
      }
      numbers(amino ? 20 : 4);
      text += "\n";
      numbers(7);
      text += "\n";
    }
    expect_same(folder_.write("random.hmm", text + "//\n"));
  }
}

}  // namespace
}  // namespace gpuhmm
