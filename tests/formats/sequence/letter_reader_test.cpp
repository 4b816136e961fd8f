// Letters of FASTA and FASTQ files: all forms of records, pieces of any size, damaged files.
#include "formats/sequence/letter_reader.hpp"

#include <gtest/gtest.h>

#include "formats/io/temporary_folder.hpp"

namespace gpuhmm {
namespace {

std::string letters_of(const std::string& text, std::size_t piece) {
  const test::TemporaryFolder folder;
  LetterReader reader(std::make_unique<Input>(folder.write("reads", text)));
  std::string all, letters;
  while (reader.read(letters, piece, '/')) {
    all += letters;
    letters.clear();
  }
  return all + std::to_string(reader.records());
}

std::string failure(const std::string& text) {
  try {
    letters_of(text, 100);
  } catch (const FileError& error) {
    const std::string message = error.what();
    return message.substr(message.find(": ") + 2);
  }
  return {};
}

TEST(LetterReader, ReadsRecordsAsTheyAreWritten) {
  for (const std::size_t piece : {1, 4, 5, 1000}) {
    EXPECT_EQ(letters_of(">a\nAC\nGT\n\n>b x\n>c\r\nNn-\r\nA C\tG", piece), "ACGT//Nn-ACG/3");
    EXPECT_EQ(letters_of("\n\n>only a name", piece), "/1");
    EXPECT_EQ(letters_of("@a\nACGT\n+\nIIII\n@b x\nAC\nGT\n+b\n@@\n+>\n", piece), "ACGT/ACGT/2");
    EXPECT_EQ(letters_of("@a\n\n+\n\n@b\nA\r\n+\r\nI\r\n\n\n", piece), "/A/2");
    EXPECT_EQ(letters_of("@a\n+\n", piece), "/1");
  }
}

// Lines are read in pieces, so a line may be longer than memory.
TEST(LetterReader, ReadsLinesOfAnyLength) {
  for (const std::size_t length : {65'535, 65'536, 65'537, 200'000}) {
    const std::string letters(length, 'A'), name(length, '>'), quality(length, '@'), plus(length, '+');
    for (const std::size_t piece : {1000, 1'000'000}) {
      const std::string both = letters + "/C/2";
      EXPECT_EQ(letters_of(">" + name + "\n" + letters + "\n>b\nC\n", piece), both);
      EXPECT_EQ(letters_of("@" + quality + "\n" + letters + "\n+" + plus + "\n" + quality +
                               "\n@b\r\nC\r\n+\r\nI\r\n",
                           piece),
                both);
      EXPECT_EQ(letters_of("@a\n" + letters + "\n+\n" + quality, piece), letters + "/1");
    }
    EXPECT_EQ(failure(std::string(length, ' ') + ">\nA\n"),
              "line 1: neither FASTA nor FASTQ; expected a line beginning with > or @");
    EXPECT_EQ(failure("@a\n" + letters + "\n+\n" + quality + "I\n"),
              "line 4: a FASTQ record with more qualities than letters; expected " + std::to_string(length));
    EXPECT_EQ(
        failure("@a\n" + letters + "\n+\n" + quality.substr(1)),
        "line 4: the last FASTQ record is truncated; expected " + std::to_string(length) + " qualities");
  }
}

TEST(LetterReader, RefusesOtherText) {
  EXPECT_EQ(failure(""), "nothing in it; expected FASTA or FASTQ records");
  EXPECT_EQ(failure("\nACGT\n"), "line 2: neither FASTA nor FASTQ; expected a line beginning with > or @");
  EXPECT_EQ(failure("@a\nACGT\n"),
            "line 2: the last FASTQ record is truncated; expected a line beginning with +");
  EXPECT_EQ(failure("@a\nACGT\n+\nIII"), "line 4: the last FASTQ record is truncated; expected 4 qualities");
  EXPECT_EQ(failure("@a\nACGT\n+\nIIIII\n"),
            "line 4: a FASTQ record with more qualities than letters; expected 4");
  EXPECT_EQ(failure("@a\nA\n+\nI\nACGT\n"), "line 5: not a FASTQ record; expected a line beginning with @");
  EXPECT_EQ(failure(std::string(">a\nA\0C\n", 7)), "line 2: a byte of value 0; expected text");
}

}  // namespace
}  // namespace gpuhmm
