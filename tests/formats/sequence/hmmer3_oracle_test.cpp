// HMMER 3.3.2 reads the same sequences and has the same words for damage: hmmscan reports name, length,
// accession and description of every query. Random syntax with random bytes; needs the programs hmmscan and
// hmmpress.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <sstream>

#include "formats/io/temporary_folder.hpp"
#include "formats/sequence/records.hpp"
#include "gpuhmm/hmmer3_sequence_file.hpp"

namespace gpuhmm {
namespace {

using namespace test;

/// A profile of one column; it finds nothing.
constexpr const char* kProfile =
    "HMMER3/f [3.3.2 | Nov 2020]\nNAME  one\nLENG  1\nALPH  amino\nRF    no\nMM    no\nCONS  yes\nCS    no\nMAP   no\n"
    "STATS LOCAL MSV       -5.0  0.71\nSTATS LOCAL VITERBI   -5.0  0.71\nSTATS LOCAL FORWARD   -5.0  0.71\n"
    "HMM          A        C        D        E        F        G        H        I        K        L        M        N  "
    "      P        Q        R        S        T        V        W        Y   \n            m->m     m->i     m->d     "
    "i->m     i->i     d->m     d->d\n";

std::string profile() {
  std::string numbers;
  for (int i = 0; i < 20; ++i) numbers += "  2.99573";
  const std::string transitions = "          0.01005  5.29832  5.29832  0.61958  0.77255  0.00000        *\n";
  const std::string last = "          0.00501  5.29832        *  0.61958  0.77255  0.00000        *\n";
  return kProfile + ("       " + numbers + "\n") + transitions + "      1" + numbers +
         "      - a - - -\n       " + numbers + "\n" + last + "//\n";
}

std::string output_of(const std::string& command) {
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("popen");
  std::string text;
  char buffer[4096];
  while (const std::size_t got = fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, got);
  pclose(pipe);
  return text;
}

/// The part of hmmscan's output that depends on what it reads: a block a sequence, and its message at the
/// end.
std::string hmmscan(const std::string& database, const std::string& path, const std::string& format) {
  const std::string errors = path + ".err";
  std::istringstream lines(
      output_of("hmmscan --cpu 0 --noali " + format + " " + database + " " + path + " 2>" + errors));
  std::string found, line;
  bool query = false;
  while (std::getline(lines, line)) {
    if (line.starts_with("Query:  ")) query = true;
    if (line.starts_with("Scores for complete")) query = false;
    if (query) found += line + "\n";
  }
  std::ostringstream message;
  message << std::ifstream(errors, std::ios::binary).rdbuf();
  return found + message.str();
}

/// The same from gpuhmm's reader.
std::string ours(const std::string& path, std::optional<SequenceFormat> format) {
  const Alphabet& amino = Alphabet::get(AlphabetKind::Hmmer3Amino);
  std::string found;
  SequenceBatch batch;
  try {
    const auto reader = hmmer3::SequenceFile(path, format).open(amino);
    for (; reader->read(batch); batch.clear()) {
      const SequenceView s = batch[0];
      found += "Query:       " + std::string(s.name) + "  [L=" + std::to_string(s.residues.size()) + "]\n";
      if (!s.accession.empty()) found += "Accession:   " + std::string(s.accession) + "\n";
      if (!s.description.empty()) found += "Description: " + std::string(s.description) + "\n";
    }
  } catch (const hmmer3::SequenceFileError& error) {
    found += (error.labelled() ? "\nError: " : "") + error.hmmer3_text() + "\n";
  }
  return found;
}

class Hmmer3Oracle : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v hmmscan hmmpress >/dev/null") != 0) GTEST_SKIP() << "no HMMER 3";
    database_ = folder_.write("one.hmm", profile());
    ASSERT_EQ(std::system(("hmmpress " + database_ + " >/dev/null").c_str()), 0);
  }

  void compare(const std::string& name, const std::string& text, const std::string& option = {},
               std::optional<SequenceFormat> format = {}) {
    const std::string path = folder_.write(name, text);
    EXPECT_EQ(ours(path, format), hmmscan(database_, path, option)) << testing::PrintToString(text);
  }

  /// `text` with up to three random bytes put in, mostly those that syntax uses.
  std::string mutated(std::string text) {
    for (auto changes = random_() % 4; changes > 0; --changes) {
      constexpr std::string_view kOften = "\n\r \t>;/-_.*~1\x01\v|:=";
      const char byte =
          random_() % 4 == 0 ? static_cast<char>(1 + random_() % 255) : kOften[random_() % kOften.size()];
      text.insert(random_() % (text.size() + 1), 1, byte);
    }
    return text;
  }

  TemporaryFolder folder_;
  std::string database_;
  std::mt19937 random_{17};
};

TEST_F(Hmmer3Oracle, ReadsRandomFastaAlike) {
  for (int trial = 0; trial < 400; ++trial) {
    std::string text;
    for (auto records = random_() % 4; records-- > 0;) {
      text += ">s" + std::to_string(random_() % 100) + (random_() % 2 ? " some  text \n" : "\n");
      for (auto lines = random_() % 3; lines-- > 0;) text += "ACDEFGHIKLMNPQRSTVWYBJZOUX*~_.\n";
    }
    compare("random.fa", mutated(text));
    if (HasFailure()) return;
  }
}

TEST_F(Hmmer3Oracle, ReadsRandomFlatFilesAlike) {
  for (int trial = 0; trial < 400; ++trial) {
    std::string embl, genbank;
    for (auto records = 1 + random_() % 3; records-- > 0;) {
      const std::string name = "n" + std::to_string(random_() % 100);
      embl += "ID   " + name +
              "  Reviewed; 30 AA.\nAC   A1; A2;\nAC   A3;\nDE   some text;\nDE     more.\nOS   x\nSQ   "
              "SEQUENCE\n     ACDEFGHIKL MNPQ\n     RST\n//\n";
      genbank += "LOCUS       " + name +
                 "  30 bp\nDEFINITION  some text\n            more.\nACCESSION   Q\nVERSION     Q.1 "
                 " GI:1\nORIGIN\n        1 acdefghikl mnpq\n       61 rst\n//\n";
    }
    compare("random.embl", mutated(embl), "--qformat embl", SequenceFormat::Embl);
    compare("random.gbk", mutated(genbank), "--qformat genbank", SequenceFormat::Genbank);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace gpuhmm
