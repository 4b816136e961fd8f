// Limits of sequences, names and alignments, tested with low limits so that small files exceed them.
#include <gtest/gtest.h>

#include <functional>

#include "formats/sequence/alignment_parsers.hpp"
#include "formats/sequence/records.hpp"

namespace gpuhmm {
namespace {

using namespace test;

/// Reads the text with these limits; returns the number of records, or the message with "file" as its path.
std::string outcome(const std::string& text, const SequenceReader::Limits& limits,
                    std::optional<SequenceFormat> format = {}) {
  const MemoryFile file(text);
  const auto reader = open_sequences(file.path(), Alphabet::get(AlphabetKind::Amino), format);
  reader->set_limits(limits);
  SequenceBatch batch;
  try {
    while (reader->read(batch)) {
    }
  } catch (const FileError& error) {
    return "file" + std::string(error.what()).substr(file.path().size());
  }
  return std::to_string(reader->records());
}

TEST(Limits, HoldForTheResiduesOfASequence) {
  const std::string two = ": record 2: sequence b has more than 9 residues, the most allowed";
  const std::string nine = "ACDEFGHIK", ten = nine + "L";
  const auto check = [&](const std::function<std::string(const std::string&)>& file_of) {
    EXPECT_EQ(outcome(file_of(nine), {.residues = 9}), "2") << file_of(nine);
    EXPECT_EQ(outcome(file_of(ten), {.residues = 9}), "file" + two) << file_of(ten);
  };
  check([](const std::string& s) { return ">a\nAC\n>b\n" + s + "\n"; });
  check([](const std::string& s) { return ">a\nAC\n>b\n" + s.substr(0, 4) + "\n" + s.substr(4); });
  check([](const std::string& s) {
    return "ID   a\nSQ   \n     AC\n//\nID   b\nSQ   \n     " + s.substr(0, 4) + "\n     " + s.substr(4) +
           "\n//\n";
  });
  check([](const std::string& s) {
    return "LOCUS       a\nORIGIN\n 1 AC\n//\nLOCUS       b\nORIGIN\n 1 " + s + "\n//\n";
  });
  check([](const std::string& s) {
    return "CLUSTAL\na " + std::string(s.size() - 1, '-') + "A\nb " + s + "\n";
  });
}

// It is refused while it is read, not after its end.
TEST(Limits, RefuseALongSequenceBeforeItsEnd) {
  const MemoryFile file(">a\n" + std::string(std::size_t{1} << 22, 'A'));
  const auto reader = open_sequences(file.path(), Alphabet::get(AlphabetKind::Amino));
  reader->set_limits({.residues = 1000});
  SequenceBatch batch;
  EXPECT_THROW(reader->read(batch), FileError);
  EXPECT_LT(batch.residue_count(), std::size_t{1} << 20);
}

TEST(Limits, HoldForNameAndDescription) {
  const std::string message =
      "file: record 1: a name and description of more than 20 characters, the most allowed";
  EXPECT_EQ(outcome(">a " + std::string(18, 'x') + "\nAC\n", {.characters = 20}), "1");
  EXPECT_EQ(outcome(">a " + std::string(19, 'x') + "\nAC\n", {.characters = 20}), message);
  const auto embl = [](int lines) {
    std::string text = "ID   a\n";
    for (int i = 0; i < lines; ++i) text += "DE   abcd\n";
    return text + "SQ   \n     AC\n//\n";
  };
  EXPECT_EQ(outcome(embl(4), {.characters = 20}), "1");  // joined by blanks
  EXPECT_EQ(outcome(embl(5), {.characters = 20}), message);
}

TEST(Limits, HoldForTheBytesOfAnAlignment) {
  const std::string text = "# STOCKHOLM 1.0\na AC\nb DE\n//\n";
  const auto read = [&text](std::uint64_t bytes) {
    const MemoryFile file(text);
    LineSource lines(std::make_unique<Input>(file.path()));
    lines.bound("the alignment", bytes);
    try {
      return std::to_string(read_stockholm(lines).rows().size());
    } catch (const FileError& error) {
      return std::string(error.what()).substr(file.path().size());
    }
  };
  const std::uint64_t least = text.size() + 2 * LineSource::kNameCost;
  EXPECT_EQ(read(least), "2");
  EXPECT_EQ(read(least - 1), ": line 4: the alignment takes more than " + std::to_string(least - 1) +
                                 " bytes, the most allowed");
  EXPECT_EQ(read(2 * LineSource::kNameCost).substr(0, 9), ": line 3:");
}

}  // namespace
}  // namespace gpuhmm
