// Input and LineReader read plain, gzip, multi-member and BGZF files and pipes; they refuse damaged files.
#include "gpuhmm/input.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <random>
#include <thread>
#include <vector>

#include "formats/io/gzip_data.hpp"
#include "formats/io/temporary_folder.hpp"

namespace gpuhmm {
namespace {

using test::bgzf;
using test::gzip;
using test::TemporaryFolder;

std::string read_all(Input& input, std::size_t block) {
  std::string text, buffer(block, '\0');
  while (const std::size_t got = input.read(buffer.data(), buffer.size())) text.append(buffer, 0, got);
  return text;
}

std::string read_all(const std::string& path, std::size_t block = 65536) {
  Input input(path);
  return read_all(input, block);
}

std::string random_text(std::size_t size) {
  std::mt19937 random(7);
  std::string text(size, '\0');
  for (char& c : text) c = "ACDEFGHIKL\n"[random() % 11];
  return text;
}

/// The message of the FileError that reading the file throws; empty if it throws none.
std::string failure(const std::string& path) {
  try {
    read_all(path);
  } catch (const FileError& error) {
    return error.what();
  }
  return {};
}

TEST(Input, ReadsPlainAndCompressedAlike) {
  const TemporaryFolder folder;
  const std::string text = random_text(1'000'000);
  const std::vector<std::string> paths = {
      folder.write("plain.gz", text), folder.write("one", gzip(text)),
      folder.write("many", gzip(text.substr(0, 10)) + gzip("") + gzip(text.substr(10))),
      folder.write("bgzf", bgzf(text, 60000))};
  for (const std::string& path : paths) {
    for (const std::size_t block : {std::size_t{1021}, std::size_t{65536}, std::size_t{3} << 20}) {
      EXPECT_EQ(read_all(path, block), text) << path << " " << block;
    }
  }
}

TEST(Input, ReadsEmptyAndTinyFiles) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_all(folder.write("empty", "")), "");
  EXPECT_EQ(read_all(folder.write("a", "a")), "a");
  EXPECT_EQ(read_all(folder.write("half magic", "\x1f")), "\x1f");
  EXPECT_EQ(read_all(folder.write("empty.gz", gzip(""))), "");
  EXPECT_EQ(read_all("/dev/null"), "");
}

TEST(Input, PeeksWithoutConsuming) {
  const TemporaryFolder folder;
  for (const std::string& bytes : {std::string("abcdef"), gzip("abcdef"), gzip("ab") + gzip("cdef")}) {
    Input input(folder.write("f", bytes));
    EXPECT_EQ(input.peek(2), "ab");
    EXPECT_EQ(input.peek(4), "abcd");
    EXPECT_EQ(input.peek(2), "ab");
    char c = 0;
    EXPECT_EQ(input.read(&c, 1), 1U);
    EXPECT_EQ(c, 'a');
    EXPECT_EQ(input.peek(100), "bcdef");
    EXPECT_EQ(read_all(input, 3), "bcdef");
    EXPECT_EQ(input.peek(1), "");
  }
}

TEST(Input, ReadsPipes) {
  const TemporaryFolder folder;
  const std::string text = random_text(300'000), path = folder.file("fifo");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  for (const std::string& bytes : {text, bgzf(text, 50000)}) {
    std::jthread writer([&] {
      std::ofstream stream(path, std::ios::binary);
      stream.write(bytes.data(), 1).flush();  // the magic number in two pieces
      stream.write(bytes.data() + 1, static_cast<std::streamsize>(bytes.size() - 1));
    });
    Input input(path);
    EXPECT_EQ(read_all(input, 4096), text);
    EXPECT_FALSE(input.fraction_read());
  }
}

TEST(Input, KnowsItsName) {
  const TemporaryFolder folder;
  const Input file(folder.write("f", "x"));
  EXPECT_EQ(file.name(), folder.file("f"));
  const Input standard_input("-");
  EXPECT_EQ(standard_input.name(), "standard input");
  EXPECT_FALSE(standard_input.fraction_read());
}

TEST(Input, ReportsTheFractionRead) {
  const TemporaryFolder folder;
  const std::string text = random_text(3'000'000);
  for (const std::string& bytes : {text, bgzf(text, 50000)}) {
    Input input(folder.write("f", bytes));
    EXPECT_LT(input.fraction_read(), 0.3);
    std::string half(text.size() / 2, '\0');
    for (std::size_t got = 0; got < half.size();) got += input.read(half.data() + got, half.size() - got);
    EXPECT_GT(input.fraction_read(), 0.4);
    EXPECT_LT(input.fraction_read(), 0.7);
    read_all(input, 4096);
    EXPECT_EQ(input.fraction_read(), 1.0);
  }
}

TEST(Input, RefusesPathsWithoutAFile) {
  const TemporaryFolder folder;
  EXPECT_EQ(failure(folder.file("none")),
            folder.file("none") + ": cannot be opened: No such file or directory");
  EXPECT_EQ(failure(folder.path()), folder.path().string() + ": is a directory; expected a file");
}

TEST(Input, RefusesEveryTruncatedGzipFile) {
  const TemporaryFolder folder;
  const std::string bytes = gzip(random_text(300)) + gzip(random_text(20));
  const std::size_t first_member = gzip(random_text(300)).size();
  for (std::size_t size = 2; size < bytes.size(); ++size) {
    if (size == first_member) continue;  // a whole member: a valid gzip file
    EXPECT_NE(failure(folder.write("cut", bytes.substr(0, size))), "") << size;
  }
}

