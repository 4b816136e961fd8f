// FASTA in detail: names and descriptions, record and block borders, and real files.
#include <gtest/gtest.h>

#include <filesystem>

#include "formats/sequence/fasta_reader.hpp"
#include "formats/sequence/records.hpp"

namespace gpuhmm {
namespace {

using namespace test;

using enum SequenceFormat;

TEST(Fasta, HasNamesAndDescriptions) {
  EXPECT_EQ(read_text(">a first  word \nAC\n>  b\tx\ty\nAC\n>c \tx\nAC\n>d\nAC\n>e \nAC\n>f "
                      "-none\nAC\n>\nAC\n> \t\nAC\n>-g h\nAC\n"
                      ">i\x0bj k\x0b\nAC\n"),
            (Records{{"a", "", "first  word", "AC"},
                     {"b", "", "x\ty", "AC"},
                     {"c", "", "\tx", "AC"},
                     {"d", "", "", "AC"},
                     {"e", "", "", "AC"},
                     {"f", "", "", "AC"},
                     {"", "", "", "AC"},
                     {"", "", "", "AC"},
                     {"-g", "", "h", "AC"},
                     {"i\x0bj", "", "k", "AC"}}));
}

TEST(Fasta, TakesResiduesFromAnyLine) {
  EXPECT_EQ(read_text(">a\nA C\tD 10\n\n \n >E>F;\n;G\n>b\n\n>c\nac*-._~?JO"),
            (Records{{"a", "", "", "ACDXEXFXXG"}, {"b", "", "", ""}, {"c", "", "", "ACXXXXXXXX"}}));
}

TEST(Fasta, MayHaveRecordsWithoutResidues) {
  EXPECT_EQ(read_text(">\n"), (Records{{"", "", "", ""}}));
  EXPECT_EQ(read_text(">a\n>b\n>c\n"), (Records{{"a", "", "", ""}, {"b", "", "", ""}, {"c", "", "", ""}}));
}

TEST(Fasta, HasNoRecordInALineThatTheFileEndsIn) {
  EXPECT_EQ(read_text(">a\nAC\n>b text"), (Records{{"a", "", "", "AC"}}));
}

TEST(Fasta, HasNucleicLetters) {
  EXPECT_EQ(read_text(">a\nacgtunRYMKSWHBVDx*E\n", {}, AlphabetKind::Nucleic),
            (Records{{"a", "", "", "ACGTUNRYMKSWHBVDXXX"}}));
}

TEST(Fasta, IsTheSameInBlocksOfAnySize) {
  std::string text = "\n \n";
  for (int i = 0; i < 40; ++i) {
    text += ">name" + std::to_string(i) + " some > text\r\n";
    for (int line = 0; line < i % 5; ++line)
      text += std::string(static_cast<std::size_t>(1 + i * line % 37), 'A') + ">K \n";
  }
  const Records expected = read_text(text);
  ASSERT_EQ(expected.size(), 40U);
  const Alphabet& amino = Alphabet::get(AlphabetKind::Amino);
  const MemoryFile file(text);
  for (std::size_t block = 1; block < 300; ++block) {
    FastaReader reader(std::make_unique<Input>(file.path()), Digitiser(amino, "0123456789"), block);
    ASSERT_EQ(read_all(reader, amino), expected) << block;
  }
}

TEST(Fasta, MayHaveALineOfAHundredMegabytes) {
  constexpr std::size_t kLength = 100'000'000;
  const std::string text = ">long\n" + std::string(kLength, 'a') + "\n>next\nCC\n";
  const MemoryFile file(text);
  const auto reader = open_sequences(file.path(), Alphabet::get(AlphabetKind::Amino));
  SequenceBatch batch;
  ASSERT_TRUE(reader->read(batch));
  EXPECT_EQ(batch.length(0), kLength);
  batch.clear();
  ASSERT_TRUE(reader->read(batch));
  EXPECT_EQ(batch[0].name, "next");
  EXPECT_FALSE(reader->read(batch));
  EXPECT_EQ(reader->records(), 2U);
}

TEST(Fasta, IsRefusedIfItIsOtherText) {
  EXPECT_EQ(failure("\n\nACDE\n>a\n", Fasta), "file: line 3: not FASTA; expected a line beginning with >");
  EXPECT_EQ(failure(" >a\nAC\n", Fasta), "file: line 1: not FASTA; expected a line beginning with >");
  EXPECT_EQ(failure(std::string(">a\nAC\n>b\nA\0C\n", 13)),
            "file: record 2: a byte of value 0 among its residues; expected text");
  EXPECT_EQ(failure(std::string(">a\0b\nAC\n", 8)),
            "file: record 1: a byte of value 0 in its name line; expected text");
  EXPECT_EQ(failure(">a\rACDE\r>b\rAC\r"),
            "file: line 1: carriage returns without newlines; expected lines that end in a newline");
}

TEST(ReadBlock, StopsAtItsBounds) {
  const MemoryFile file(">a\nAAAA\n>b\nCCCC\n>c\nDDDD\n>d\nEEEE\n>e\nFFFF\n");
  const auto sizes = [&](std::size_t sequences, std::size_t residues) {
    const auto reader = open_sequences(file.path(), Alphabet::get(AlphabetKind::Amino));
    SequenceBatch batch;
    std::vector<std::size_t> found;
    while (read_block(*reader, batch, sequences, residues)) {
      found.push_back(batch.size());
      batch.clear();
    }
    return found;
  };
  using Sizes = std::vector<std::size_t>;
  EXPECT_EQ(sizes(100, 100), Sizes{5});
  EXPECT_EQ(sizes(2, 100), (Sizes{2, 2, 1}));
  EXPECT_EQ(sizes(100, 5), (Sizes{2, 2, 1}));
  EXPECT_EQ(sizes(100, 4), (Sizes{1, 1, 1, 1, 1}));
  EXPECT_EQ(sizes(0, 0), (Sizes{1, 1, 1, 1, 1}));
}

TEST(ReadBlock, DoesNotMoveWhatItHasReadOfAPlainFile) {
  std::string text;
  for (int i = 0; i < 400; ++i) text += ">record\n" + std::string(1000, 'A') + "\n";
  const MemoryFile file(text);
  const auto reader = open_sequences(file.path(), Alphabet::get(AlphabetKind::Amino));
  SequenceBatch batch;
  reader->make_room(batch, 1000, 1'000'000);
  EXPECT_GE(batch.residue_buffer().capacity(), 400'000U);
  const std::uint8_t* const begin = batch.residue_buffer().data();
  ASSERT_TRUE(read_block(*reader, batch, 1000, 1'000'000));
  EXPECT_EQ(batch.residue_count(), 400'000U);
  EXPECT_EQ(batch.residue_buffer().data(), begin);
}

TEST(OpenSequences, RefusesPathsWithoutAFile) {
  const Alphabet& amino = Alphabet::get(AlphabetKind::Amino);
  EXPECT_THROW(open_sequences("/no/such/file", amino), FileError);
  EXPECT_THROW(open_sequences("/", amino), FileError);
}

TEST(OpenSequences, RefusesBinaryData) {
  std::string bytes;
  for (int i = 0; i < 1000; ++i) bytes += static_cast<char>(i * 37 % 256);
  EXPECT_EQ(failure(bytes),
            "file: line 1: binary data; expected sequences as one of " + sequence_format_names());
  EXPECT_EQ(failure("\x7f"
                    "ELF\x02\x01"),
            "file: line 1: binary data; expected sequences as one of " + sequence_format_names());
}

TEST(RealFiles, AreReadFromUniprot) {
  const Records records = read_file(GPUHMM_TESTDATA "/seq/uniprot.fasta");
  EXPECT_EQ(records.size(), 310U);
  EXPECT_EQ(records[0].name, "sp|A9IYN9|A9IYN9");
  EXPECT_EQ(records[0].residues.size(), 191U);
}

TEST(RealFiles, SharedFastaFilesHaveTheListedSizes) {
  const std::filesystem::path folder = GPUHMM_SHARED "/data/seq";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no " << folder;
  struct Expected {
    const char* file;
    std::size_t sequences, residues;
  };
  for (const Expected& e :
       {Expected{"sprot_1k.fasta", 943, 332330}, Expected{"sprot_10k.fasta.gz", 9983, 3585840},
        Expected{"long.fasta.gz", 38, 338863}, Expected{"odd_residues.fasta", 157, 55533},
        Expected{"ecoli_K12_prodigal_stars.faa.gz", 4314, 1356471},
        Expected{"sprot_shared.fasta.gz", 138221, 50455442}}) {
    const auto reader = open_sequences(folder / e.file, Alphabet::get(AlphabetKind::Amino));
    SequenceBatch batch;
    std::size_t residues = 0;
    while (read_block(*reader, batch, 1000, 1'000'000)) {
      residues += batch.residue_count();
      batch.clear();
    }
    EXPECT_EQ(reader->records(), e.sequences) << e.file;
    EXPECT_EQ(residues, e.residues) << e.file;
  }
}

}  // namespace
}  // namespace gpuhmm
