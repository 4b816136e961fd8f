// Pressing of HMMER3 profiles, compared with files that hmmpress of HMMER 3.3.2 wrote.
#include <gtest/gtest.h>

#include <filesystem>

#include "formats/io/temporary_folder.hpp"
#include "gpuhmm/hmmer3_press.hpp"

namespace gpuhmm {
namespace {

using namespace test;

const std::string kFolder = std::string(GPUHMM_TESTDATA) + "/hmmer3/";

std::size_t files_in(const TemporaryFolder& folder) {
  const std::filesystem::directory_iterator files(folder.path());
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

/// What hmmpress says, up to the path.
std::string refusal(const std::string& path, bool force = false) {
  try {
    hmmer3::press(path, force);
  } catch (const hmmer3::ProfileFileError& error) {
    return error.hmmer3_text();
  }
  return {};
}

TEST(Hmmer3Press, WritesWhatHmmpressWrites) {
  for (const std::string name : {"XYPPX.hmm", "ecori.hmm"}) {
    const TemporaryFolder folder;
    const std::string path = folder.write(name, file_bytes(kFolder + name));
    const hmmer3::PressReport report = hmmer3::press(path, false);
    EXPECT_EQ(report.profiles, 1U);
    EXPECT_EQ(report.names, 1U);
    EXPECT_EQ(report.accessions, name == "XYPPX.hmm" ? 1U : 0U);
    for (const char* const suffix : {".h3m", ".h3f", ".h3p"}) {
      EXPECT_EQ(file_bytes(path + suffix), file_bytes(kFolder + name + suffix)) << name << suffix;
    }
    // The index also has room for the path.
    EXPECT_EQ(file_bytes(path + ".h3i").size(),
              file_bytes(kFolder + name + ".h3i").size() + path.size() - name.size());
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    hmmer3::press(name, true);
    EXPECT_EQ(file_bytes(name + ".h3i"), file_bytes(kFolder + name + ".h3i"));
    hmmer3::ProfileReader reader = hmmer3::open_pressed(name);
    std::filesystem::current_path(before);
    EXPECT_EQ(reader.next()->name + ".hmm", name);
    EXPECT_FALSE(reader.next());
  }
}

TEST(Hmmer3Press, KeepsExistingFiles) {
  const TemporaryFolder folder;
  const std::string path = folder.write("p", file_bytes(kFolder + "XYPPX.hmm"));
  const std::string last = "\nDelete old hmmpress indices first";
  for (const auto& [suffix, kind, end] :
       {std::tuple{".h3p", "Binary profile file ", ""}, std::tuple{".h3f", "Binary MSV filter file ", ""},
        std::tuple{".h3m", "Binary HMM file ", ";"}, std::tuple{".h3i", "SSI index file ", ";"}}) {
    folder.write(std::string("p") + suffix, "mine");
    EXPECT_EQ(refusal(path), kind + path + suffix + " already exists" + end + last);
    EXPECT_EQ(file_bytes(path + suffix), "mine");
  }
  EXPECT_EQ(refusal(path, true), "");
}

TEST(Hmmer3Press, RefusesWithoutATrace) {
  const TemporaryFolder folder;
  const std::string text = file_bytes(kFolder + "XYPPX.hmm");
  std::string renamed = text;
  renamed.replace(renamed.find("NAME  XYPPX"), 11, "NAME  OTHER");
  const std::string start = "SSI index construction failed:\n  ";
  EXPECT_EQ(refusal(folder.write("p", text + text)),
            start + "primary keys not unique: 'XYPPX' occurs more than once");
  EXPECT_EQ(refusal(folder.write("p", text + renamed)),
            start + "secondary keys not unique: 'PF02162.8' occurs more than once");
  const std::string damaged = folder.write("p", text + "HMMER3/b\n");
  EXPECT_EQ(refusal(damaged), "bad file format in HMM file " + damaged);
  EXPECT_EQ(files_in(folder), 1U);
  EXPECT_EQ(refusal("-"), "Can't use - for <hmmfile> argument: can't index standard input\n");
}

TEST(Hmmer3Press, NeedsAllFilesForAScan) {
  const TemporaryFolder folder;
  const std::string path = folder.write("p", file_bytes(kFolder + "XYPPX.hmm"));
  const auto scan_refusal = [&] {
    try {
      hmmer3::open_pressed(path);
    } catch (const hmmer3::ProfileFileError& error) {
      return error.hmmer3_text();
    }
    return std::string();
  };
  EXPECT_EQ(scan_refusal(), "Failed to open binary auxfiles for " + path + ": use hmmpress first\n");
  hmmer3::press(path, false);
  EXPECT_EQ(scan_refusal(), "");
  folder.write("p.h3f", "junk junk");
  EXPECT_EQ(scan_refusal(), "bad format, binary auxfiles, " + path + ":\nbad magic; not an HMM database?");
  folder.write("p.h3f", "");
  EXPECT_EQ(scan_refusal(), "Unexpected error in reading HMMs from " + path);
  std::filesystem::remove(path + ".h3f");
  EXPECT_EQ(scan_refusal(), "File existence/permissions problem in trying to open HMM file " + path +
                                ".\nOpened " + path + ".h3m, a pressed HMM file; but no .h3f file found\n");
}

}  // namespace
}  // namespace gpuhmm
