// Files in which profiles of HMMER2 and HMMER3 follow one another.
#include "gpuhmm/mixed_profiles.hpp"

#include <gtest/gtest.h>

#include <array>

#include "profile_files.hpp"

namespace gpuhmm {
namespace {

using namespace test;
using hmmer3::Generation;

std::string old_text() { return file_bytes(vector_path("toy5.hmm")); }
std::string new_text() { return file_bytes(std::string(GPUHMM_TESTDATA) + "/hmmer3/XYPPX.hmm"); }

std::unique_ptr<Input> input_of(const std::string& bytes) {
  return std::make_unique<Input>("profile", bytes, 0);
}

/// Names of the sections' profiles, those of HMMER3 in capitals, sections in brackets.
std::string parts_of(const std::string& bytes) {
  ProfileSections sections(input_of(bytes));
  std::string all;
  for (;; sections.advance()) {
    all += "[";
    if (sections.generation() == Generation::Hmmer3) {
      while (const auto profile = sections.hmmer3().next()) all += profile->name;
    } else {
      while (const auto profile = sections.hmmer2().next()) all += profile->name;
    }
    all += "]";
    if (!sections.another()) return all;
  }
}

/// All that is left to be read.
std::string rest_of(Input& input, std::size_t at_a_time) {
  std::string all;
  std::array<char, 4096> buffer;
  while (const std::size_t got = input.read(buffer.data(), std::min(at_a_time, buffer.size()))) {
    all.append(buffer.data(), got);
  }
  return all;
}

std::string error_of(const std::string& bytes) {
  try {
    parts_of(bytes);
  } catch (const FileError& error) {
    return error.what();
  }
  return {};
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

TEST(MixedProfiles, PartsAreInFileOrder) {
  const std::string o = old_text(), n = new_text();
  EXPECT_EQ(parts_of(n + o + o + "\n# next\n" + n + n), "[XYPPX][toy5toy5][XYPPXXYPPX]");
  EXPECT_EQ(parts_of(o + "\n\n" + n), "[toy5][XYPPX]");
  EXPECT_EQ(parts_of(n), "[XYPPX]");
  EXPECT_EQ(parts_of(o), "[toy5]");
  // The format version may change where profiles of HMMER2 lie between.
  EXPECT_EQ(parts_of(n + o + replaced(n, "HMMER3/e", "HMMER3/d")), "[XYPPX][toy5][XYPPX]");
}

TEST(MixedProfiles, ErrorsNameTheLineOfTheFile) {
  const std::string o = old_text(), n = new_text();
  EXPECT_NE(error_of(n + o + "\nHMMER3/e\nNAME\n").find("line " + std::to_string(lines_of(n + o) + 3) + ":"),
            std::string::npos);
  EXPECT_NE(
      error_of(n + o + n + "HMMER2.0\nNAME\n").find("line " + std::to_string(lines_of(n + o + n) + 2) + ":"),
      std::string::npos);
}

TEST(MixedProfiles, OneGenerationKeepsItsLinesInPlace) {
  const std::string o = old_text(), n = new_text();
  const auto empty = [](const std::string& text) { return std::string(lines_of(text), '\n'); };
  const std::string mixed = n + o + "# between\n" + n + o + o;
  for (const std::size_t at_a_time : {1U, 100U, 4096U}) {
    OtherProfiles others;
    others.keep = true;
    const auto news = only_profiles(input_of(mixed), Generation::Hmmer3, &others);
    EXPECT_EQ(news->lines_before(), 0U);
    EXPECT_EQ(rest_of(*news, at_a_time), n + empty(o) + "\n" + n + empty(o + o));
    EXPECT_TRUE(others.any);
    EXPECT_EQ(others.text, empty(n) + o + "# between\n" + empty(n) + o + o);
    for (const std::string& text : {mixed, others.text}) {
      const auto olds = only_profiles(input_of(text), Generation::Hmmer2);
      EXPECT_EQ(olds->lines_before(), lines_of(n));
      EXPECT_EQ(rest_of(*olds, at_a_time), o + "# between\n" + empty(n) + o + o);
    }
  }
  EXPECT_EQ(rest_of(*only_profiles(input_of("\n\n" + o), Generation::Hmmer2), 4096), o);
  OtherProfiles none;
  const std::string two = n + n;  // an input reads the text where it lies
  const auto all = only_profiles(input_of(two), Generation::Hmmer3, &none);
  EXPECT_EQ(rest_of(*all, 4096), two);
  EXPECT_FALSE(none.any);
  EXPECT_EQ(none.text, "");
}

TEST(MixedProfiles, SectionsCrossTheBlocksThatAreRead) {
  const std::string o = old_text(), n = new_text();
  std::string mixed, olds, news;
  while (mixed.size() < 600'000) {
    for (int times = 0; times < 1 + static_cast<int>(mixed.size() / 100'000); ++times) {
      mixed += o;
      olds += o;
      news += std::string(lines_of(o), '\n');
    }
    mixed += n;
    olds += std::string(lines_of(n), '\n');
    news += n;
  }
  mixed += "# no newline";
  news += "# no newline";
  for (const std::size_t at_a_time : {7U, 4096U}) {
    OtherProfiles others;
    others.keep = true;
    EXPECT_EQ(rest_of(*only_profiles(input_of(mixed), Generation::Hmmer2, &others), at_a_time), olds);
    EXPECT_EQ(others.text, news);
  }
  const auto wanted = only_profiles(input_of(mixed), Generation::Hmmer3);
  const std::string found = rest_of(*wanted, 4096);
  EXPECT_EQ(std::string(wanted->lines_before(), '\n') + found, news);
}

TEST(MixedProfiles, FilesAreToldApart) {
  const std::string o = old_text(), n = new_text();
  const TemporaryFolder folder;
  const auto both = [](const std::string& path) {
    return holds_both_generations(std::make_unique<Input>(path));
  };
  EXPECT_TRUE(both(folder.write("profile", o + o + n)));
  EXPECT_TRUE(both(folder.write("profile", n + o)));
  EXPECT_FALSE(both(folder.write("profile", o + o)));
  EXPECT_FALSE(both(folder.write("profile", n + n)));
  EXPECT_FALSE(both(folder.write("profile", written(parsed(o), write_hmmer2_binary))));
}

TEST(MixedProfiles, HMMER2ReadersConvertTheOthers) {
  const std::string o = old_text(), n = new_text(), mixed = o + n + "\n" + o + n + n;
  const std::vector<Profile> expected = {parsed(o)[0], parsed(n)[0], parsed(o)[0], parsed(n)[0],
                                         parsed(n)[0]};
  ProfileReader reader(input_of(mixed), OtherVersion::Read);
  std::vector<Profile> profiles;
  while (std::optional<Profile> profile = reader.next()) profiles.push_back(std::move(*profile));
  EXPECT_EQ(written(profiles, write_hmmer2_text), written(expected, write_hmmer2_text));
  std::string large = mixed;
  while (large.size() < 300'000) large += mixed;
  ProfileBlocks blocks(input_of(large), 3, OtherVersion::Read);
  std::string found;
  for (std::vector<Profile> some; !(some = blocks.next(50)).empty();)
    found += written(some, write_hmmer2_text);
  std::string all;
  for (std::size_t i = 0; i < large.size() / mixed.size(); ++i) all += written(expected, write_hmmer2_text);
  EXPECT_EQ(found, all);
  EXPECT_THROW(parsed(mixed), FileError);
}

}  // namespace
}  // namespace gpuhmm
