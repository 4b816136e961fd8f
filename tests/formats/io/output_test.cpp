// OutputFile writes a file whole or not at all; permissions, special files, errors.
#include "gpuhmm/output.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <future>
#include <memory>
#include <vector>

#include "formats/io/temporary_folder.hpp"

namespace gpuhmm {
namespace {

using test::file_bytes;
using test::TemporaryFolder;

std::size_t files_in(const TemporaryFolder& folder) {
  const std::filesystem::directory_iterator files(folder.path());
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

unsigned permissions(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(stat(path.c_str(), &status), 0);
  return status.st_mode & 07777;
}

void write_whole(const std::string& path, std::string_view bytes) {
  OutputFile file(path);
  file.write(bytes);
  file.commit();
}

TEST(OutputFile, WritesAnyAmountInAnyPieces) {
  const TemporaryFolder folder;
  std::string expected;
  OutputFile file(folder.file("f"));
  for (const std::size_t size : {0, 1, 65535, 65536, 65537, 3, 1'000'000, 40'000, 40'000}) {
    const std::string piece(size, static_cast<char>('a' + expected.size() % 26));
    file.write(piece);
    expected += piece;
  }
  EXPECT_FALSE(std::filesystem::exists(folder.file("f")));
  file.commit();
  EXPECT_EQ(file_bytes(folder.file("f")), expected);
  EXPECT_EQ(files_in(folder), 1U);
}

TEST(OutputFile, KeepsAFileInMemory) {
  std::string memory, expected;
  {
    OutputFile file("name", memory);
    EXPECT_EQ(file.name(), "name");
    for (const std::size_t size : {1, 65536, 3, 200'000, 7}) {
      expected.append(size, 'x');
      file.write(std::string(size, 'x'));
    }
    file.finish();
    EXPECT_EQ(memory, expected);
    file.commit();
  }
  EXPECT_EQ(memory, expected);
  OutputFile(  // without commit: what a pipe would have got
      "name", memory)
      .write("y");
  EXPECT_EQ(memory, expected);
}

TEST(OutputFile, LeavesTheOldFileUntilCommit) {
  const TemporaryFolder folder;
  const std::string path = folder.write("f", "old");
  {
    OutputFile file(path);
    file.write("new");
    file.flush();
    EXPECT_EQ(file_bytes(path), "old");
  }
  EXPECT_EQ(file_bytes(path), "old");
  EXPECT_EQ(files_in(folder), 1U);
  write_whole(path, "new");
  EXPECT_EQ(file_bytes(path), "new");
  EXPECT_EQ(files_in(folder), 1U);
}

TEST(OutputFile, FollowsTheUmaskForNewFilesAndKeepsTheBitsOfOldOnes) {
  const TemporaryFolder folder;
  const mode_t old_mask = umask(027);
  write_whole(folder.file("new"), "x");
  const std::string old_path = folder.write("old", "x");
  chmod(old_path.c_str(), 0604);
  write_whole(old_path, "y");
  umask(old_mask);
  EXPECT_EQ(permissions(folder.file("new")), 0640U);
  EXPECT_EQ(permissions(old_path), 0604U);
}

TEST(OutputFile, ReplacesTheFileBehindASymbolicLink) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "other");
  const std::string target = folder.write("other/target", "old"), link = folder.file("link");
  std::filesystem::create_symlink(target, link);
  write_whole(link, "new");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(file_bytes(target), "new");
}

TEST(OutputFile, WorksInTheCurrentFolder) {
  const TemporaryFolder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  {
    OutputFile file("plain-name");
    std::filesystem::current_path(before);  // opening fixes the folder
    file.write("x");
    file.commit();
  }
  EXPECT_EQ(file_bytes(folder.file("plain-name")), "x");
}

TEST(OutputFile, WritesSpecialFilesDirectly) {
  const TemporaryFolder folder;
  write_whole("/dev/null", "x");
  struct stat status {};
  ASSERT_EQ(stat("/dev/null", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));

  const std::string fifo = folder.file("fifo");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  std::future<std::string> reader = std::async(std::launch::async, [&] { return file_bytes(fifo); });
  const std::string text(200'000, 'x');
  write_whole(fifo, text);
  EXPECT_EQ(reader.get(), text);
  EXPECT_EQ(files_in(folder), 1U);
}

TEST(OutputFile, AppendsToAnOpenDescriptorOfThisProcess) {
  const TemporaryFolder folder;
  const std::string path = folder.write("f", "first ");
  const int fd = open(path.c_str(), O_WRONLY | O_APPEND);
  ASSERT_GE(fd, 0);
  write_whole("/dev/fd/" + std::to_string(fd), "second");
  EXPECT_EQ(write(fd, " third", 6), 6);  // still open
  close(fd);
  EXPECT_EQ(file_bytes(path), "first second third");
}

TEST(OutputFile, LeavesStandardOutputOpen) {
  testing::internal::CaptureStdout();
  for (const char* path : {"-", "/dev/stdout"}) write_whole(path, "hello ");
  OutputFile file("-");
  EXPECT_EQ(file.name(), "standard output");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "hello hello ");
}

TEST(OutputFile, ThrowsIfTheDeviceIsFull) {
  OutputFile file("/dev/full");
  file.write("x");
  EXPECT_THROW(
      {
        try {
          file.commit();
        } catch (const ClosedPipe&) {
          FAIL();
        }
      },
      FileError);
  OutputFile large("/dev/full");
  EXPECT_THROW(large.write(std::string(1'000'000, 'x')), FileError);
}

TEST(OutputFile, ThrowsClosedPipeIfThePipeIsClosed) {
  const auto old_handler = std::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  OutputFile file("/dev/fd/" + std::to_string(ends[1]));
  file.write("x");
  EXPECT_THROW(file.flush(), ClosedPipe);
  close(ends[1]);
  std::signal(SIGPIPE, old_handler);
}

TEST(OutputFile, WaitsForAPipeThatDoesNotBlock) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_NONBLOCK), 0);
  fcntl(ends[0], F_SETFL, 0);
  std::future<std::size_t> reader = std::async(std::launch::async, [&] {
    std::vector<char> buffer(1000);
    std::size_t total = 0;
    while (const ssize_t got = read(ends[0], buffer.data(), buffer.size()))
      total += static_cast<std::size_t>(got);
    return total;
  });
  write_whole("/dev/fd/" + std::to_string(ends[1]), std::string(500'000, 'x'));
  close(ends[1]);
  EXPECT_EQ(reader.get(), 500'000U);
  close(ends[0]);
}

TEST(OutputFile, RefusesWhatCannotBeWritten) {
  const TemporaryFolder folder;
  for (const std::string& path :
       {folder.path().string(), folder.file("no/such/folder"), folder.file("new/"), std::string(),
        std::string("/dev/fd/987"), folder.write("file", "x") + "/below"}) {
    EXPECT_THROW(OutputFile{path}, FileError) << path;
  }
  EXPECT_EQ(files_in(folder), 1U);
}

TEST(RemoveUnfinishedFiles, RemovesOnlyTemporaryFiles) {
  const TemporaryFolder folder;
  write_whole(folder.file("done"), "x");
  OutputFile first(folder.file("a")), second(folder.file("b"));
  first.write("x");
  EXPECT_EQ(files_in(folder), 3U);
  remove_unfinished_files();
  EXPECT_EQ(files_in(folder), 1U);
  EXPECT_THROW(first.commit(), FileError);
  EXPECT_EQ(file_bytes(folder.file("done")), "x");
}

TEST(RemoveUnfinishedFiles, LeavesSlotsForOtherFiles) {
  const TemporaryFolder folder;
  for (int i = 0; i < 200; ++i) {
    OutputFile file(folder.file("f"));
    if (i % 2 == 0) file.commit();
  }
  std::vector<std::unique_ptr<OutputFile>> many;
  EXPECT_THROW(for (int i = 0; i < 65; ++i) many.push_back(std::make_unique<OutputFile>(folder.file("f"))),
               FileError);
  EXPECT_EQ(many.size(), 64U);
}

}  // namespace
}  // namespace gpuhmm
