// A prepared database gives HMMER3's searches the sequences, and the errors, of the file that it was made
// from.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "formats/database/database_layout.hpp"
#include "formats/io/checksum.hpp"
#include "gpuhmm/hmmer3_sequence_file.hpp"
#include "prepared.hpp"

namespace gpuhmm {
namespace {

using namespace test;
using namespace database_layout;

using enum AlphabetKind;

/// What a reader gives before its end or its error, and HMMER3's line for the error.
struct Reading {
  Records records;
  std::string failure;
  bool operator==(const Reading&) const = default;
};

Reading read3(const std::string& path, AlphabetKind kind, std::optional<SequenceFormat> format = {}) {
  const Alphabet& alphabet = Alphabet::get(kind);
  const auto reader = SequenceSource(path, format, 2, EmptyInput::Allowed).open(alphabet);
  Reading reading;
  SequenceBatch batch;
  try {
    for (;; batch.clear()) {
      if (!read_block(*reader, batch, 1, 1)) break;
      for (Record& record : to_records(batch, alphabet)) reading.records.push_back(std::move(record));
    }
  } catch (const hmmer3::ParseFailure& error) {
    reading.failure = error.line();
  } catch (const FileError& error) {
    reading.failure = std::string("other: ") + error.what();
  }
  return reading;
}

void expect_same(const std::string& path, AlphabetKind stored, AlphabetKind kind,
                 std::optional<SequenceFormat> format = {}) {
  const Prepared prepared(path, stored, format);
  const Reading expected = read3(path, kind, format), found = read3(prepared.path(), kind);
  EXPECT_EQ(found.records, expected.records) << path;
  EXPECT_EQ(found.failure, expected.failure) << path;
  EXPECT_EQ(prepared.made.hmmer3_failure.empty(), expected.failure.empty());
}

void expect_same_text(const std::string& text, AlphabetKind stored, AlphabetKind kind,
                      std::optional<SequenceFormat> format = {}) {
  const MemoryFile file(text);
  SCOPED_TRACE(text);
  expect_same(file.path(), stored, kind, format);
}

TEST(Hmmer3Database, HoldsAllLetters) {
  const std::string text = ">a x  \nacdefghiklmnpqrstvwyBJZOUX*~_.\n>empty\n>b -\nXXX**\n>c\n*\n";
  expect_same_text(text, Amino, Hmmer3Amino);
  const std::string dna = ">a x  \nacgtuxinrymkswhbvd*~_.\n>b\nIIIXN\n";
  expect_same_text(dna, Nucleic, Hmmer3Dna);
  expect_same_text(dna, Nucleic, Hmmer3Rna);
}

TEST(Hmmer3Database, HoldsTheTestFiles) {
  const std::string data = GPUHMM_TESTDATA;
  for (const char* name : {"/seq/uniprot.fasta", "/seq/uniprot_flat.dat"}) {
    expect_same(data + name, Amino, Hmmer3Amino);
  }
  for (const char* name :
       {"/dna/phiX174.fna", "/dna/lambda.fna.gz", "/seq/composed.gb", "/seq/composed.embl"}) {
    expect_same(data + name, Nucleic, Hmmer3Dna);
    expect_same(data + name, Nucleic, Hmmer3Rna);
  }
}

TEST(Hmmer3Database, HoldsOtherFormats) {
  expect_same_text("ID   a;b c\nAC   1;\nAC   2;\nDE   x \nSQ   \n     a*\n//\n", Amino, Hmmer3Amino);
  expect_same_text(
      "LOCUS       AB1  1\nDEFINITION  one\n  two\nACCESSION   Q\nVERSION     V\nORIGIN\nac\n//\n", Nucleic,
      Hmmer3Dna);
  expect_same_text("# STOCKHOLM 1.0\n#=GS a AC  q \n#=GS a DE -d \na AC-*O\n//\n", Amino, Hmmer3Amino);
}

TEST(Hmmer3Database, TellsWhereResiduesComeFrom) {
  const Prepared prepared(std::string(GPUHMM_TESTDATA) + "/seq/uniprot.fasta", Amino);
  const SequenceSource source(prepared.path(), {}, 2, EmptyInput::Allowed);
  const auto reader = source.open(Alphabet::get(Hmmer3Amino)),
             again = source.open(Alphabet::get(Hmmer3Amino));
  SequenceBatch whole, part;
  ASSERT_TRUE(read_block(*again, whole, 1'000'000, 1'000'000'000));
  ASSERT_NE(whole.origin(), nullptr);
  EXPECT_EQ(whole.origin()->first, 0U);
  EXPECT_EQ(whole.origin()->all, whole.residue_count());
  std::size_t residues = 0;
  for (; read_block(*reader, part, 7, 2000); part.clear()) {
    ASSERT_NE(part.origin(), nullptr);
    EXPECT_TRUE(part.origin()->is_from(whole.origin()->source));
    EXPECT_EQ(part.origin()->first, residues);
    EXPECT_EQ(part.origin()->all, whole.residue_count());
    residues += part.residue_count();
  }
  EXPECT_EQ(residues, whole.residue_count());
  // Other codes are other residues.
  const Prepared dna(std::string(GPUHMM_TESTDATA) + "/dna/phiX174.fna", Nucleic);
  const SequenceSource of_dna(dna.path(), {}, 2, EmptyInput::Allowed);
  SequenceBatch as_dna, as_rna;
  read_block(*of_dna.open(Alphabet::get(Hmmer3Dna)), as_dna, 10, 10'000);
  read_block(*of_dna.open(Alphabet::get(Hmmer3Rna)), as_rna, 10, 10'000);
  EXPECT_FALSE(as_dna.origin()->is_from(as_rna.origin()->source));
}

TEST(Hmmer3Database, FailsWhereTheFileFails) {
  expect_same_text(">a\nAC\n>b\nAC\nD1\n>c\nAC\n", Amino, Hmmer3Amino);
  expect_same_text(">a\nA-C\n", Amino, Hmmer3Amino);
  expect_same_text(">a\nAC\n>\nAC\n", Amino, Hmmer3Amino);
  expect_same_text(">a\nACGTE\n", Nucleic, Hmmer3Dna);
}

TEST(Hmmer3Database, HoldsAnyBytesOrFails) {
  std::mt19937 random(11);
  int same = 0;
  for (int trial = 0; trial < 400; ++trial) {
    std::string text;
    for (int records = 1 + static_cast<int>(random() % 10); records > 0; --records) {
      text += ">n";
      for (auto size = random() % 20; size > 0; --size) text += static_cast<char>(1 + random() % 255);
      text += "\n";
      for (auto size = random() % 60; size > 0; --size)
        text += "ACDEFGHIKLMNPQRSTVWYBJZOUX*~_.\n "[random() % 32];
      if (random() % 20 == 0) text += static_cast<char>(1 + random() % 255);
      text += "\n";
    }
    const MemoryFile file(text);
    const Prepared prepared(file.path(), Amino, SequenceFormat::Fasta);
    const Reading expected = read3(file.path(), Hmmer3Amino, SequenceFormat::Fasta),
                  found = read3(prepared.path(), Hmmer3Amino);
    if (found.failure.starts_with("other: ")) {  // a ">" or a CR that HMMER2 takes otherwise
      EXPECT_NE(found.failure.find("search the sequence file itself"), std::string::npos) << found.failure;
      EXPECT_TRUE(std::equal(found.records.begin(), found.records.end(), expected.records.begin()));
    } else {
      EXPECT_TRUE(found == expected) << text;
      ++same;
    }
  }
  EXPECT_GT(same, 100);
}

/// The database as version 1 of the format has it.
std::string version_1(std::string bytes) {
  Trailer trailer;
  std::memcpy(&trailer, bytes.data() + bytes.size() - sizeof trailer, sizeof trailer);
  bytes.resize(trailer.sections[kHmmer3Residues].offset);
  bytes[offsetof(Header, version)] = 1;
  trailer.file_size = bytes.size() + trailer_size(1);
  std::string stored(
      bytes_of(trailer).substr(0, offsetof(Trailer, sections) + kHmmer3Residues * sizeof(SectionEntry)));
  stored += bytes_of(trailer.zero_too);
  const std::uint32_t checksum =
      extend_checksum(extend_checksum(0, std::string_view(bytes).substr(0, sizeof(Header))), stored);
  return bytes + stored + std::string(bytes_of(checksum));
}

TEST(Hmmer3Database, OfVersion1IsReadByHmmer2Only) {
  const Prepared prepared(MemoryFile(odd_fasta()).path());
  const MemoryFile old(version_1(prepared.bytes()));
  EXPECT_TRUE(prepared_records(old.path(), Amino) == prepared_records(prepared.path(), Amino));
  try {
    SequenceSource(old.path(), {}, 1).open(Alphabet::get(Hmmer3Amino));
    FAIL();
  } catch (const FileError& error) {
    EXPECT_EQ(error.what(),
              old.path() +
                  ": a prepared database of version 1, which holds no sequences for HMMER3's profiles; "
                  "make it again with makedb");
  }
}

TEST(Hmmer3Database, IsRefusedIfOfTheOtherAlphabet) {
  const Prepared proteins(MemoryFile(">a\nACDE\n").path(), Amino),
      dna(MemoryFile(">a\nACGT\n").path(), Nucleic);
  for (const AlphabetKind kind : {Hmmer3Dna, Hmmer3Rna}) {
    EXPECT_THROW(SequenceSource(proteins.path(), {}, 1).open(Alphabet::get(kind)), FileError);
  }
  EXPECT_THROW(SequenceSource(dna.path(), {}, 1).open(Alphabet::get(Hmmer3Amino)), FileError);
}

}  // namespace
}  // namespace gpuhmm
