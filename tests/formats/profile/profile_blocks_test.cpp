// Reading profiles in blocks gives the same profiles and errors as reading one by one.
#include <gtest/gtest.h>

#include "gpuhmm/profile_file.hpp"
#include "profile_files.hpp"

namespace gpuhmm {
namespace {

using namespace test;

std::string hmm_file(const std::string& name) {
  return file_bytes(std::string(GPUHMM_TESTDATA) + "/hmm/" + name);
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

/// The result of reading a file: all profiles as text, and the error.
struct Outcome {
  std::string profiles, error;
  bool operator==(const Outcome&) const = default;
};

Outcome one_by_one(const std::string& path) {
  Outcome outcome;
  try {
    ProfileReader reader(path);
    while (const std::optional<Profile> profile = reader.next()) {
      outcome.profiles += written({*profile}, write_hmmer2_text);
    }
  } catch (const FileError& error) {
    outcome.error = error.what();
  }
  return outcome;
}

Outcome in_blocks(const std::string& path, unsigned threads, double nodes) {
  Outcome outcome;
  try {
    ProfileBlocks blocks(path, threads);
    for (;;) {
      const std::vector<Profile> profiles = blocks.next(nodes);
      if (profiles.empty()) break;
      outcome.profiles += written(profiles, write_hmmer2_text);
    }
  } catch (const FileError& error) {
    outcome.error = error.what();
  }
  return outcome;
}

class BlocksOfProfiles : public testing::Test {
 protected:
  /// Several pieces of text.
  static std::string library() {
    return repeated(hmm_file("RRM_1_ls.hmm") + hmm_file("Pkinase_ls.hmm") + hmm_file("Acetyltransf_1_ls.hmm"),
                    6);
  }
  const TemporaryFolder folder_;
};

TEST_F(BlocksOfProfiles, AreTheProfilesOfEveryKindOfFile) {
  const std::string text = library();
  const std::string hmmer3 = repeated(hmm_file("RRM_1_hmmer3.hmm") + "\n\n", 9);
  std::string without_end = text;
  without_end.pop_back();
  std::string dos;
  for (const char c : text) dos += c == '\n' ? "\r\n" : std::string(1, c);
  for (const std::string& content : {text, without_end, written(parsed(text), write_hmmer2_binary), hmmer3,
                                     hmm_file("RRM_1_s.hmm"), dos}) {
    const std::string path = folder_.write("profiles", content);
    const Outcome wanted = one_by_one(path);
    EXPECT_EQ(wanted.error, "");
    for (const unsigned threads : {1U, 3U}) {
      for (const double nodes : {1.0, 400.0, 1e9}) {
        EXPECT_TRUE(in_blocks(path, threads, nodes) == wanted)
            << threads << " threads, " << nodes << " nodes";
      }
    }
  }
}

TEST_F(BlocksOfProfiles, NameTheLineOfTheFileInErrors) {
  const std::string text = library();
  for (std::size_t part = 1; part < 40; ++part) {
    const std::string path = folder_.write("cut", text.substr(0, text.size() * part / 40 + 7));
    const Outcome wanted = one_by_one(path);
    EXPECT_NE(wanted.error, "");
    EXPECT_EQ(in_blocks(path, 2, 500).error, wanted.error);
  }
  for (const std::string& content :
       {text + "\n", text + "odd\n", text + hmm_file("MADE1_fs.hmm") + text, std::string("odd\n"),
        std::string(), text + std::string("HMMER2.0\0", 9)}) {
    const std::string path = folder_.write("damaged", content);
    const Outcome wanted = one_by_one(path);
    EXPECT_NE(wanted.error, "");
    EXPECT_EQ(in_blocks(path, 2, 500).error, wanted.error);
  }
}

TEST_F(BlocksOfProfiles, GiveAboutAsManyNodesAsAskedFor) {
  const std::string path = folder_.write("profiles", library());
  ProfileBlocks blocks(path, 2);
  double nodes = 0;
  for (const Profile& profile : blocks.next(800)) nodes += profile.nodes;
  EXPECT_GT(nodes, 300);
  EXPECT_LT(nodes, 1600);
  EXPECT_GT(blocks.fraction_read().value_or(0), 0);
  EXPECT_LT(blocks.fraction_read().value_or(1), 1);
}

TEST_F(BlocksOfProfiles, GiveProfilesThatWereReadBefore) {
  const auto known = std::make_shared<const std::vector<Profile>>(parsed(library()));
  for (const double nodes : {1.0, 400.0, 1e9}) {
    ProfileBlocks blocks(known);
    EXPECT_EQ(blocks.fraction_read(), 0.0);
    std::string text;
    for (std::vector<Profile> some; !(some = blocks.next(nodes)).empty();) {
      text += written(some, write_hmmer2_text);
    }
    EXPECT_EQ(text, written(*known, write_hmmer2_text));
    EXPECT_EQ(blocks.fraction_read(), 1.0);
  }
}

}  // namespace
}  // namespace gpuhmm