TEST(Input, RefusesEveryTruncatedBgzfFile) {
  const TemporaryFolder folder;
  const std::string bytes = bgzf(random_text(300), 100);
  for (std::size_t size = 2; size < bytes.size(); ++size) {
    EXPECT_NE(failure(folder.write("cut", bytes.substr(0, size))), "") << size;
  }
}

TEST(Input, RefusesDamagedGzipUnlessTheTextIsUnchanged) {
  const TemporaryFolder folder;
  const std::string text = random_text(300), bytes = gzip(text);
  for (std::size_t at = 2; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    const std::string path = folder.write("damaged", damaged);
    if (failure(path).empty()) {  // the damage is in the time, the system or the like
      EXPECT_EQ(read_all(path), text) << at;
    }
  }
}

TEST(Input, RefusesOtherBytesAfterGzip) {
  const TemporaryFolder folder;
  for (const char* tail : {"x", ">seq\nACDE\n", "\x1f"}) {
    EXPECT_EQ(failure(folder.write("f", gzip("abc") + tail)),
              folder.file("f") + ": has other bytes after its gzip data (damaged file?)");
  }
}

std::vector<std::string> lines_of(const std::string& path) {
  Input input(path);
  LineReader reader(input);
  std::vector<std::string> lines;
  for (std::string_view line; reader.next(line);) {
    lines.emplace_back(line);
    EXPECT_EQ(reader.number(), lines.size());
  }
  return lines;
}

TEST(LineReader, SplitsAtNewlinesOnly) {
  const TemporaryFolder folder;
  const auto lines = [&](std::string_view text) { return lines_of(folder.write("f", text)); };
  using Lines = std::vector<std::string>;
  EXPECT_EQ(lines(""), Lines{});
  EXPECT_EQ(lines("\n"), Lines{""});
  EXPECT_EQ(lines("a"), Lines{"a"});
  EXPECT_EQ(lines("a\r\n\nb\n"), (Lines{"a\r", "", "b"}));
  EXPECT_EQ(lines(std::string_view("a\0b\nc", 5)), (Lines{std::string("a\0b", 3), "c"}));
}

TEST(LineReader, TakesLinesOfAnyLength) {
  const TemporaryFolder folder;
  std::vector<std::string> lines;
  std::string text;
  for (const std::size_t length : {0, 1, 65534, 65535, 65536, 65537, 3, 10'000'000, 131071, 131072, 5}) {
    lines.emplace_back(length, static_cast<char>('a' + lines.size()));
    text += lines.back() + '\n';
  }
  EXPECT_EQ(lines_of(folder.write("f", text)), lines);
  EXPECT_EQ(lines_of(folder.write("f.gz", gzip(text))), lines);
}

TEST(LineReader, RefusesALineBeyondItsBound) {
  const TemporaryFolder folder;
  for (const std::size_t longest : {std::size_t{3}, std::size_t{100'000}}) {
    for (const char* end : {"", "\n", "\nx\n"}) {
      const std::string fits(longest, 'a');
      for (const bool too_long : {false, true}) {
        Input input(folder.write("f", "b\n" + fits + (too_long ? "a" : "") + end));
        LineReader reader(input, longest);
        std::string_view line;
        EXPECT_TRUE(reader.next(line));
        if (!too_long) {
          EXPECT_TRUE(reader.next(line));
          EXPECT_EQ(line, fits);
          continue;
        }
        try {
          reader.next(line);
          ADD_FAILURE() << longest;
        } catch (const FileError& error) {
          EXPECT_EQ(error.what(), folder.file("f") + ": line 2: longer than " + std::to_string(longest) +
                                      " bytes, the most allowed");
        }
      }
    }
  }
}

// An endless line is not read to its end.
TEST(LineReader, RefusesALongLineEarly) {
  const TemporaryFolder folder;
  Input input(folder.write("f.gz", gzip(std::string(std::size_t{64} << 20, 'a'))));
  LineReader reader(input, 100'000);
  std::string_view line;
  EXPECT_THROW(reader.next(line), FileError);
  std::string rest(std::size_t{64} << 20, ' ');
  std::size_t left = 0;
  while (const std::size_t got = input.read(rest.data(), rest.size())) left += got;
  EXPECT_GT(left, std::size_t{63} << 20);
}

TEST(LineReader, GivesPiecesOfLines) {
  const TemporaryFolder folder;
  const std::vector<std::string> lines = {"", "abc", "abcd", "abcdefghi", std::string(200'000, 'x'),
                                          "", "last"};
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  for (const std::string& whole : {text, text.substr(0, text.size() - 1)}) {
    for (const std::size_t most : {1, 3, 4, 70'000, 1'000'000}) {
      Input input(folder.write("f", whole));
      LineReader reader(input, 5);  // the bound is for whole lines only
      std::vector<std::string> found;
      bool ended = true;
      for (std::string_view piece; reader.next_piece(piece, most);) {
        EXPECT_LE(piece.size(), most);
        EXPECT_EQ(reader.at_line_start(), ended);
        if (reader.at_line_start()) found.emplace_back();
        found.back() += piece;
        EXPECT_EQ(reader.number(), found.size());
        ended = reader.at_line_end();
      }
      EXPECT_EQ(found, lines);
    }
  }
}

TEST(ReadWhole, HasABound) {
  const TemporaryFolder folder;
  const std::string path = folder.write("f.gz", gzip(std::string(100'000, 'a')));
  EXPECT_EQ(read_whole(path, 100'000).size(), 100'000U);
  EXPECT_THROW(read_whole(path, 99'999), FileError);
}

}  // namespace
}  // namespace gpuhmm
