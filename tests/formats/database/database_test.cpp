// Prepared databases hold exactly the sequences of their files.
#include "gpuhmm/database.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "prepared.hpp"

namespace gpuhmm {
namespace {

using namespace test;

constexpr AlphabetKind kBoth[] = {AlphabetKind::Amino, AlphabetKind::Nucleic};

std::vector<std::string> files_in(const std::filesystem::path& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

void expect_round_trip(const std::string& path) {
  for (const AlphabetKind kind : kBoth) {
    SCOPED_TRACE(path + " as " + std::string(Alphabet::get(kind).name()));
    const Prepared prepared(path, kind);
    const Records expected = read_file(path, {}, kind);
    EXPECT_EQ(prepared.made.sequences, expected.size());
    EXPECT_TRUE(prepared_records(prepared.path(), kind) == expected);
  }
}

TEST(Database, HoldsWhatTheTestFilesHold) {
  for (const char* folder : {"/seq", "/dna"}) {
    const std::vector<std::string> files = files_in(std::string(GPUHMM_TESTDATA) + folder);
    EXPECT_FALSE(files.empty());
    for (const std::string& path : files) expect_round_trip(path);
  }
}

TEST(Database, HoldsWhatTheSharedFilesHold) {
  const std::string folder = GPUHMM_SHARED "/data";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no shared data";
  for (const char* name : {"sprot_10k.fasta.gz", "odd_residues.fasta", "short.fasta", "long.fasta.gz",
                           "sprot_2k_segmasked_lowercase.fasta.gz"}) {
    expect_round_trip(folder + "/seq/" + name);
  }
  expect_round_trip(folder + "/dna/hiv1_NC_001802.fna");
}

TEST(Database, HoldsOddRecords) { expect_round_trip(MemoryFile(odd_fasta()).path()); }

TEST(Database, HoldsAnyBytes) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 50; ++trial) {
    std::string text;
    for (int records = 1 + static_cast<int>(random() % 20); records > 0; --records) {
      text += ">";
      for (auto size = random() % 40; size > 0; --size) text += static_cast<char>(1 + random() % 255);
      text += "\n";
      for (auto size = random() % 300; size > 0; --size) text += static_cast<char>(1 + random() % 255);
      text += "\n";
    }
    const MemoryFile file(text);
    for (const AlphabetKind kind : kBoth) {
      const Prepared prepared(file.path(), kind, SequenceFormat::Fasta);
      EXPECT_TRUE(prepared_records(prepared.path(), kind) ==
                  read_file(file.path(), SequenceFormat::Fasta, kind))
          << text;
    }
  }
}

TEST(Database, HoldsMoreThanOneBlock) {
  std::mt19937 random(5);
  std::string text;
  const auto add = [&](int count, unsigned longest) {
    for (; count > 0; --count) {
      const char letter = "ACDEFGHIKL"[random() % 10];
      text += ">s" + std::to_string(count) + "\n" + std::string(random() % longest, letter) + "\n";
    }
  };
  add(70'000, 10);   // more records than a block
  add(30, 200'000);  // more residues than a block
  const MemoryFile file(text);
  const Prepared prepared(file.path());
  EXPECT_TRUE(prepared_records(prepared.path(), AlphabetKind::Amino) == read_file(file.path()));
}

TEST(Database, HoldsOnlyEmptySequences) {
  const MemoryFile file(">a\n>b one\n>c\n");
  const Prepared prepared(file.path());
  const Database database(prepared.path());
  EXPECT_EQ(database.size(), 3U);
  EXPECT_EQ(database.residue_count(), 0U);
  EXPECT_EQ(database.longest(), 0U);
  EXPECT_EQ(database[1].description, "one");
  EXPECT_TRUE(prepared_records(prepared.path(), AlphabetKind::Amino) == read_file(file.path()));
}

// The fractions that the reader of an amino database reports before the first record and after each.
std::vector<double> fractions(const std::string& path) {
  const Alphabet& alphabet = Alphabet::get(AlphabetKind::Amino);
  const auto reader = SequenceSource(path, {}, 1).open(alphabet);
  std::vector<double> fractions = {reader->fraction_read().value()};
  SequenceBatch batch;
  while (reader->read(batch)) fractions.push_back(reader->fraction_read().value());
  return fractions;
}

TEST(Database, ReportsTheFractionRead) {
  const Prepared prepared(MemoryFile(">a\nACDE\n>empty\n>b\nAC\n>c\nAC\n").path());
  EXPECT_EQ(fractions(prepared.path()), (std::vector<double>{0, 0.5, 0.5, 0.75, 1}));
  const Prepared empty(MemoryFile(">a\n>b\n").path());
  EXPECT_EQ(fractions(empty.path()), (std::vector<double>{0, 0.5, 1}));
}

TEST(Database, GivesOrderAndTotals) {
  const Prepared prepared(std::string(GPUHMM_TESTDATA) + "/seq/uniprot.fasta");
  const Database database(prepared.path(), 3);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(database.residues().data()) % 4096, 0U);
  std::vector<std::uint64_t> expected(database.size());
  std::iota(expected.begin(), expected.end(), 0U);
  std::stable_sort(expected.begin(), expected.end(),
                   [&](std::uint64_t a, std::uint64_t b) { return database.length(a) > database.length(b); });
  EXPECT_TRUE(std::ranges::equal(database.longest_first(), expected));
  std::uint64_t residues = 0;
  for (std::size_t i = 0; i < database.size(); ++i) residues += database[i].residues.size();
  EXPECT_EQ(database.residue_count(), residues);
  EXPECT_EQ(prepared.made.residues, residues);
  EXPECT_EQ(database.longest(), database.length(expected.front()));
}

TEST(Database, HasTheSameBytesEachTimeItIsMade) {
  const std::string text = odd_fasta();
  const MemoryFile file(text);
  EXPECT_EQ(Prepared(file.path()).bytes(), Prepared(file.path()).bytes());
}

TEST(Database, CanBeWrittenToADescriptor) {
  const std::string input = std::string(GPUHMM_TESTDATA) + "/seq/uniprot.fasta";
  const MemoryFile out("");
  make_database(input, {}, out.path(), {});
  EXPECT_TRUE(file_bytes(out.path()) == Prepared(input).bytes());
}

TEST(DatabaseAlphabet, IsGuessed) {
  const auto guess = [](const std::string& text) { return Prepared(MemoryFile(text).path()).made.alphabet; };
  const std::string data = GPUHMM_TESTDATA;
  EXPECT_EQ(Prepared(data + "/dna/phiX174.fna").made.alphabet, AlphabetKind::Nucleic);
  EXPECT_EQ(Prepared(data + "/dna/lambda.fna.gz").made.alphabet, AlphabetKind::Nucleic);
  EXPECT_EQ(Prepared(data + "/seq/uniprot.fasta").made.alphabet, AlphabetKind::Amino);
  EXPECT_EQ(guess(">a\nacguuuggc\n"), AlphabetKind::Nucleic);
  EXPECT_EQ(guess(">a\nACGTACGTAR\n"), AlphabetKind::Nucleic);  // nine of ten
  EXPECT_EQ(guess(">a\nACGTACGTRR\n"), AlphabetKind::Amino);
  EXPECT_EQ(guess(">a\nACGTXXXXXX\n"), AlphabetKind::Nucleic);
  EXPECT_EQ(guess(">a\nXXXX\n"), AlphabetKind::Amino);
  EXPECT_EQ(guess(">a\n>b\n"), AlphabetKind::Amino);
}

TEST(DatabaseAlphabet, IsRefusedIfItIsTheOtherOne) {
  for (const AlphabetKind kind : kBoth) {
    const AlphabetKind other = kind == AlphabetKind::Amino ? AlphabetKind::Nucleic : AlphabetKind::Amino;
    const Prepared prepared(std::string(GPUHMM_TESTDATA) + "/dna/phiX174.fna", kind);
    const SequenceSource source(prepared.path(), {}, 1);
    EXPECT_NO_THROW(source.open(Alphabet::get(kind)));
    try {
      source.open(Alphabet::get(other));
      FAIL() << "accepted";
    } catch (const FileError& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with(prepared.path() + ": ")) << error.what();
    }
  }
}

TEST(Source, RecognisesDatabasesByContent) {
  const std::string fasta = std::string(GPUHMM_TESTDATA) + "/seq/uniprot.fasta";
  const Prepared prepared(fasta);
  EXPECT_TRUE(is_database(prepared.path()));
  EXPECT_FALSE(is_database(fasta));
  EXPECT_FALSE(is_database("-"));
  EXPECT_FALSE(is_database(prepared.path() + ".absent"));
  EXPECT_FALSE(is_database("/"));
  EXPECT_FALSE(is_database(MemoryFile("").path()));
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo(folder.file("pipe").c_str(), 0600), 0);
  EXPECT_FALSE(is_database(folder.file("pipe")));  // does not wait for the writer of the pipe

