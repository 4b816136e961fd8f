// All numbers of the integer models of the example profiles (docs/spec/test-vectors.md, A, B, E).
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "plan7/score_model.hpp"
#include "profile_files.hpp"

namespace gpuhmm {
namespace {

using namespace test;

std::string word_after(const std::string& line, const std::string& label) {
  const std::size_t at = line.find(label);
  if (at == std::string::npos) throw std::runtime_error("no '" + label + "' in: " + line);
  std::string word;
  std::istringstream(line.substr(at + label.size())) >> word;
  return word;
}

int integer_after(const std::string& line, const std::string& label) {
  return std::stoi(word_after(line, label));
}

/// A probability printed with nine digits determines its float.
float float_after(const std::string& line, const std::string& label) {
  return std::strtof(word_after(line, label).c_str(), nullptr);
}

void expect_emissions(const std::string& line, const ScoreModel& model, bool match, int k) {
  const Alphabet& alphabet = Alphabet::get(model.alphabet);
  std::istringstream in(line.substr(line.find("e") + 3));
  int codes = 0;
  for (std::string word; in >> word; ++codes) {
    const std::uint8_t code = alphabet.code(word[0]);
    EXPECT_EQ((match ? model.match_row(code) : model.insert_row(code))[k], std::stoi(word.substr(2)))
        << "node " << k << " " << (match ? "match " : "insert ") << word;
  }
  EXPECT_EQ(codes, alphabet.code_count());
}

void expect_special(const std::string& line, const Profile& profile, const ScoreModel& model) {
  const SpecialTransitions& s = profile.special;
  const float move[] = {s.n_move, s.e_move, s.c_move, s.j_move};
  const float loop[] = {s.n_loop, s.e_loop, s.c_loop, s.j_loop};
  const int move_score[] = {model.n_begin, model.e_to_c, model.c_end, model.j_begin};
  const int loop_score[] = {model.n_loop, model.e_to_j, model.c_loop, model.j_loop};
  const std::size_t state = std::string("NECJ").find(line[8]);
  EXPECT_EQ(move[state], float_after(line, "move prob")) << line;
  EXPECT_EQ(loop[state], float_after(line, "loop prob")) << line;
  EXPECT_EQ(move_score[state], integer_after(line, "move score")) << line;
  EXPECT_EQ(loop_score[state], integer_after(line, "loop score")) << line;
}

/// Compares a model with a table in the form of docs/spec/test-vectors.md, A.
void expect_table(const std::string& profile_name, const std::string& table, WingFolding folding) {
  const Profile profile = read_profiles(vector_path(profile_name)).at(0);
  const ScoreModel model(profile, folding);
  std::istringstream in(file_bytes(vector_path(table)));
  int k = 0;
  int lines = 0;
  for (std::string line; std::getline(in, line); ++lines) {
    if (line.starts_with("model ")) {
      EXPECT_TRUE(profile.name.starts_with(word_after(line, "model")));
      EXPECT_EQ(profile.nodes, integer_after(line, "M ="));
      EXPECT_EQ(profile.null_loop, float_after(line, "r ="));
      EXPECT_EQ(profile.begin_delete, float_after(line, "delta ="));
    } else if (line.starts_with("f:")) {
      std::istringstream values(line.substr(2));
      for (const float f : profile.null_emission) {
        std::string value;
        values >> value;
        EXPECT_EQ(f, std::strtof(value.c_str(), nullptr));
      }
    } else if (line.starts_with("special ")) {
      expect_special(line, profile, model);
    } else if (line.starts_with("node ")) {
      k = integer_after(line, "node");
      EXPECT_EQ(model.begin[k], integer_after(line, " bs")) << line;
      EXPECT_EQ(model.end[k], integer_after(line, " es")) << line;
      if (line.find(" b ") != std::string::npos) {
        EXPECT_EQ(profile.begin[k], float_after(line, " b ")) << line;
        EXPECT_EQ(profile.end[k], float_after(line, " e ")) << line;
      }
    } else if (line.starts_with("   MM")) {
      std::istringstream values(line.substr(line.find(':') + 1));
      const Transitions& t = profile.transition[k];
      for (const float p : {t.mm, t.mi, t.md, t.im, t.ii, t.dm, t.dd}) {
        std::string value;
        values >> value;
        EXPECT_EQ(p, std::strtof(value.c_str(), nullptr)) << "node " << k;
      }
    } else if (line.starts_with("   scores:")) {
      std::istringstream values(line.substr(line.find(':') + 1));
      for (const auto* const row :
           {&model.mm, &model.mi, &model.md, &model.im, &model.ii, &model.dm, &model.dd}) {
        int value = 0;
        values >> value;
        EXPECT_EQ((*row)[k], value) << "node " << k;
      }
    } else if (line.starts_with("   em:")) {
      if (table.starts_with("toydna")) ++k;  // this table has match lines only
      expect_emissions(line, model, true, k);
    } else if (line.starts_with("   ei:")) {
      expect_emissions(line, model, false, k);
    } else {
      EXPECT_TRUE(line.empty() || line.starts_with("#")) << "unknown line: " << line;
    }
  }
  EXPECT_EQ(k, profile.nodes);
  EXPECT_GT(lines, profile.nodes);
}

TEST(IntegerModel, AgreesForGlocalProteins) { expect_table("toy5.hmm", "toy5.model.txt", WingFolding::Max); }

// Here the sum of begin and end paths gives the same scores as the maximum, and the binary file the same
// model as the text file.
TEST(IntegerModel, AgreesForGlocalProteinsInBinaryFilesWithSummedBeginAndEnd) {
  expect_table("toy5cal.bin", "toy5.model.txt", WingFolding::Sum);
}

TEST(IntegerModel, AgreesForLocalProteins) {
  expect_table("toy6fs.hmm", "toy6fs.model.txt", WingFolding::Max);
}

TEST(IntegerModel, AgreesForLocalProteinsWithSummedBeginAndEnd) {
  expect_table("toy6fs.hmm", "toy6fs.sum.model.txt", WingFolding::Sum);
}

TEST(IntegerModel, AgreesForNucleicProfiles) {
  expect_table("toydna.hmm", "toydna.model.txt", WingFolding::Max);
}

TEST(IntegerModel, HasMinusInfinityAtItsBoundaries) {
  const ScoreModel model(read_profiles(vector_path("toy5.hmm")).at(0));
  for (const auto* const row :
       {&model.mm, &model.mi, &model.md, &model.im, &model.ii, &model.dm, &model.dd}) {
    ASSERT_EQ(row->size(), 6U);
    EXPECT_EQ(row->front(), -987654321);
    EXPECT_EQ(row->back(), -987654321);
  }
  for (int x = 0; x < model.code_count(); ++x) {
    EXPECT_EQ(model.match_row(x)[0], -987654321);
    EXPECT_EQ(model.insert_row(x)[5], -987654321);
  }
}

}  // namespace
}  // namespace gpuhmm
