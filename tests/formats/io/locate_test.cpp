// Files are found in the folders of an environment variable.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "gpuhmm/input.hpp"

namespace gpuhmm {
namespace {

TEST(LocateFile, LooksInTheDirectoriesOfTheVariable) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("gpuhmm-locate-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder / "second");
  std::ofstream(folder / "second" / "only_there.hmm") << "x";
  const std::string there = (folder / "second" / "only_there.hmm").string();
  const char* const variable = "GPUHMM_TEST_PATH";
  ASSERT_EQ(setenv(variable, (folder.string() + "::" + (folder / "second").string()).c_str(), 1), 0);
  EXPECT_EQ(locate_file("only_there.hmm", variable), there);
  EXPECT_EQ(locate_file(there, variable), there);
  EXPECT_EQ(locate_file("nowhere.hmm", variable), "nowhere.hmm");
  EXPECT_EQ(locate_file("-", variable), "-");
  ASSERT_EQ(unsetenv(variable), 0);
  EXPECT_EQ(locate_file("only_there.hmm", variable), "only_there.hmm");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace gpuhmm