  EXPECT_NE(SequenceSource(prepared.path(), {}, 1).database(), nullptr);
  EXPECT_EQ(SequenceSource(fasta, {}, 1).database(), nullptr);
  const SequenceSource forced(prepared.path(), SequenceFormat::Fasta, 1);
  EXPECT_THROW(read_all(*forced.open(Alphabet::get(AlphabetKind::Amino)), Alphabet::get(AlphabetKind::Amino)),
               FileError);
}

TEST(Source, CanBeOpenedAgain) {
  const Prepared prepared(MemoryFile(odd_fasta()).path());
  const SequenceSource source(prepared.path(), {}, 1);
  const Alphabet& alphabet = Alphabet::get(AlphabetKind::Amino);
  const Records first = read_all(*source.open(alphabet), alphabet);
  EXPECT_EQ(first.size(), 8U);
  EXPECT_TRUE(read_all(*source.open(alphabet), alphabet) == first);
}

// The sequences that a held file called "name" gives, and the name that its reader has for messages.
Records held_records(const HeldSequences& held, AlphabetKind kind,
                     std::optional<SequenceFormat> format = std::nullopt) {
  const Alphabet& alphabet = Alphabet::get(kind);
  const auto reader = SequenceSource("name", format, held, EmptyInput::Refused).open(alphabet);
  EXPECT_EQ(reader->name(), "name");
  return read_all(*reader, alphabet);
}

TEST(Source, GivesTheSameFromMemory) {
  const MemoryFile file(odd_fasta());
  const Prepared prepared(file.path());
  const auto bytes = std::make_shared<const std::string>(odd_fasta());
  const auto database = std::make_shared<const Database>(prepared.path());
  for (const AlphabetKind kind : {AlphabetKind::Amino, AlphabetKind::Nucleic}) {
    const Records expected = read_file(file.path(), {}, kind);
    EXPECT_TRUE(held_records({bytes, nullptr}, kind) == expected);
    EXPECT_TRUE(held_records({bytes, database}, kind) == expected);
    EXPECT_TRUE(held_records({bytes, database}, kind, SequenceFormat::Fasta) == expected);
  }
  EXPECT_TRUE(held_records({nullptr, database}, AlphabetKind::Amino) == read_file(file.path()));
  EXPECT_THROW(held_records({nullptr, database}, AlphabetKind::Nucleic), FileError);
}

TEST(Source, ReadsFromMemoryWhatHmmer3ReadsOtherwise) {
  const std::string text = ">a\nACDEF\n>b\nAC1DE\n";  // HMMER3 refuses a digit
  const MemoryFile file(text);
  const Prepared prepared(file.path());
  ASSERT_NE(prepared.made.hmmer3_failure, "");
  const auto database = std::make_shared<const Database>(prepared.path());
  const auto failure = [](const SequenceSource& source) -> std::string {
    const Alphabet& alphabet = Alphabet::get(AlphabetKind::Hmmer3Amino);
    try {
      read_all(*source.open(alphabet), alphabet);
    } catch (const FileError& error) {
      return error.what();
    }
    return {};
  };
  const std::string expected = failure({file.path(), std::nullopt, 1});
  EXPECT_NE(expected, "");
  const HeldSequences held{std::make_shared<const std::string>(text), database};
  EXPECT_EQ(failure({file.path(), std::nullopt, held, EmptyInput::Refused}), expected);
}

TEST(MakeDatabase, RefusesOtherFiles) {
  const TemporaryFolder folder;
  const std::string out = folder.file("out.ghdb");
  const Prepared prepared(MemoryFile(odd_fasta()).path());
  EXPECT_THROW(make_database(prepared.path(), {}, out, {}), FileError);
  EXPECT_THROW(make_database(folder.file("absent"), {}, out, {}), FileError);
  EXPECT_THROW(make_database(MemoryFile("").path(), {}, out, {}), FileError);
  EXPECT_THROW(make_database(MemoryFile(std::string(">a\nAC\n>b\nA\0C\n", 12)).path(), {}, out, {}),
               FileError);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  EXPECT_THROW(make_database(MemoryFile(">a\nAC\n").path(), {}, folder.file("no/folder"), {}), FileError);
}

TEST(MakeDatabase, RefusesAnUnusableTemporaryFolder) {
  const TemporaryFolder folder;
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before != nullptr ? before : "/tmp";
  setenv("TMPDIR", "/proc/self", 1);  // a folder where nothing can be made
  EXPECT_THROW(make_database(MemoryFile(">a\nAC\n").path(), {}, folder.file("out"), {}), FileError);
  setenv("TMPDIR", kept.c_str(), 1);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace gpuhmm
