// Sequence files as HMMER 3.3.2 reads them: residues, names, errors in its words, and its detection of
// formats.
#include <gtest/gtest.h>

#include "formats/io/gzip_data.hpp"
#include "formats/io/temporary_folder.hpp"
#include "formats/sequence/hmmer3_fasta_reader.hpp"
#include "formats/sequence/records.hpp"
#include "gpuhmm/hmmer3_sequence_file.hpp"

namespace gpuhmm {
namespace {

using namespace test;

using enum AlphabetKind;
using enum SequenceFormat;

Records read3(std::string_view text, std::optional<SequenceFormat> format = {},
              AlphabetKind kind = Hmmer3Amino) {
  return read_text(text, format, kind);
}

/// What HMMER3 says about the text behind its line that names the file; empty if it reads it.
std::string refusal(std::string_view text, SequenceFormat format = Fasta, AlphabetKind kind = Hmmer3Amino) {
  const MemoryFile file(text);
  try {
    read_file(file.path(), format, kind);
  } catch (const hmmer3::ParseFailure& error) {
    EXPECT_EQ(error.hmmer3_text(),
              "Parse failed (sequence file " + file.path() + "):\n" + error.line() + "\n");
    EXPECT_FALSE(error.labelled());
    EXPECT_EQ(error.what(), file.path() + ": " + error.message());
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return error.line();
  }
  return {};
}

TEST(Hmmer3Fasta, KeepsAllLetters) {
  EXPECT_EQ(read3(">a\nacdefghiklmnpqrstvwyBJZOUX*~_.\n"),
            (Records{{"a", "", "", "ACDEFGHIKLMNPQRSTVWYBJZOUX*~--"}}));
  EXPECT_EQ(read3(">a\nacgtuxinrymkswhbvd*~_.\n", {}, Hmmer3Dna),
            (Records{{"a", "", "", "ACGTTNANRYMKSWHBVD*~--"}}));
  EXPECT_EQ(read3(">a\nacgtuxi\n", {}, Hmmer3Rna), (Records{{"a", "", "", "ACGUUNA"}}));
}

TEST(Hmmer3Fasta, HasNamesAndDescriptions) {
  EXPECT_EQ(
      read3(
          ">a  desc  \nA C\tD\r\n>b\nAC>c x\n\nAC\n> \te\n>f\rACD\rEF>g\x01h \t i\x01j\nAC\n>k\x0bl m\n>>n -\n"),
      (Records{{"a", "", "desc  ", "ACD"},
               {"b", "", "", "AC"},
               {"c", "", "x", "AC"},
               {"e", "", "", ""},
               {"f", "", "", "ACDEF"},
               {"g\x01h", "", "i", "AC"},
               {"k", "", "\x0bl m", ""},
               {">n", "", "-", ""}}));
  EXPECT_EQ(read3(std::string_view(">a\0b c\0d\nAC\n", 12)), (Records{{"a", "", "c", "AC"}}));
  EXPECT_EQ(read3(" \n\v >a", Fasta), (Records{{"a", "", "", ""}}));
}

TEST(Hmmer3Fasta, IsTheSameInBlocksOfAnySize) {
  std::string text = "\n \n";
  for (int i = 0; i < 40; ++i) {
    text += ">name" + std::to_string(i) + (i % 3 == 0 ? "\r\n" : " some > text  \n\n");
    for (int line = 0; line < i % 5; ++line)
      text += std::string(static_cast<std::size_t>(1 + i * line % 37), 'A') + "* \n";
  }
  const Records expected = read3(text);
  ASSERT_EQ(expected.size(), 40U);
  const Alphabet& amino = Alphabet::get(Hmmer3Amino);
  const MemoryFile file(text);
  for (std::size_t block = 1; block < 300; ++block) {
    Hmmer3FastaReader reader(std::make_unique<Input>(file.path()), Digitiser(amino, {}), EmptyInput::Refused,
                             block);
    ASSERT_EQ(read_all(reader, amino), expected) << block;
  }
}

TEST(Hmmer3Fasta, IsRefusedInHmmer3sWords) {
  EXPECT_EQ(refusal(">a\nAC-D\n"), "Line 2: illegal character -");
  EXPECT_EQ(refusal(">a\n\n\nA1C\n"), "Line 2: illegal character 1");
  EXPECT_EQ(refusal("\n\n>a\nAC\n\n>b\n>c\nD\nE\xe9\n"), "Line 7: non-ASCII character \xe9 in sequence");
  EXPECT_EQ(refusal("\r\r>a\r\r\nAC\r\nD1"), "Line 3: illegal character 1");
  EXPECT_EQ(refusal(">a\nAC\n   \n\n\n ?\n"), "Line 6: illegal character ?");
  EXPECT_EQ(refusal(">a\nAC\vD\n"), "Line 2: illegal character \v");
  EXPECT_EQ(refusal(std::string_view(">a\nA\0C\n", 7)), "Line 2: illegal character ");
  EXPECT_EQ(refusal(">a\nACE\n", Fasta, Hmmer3Dna), "Line 2: illegal character E");
  EXPECT_EQ(refusal(">\nAC\n"), "Line 1: no FASTA name found");
  EXPECT_EQ(refusal(">a\nAC\n>  \nAC"), "Line 3: no FASTA name found");
  EXPECT_EQ(refusal("\n\n x>a\nAC\n"), "Line 1: unexpected char x; expected FASTA to start with >");
}

TEST(Hmmer3Fasta, TellsTheRecordInOurWords) {
  const MemoryFile file(">a\nAC\n>b\nA1\n");
  try {
    read_file(file.path(), {}, Hmmer3Amino);
    FAIL();
  } catch (const FileError& error) {
    EXPECT_EQ(error.what(), file.path() + ": record 2: '1' is no residue of the profile's alphabet");
  }
}

TEST(Hmmer3Embl, HasTheseFields) {
  EXPECT_EQ(
      read3(
          "\n \nID   a;b c\nAC     A 1; A2;\nAC   A3;\nDE     q  r \nDE   -no\nDE\nDE   \nOS   x/\nDE   second\n"
          "SQ   SEQUENCE 4 AA;\n     AC*.~_       4\n\n     E\n// end\n\nID   b\nAC   ;-x\nSQ   \n//\n"),
      (Records{{"a", "  A 1", "  q  r -no  second", "AC*-~-E"}, {"b", "-x", "", ""}}));
}

TEST(Hmmer3Embl, IsRefusedInHmmer3sWords) {
  EXPECT_EQ(refusal("x\nID   a\n", Embl), "Line 1: failed to find ID line");
  EXPECT_EQ(refusal("ID   a\nSQ   \nA\n//\nx\n", Embl), "Line 1: failed to find ID line");
  EXPECT_EQ(refusal("ID   a\nDE   x\n//\n", Embl), "Line 1: failed to find SQ line");
  EXPECT_EQ(refusal("ID   a\nSQ   \n", Embl), "Failed to find any sequence");
  EXPECT_EQ(refusal("ID   a\nSQ   \nA\n", Embl), "Unexpected EOF; file truncated?");
  EXPECT_EQ(refusal("ID   a\nSQ   \n A-C\n//\n", Embl), "Line 1: illegal character -");
  for (const char* end : {"A/C\n//\n", " //\n", "12//\n", "/ /\n", "/"}) {
    EXPECT_EQ(refusal("ID   a\nSQ   \nA\n" + std::string(end), Embl),
              "Line 1: did not find // terminator at end of seq record");
  }
}

TEST(Hmmer3Genbank, HasTheseFields) {
  EXPECT_EQ(
      read3(
          "GBTEST.SEQ\n\nLOCUS       AB1  10 bp\nDEFINITION  one \n   two\nACCESSION   Q1\nVERSION     AB1.1  GI:1\n"
          "ORIGIN      text\n        1 acg.t\n        6 nn*\n//\nx\nLOCUS       AB2\nVERSION     v\r\nORIGIN\r\na c\r\n//\r\n"),
      (Records{{"AB1", "AB1.1", "one", "ACG-TNN*"}, {"AB2", "v", "", "AC"}}));
  EXPECT_EQ(refusal("LOCUS       a\nVERSION     \nORIGIN\n//\n", Genbank),
            "Line 1: failed to parse VERSION line");
  EXPECT_EQ(refusal("LOCUS       a\nDE", Genbank), "Failed to find ORIGIN line");
  EXPECT_EQ(refusal("LOCUS       a\nORIGIN\na-c\n//\n", Genbank), "Line 1: illegal character -");
}

TEST(Hmmer3Alignments, AreReadWithoutGaps) {
  EXPECT_EQ(
      read3("# STOCKHOLM 1.0\n#=GS s1 AC  acc1 \n#=GS s1 DE \t some  desc \n#=GS s2 DE -x\n"
            "s1 AC-D.E_F~G*HJOUX\ns2 ................\n//\n# STOCKHOLM 1.0\ns3 aa\n//\n"),
      (Records{{"s1", "acc1", "some  desc ", "ACDEFG*HJOUX"}, {"s2", "", "-x", ""}, {"s3", "", "", "AA"}}));
  EXPECT_EQ(read3(" 2 6\ns1        AC-DEE\ns2        A--D?C\n"),
            (Records{{"s1", "", "", "ACDEE"}, {"s2", "", "", "ADC"}}));
  EXPECT_EQ(read3(" 2 1\n s  1 x   A\n          C\n"), (Records{{"s__1_x", "", "", "A"}, {"", "", "", "C"}}));
  EXPECT_EQ(read3(">s1 d\nAC-D.E_*~\n", Afa), (Records{{"s1", "", "d", "ACDE*"}}));
  EXPECT_EQ(read3("\n >s1 d\nACo-d e\n.O\n>s2\nA\tC\n\nE\n", A2m),
            (Records{{"s1", "", "d", "ACDE"}, {"s2", "", "", "ACE"}}));
  EXPECT_EQ(read3("a\tAC D\t\nlonger\tCDE\n", Selex),
            (Records{{"a", "", "", "ACD"}, {"longer", "", "", "CDE"}}));
  EXPECT_EQ(refusal("# STOCKHOLM 1.0\ns1 AC1D\n//\n", Stockholm), "invalid sequence character(s) on line");
  EXPECT_EQ(refusal("a AC\tD\nb ACED\n", Selex), "illegal residue(s) in sequence line");
}

// HMMER2 puts the rows of one name together.
TEST(Hmmer3Alignments, HaveRowsByTheirPlaceInABlock) {
  const std::string head = "CLUSTAL W (1.83) multiple sequence alignment\n\n";
  const Records twice = {{"a", "", "", "ACEF"}, {"a", "", "", "DCG"}};
  EXPECT_EQ(read3(head + "a AC\na DC\n  .*\n\na EF\na -G\n \n"), twice);
  EXPECT_EQ(read_text(head + "a AC\na DC\n  .*\n\na EF\na -G\n"), (Records{{"a", "", "", "ACDCEFG"}}));
  EXPECT_THROW(read3(head + "a AC\nb DC\n\nb EF\na -G\n"), hmmer3::ParseFailure);
  EXPECT_THROW(read3(head + "a AC\n\na EF\nb -G\n"), hmmer3::ParseFailure);
  const std::string stockholm = "# STOCKHOLM 1.0\n";
  EXPECT_EQ(read3(stockholm + "a AC\nb DC\n\na EF\nb -G\n//\n"),
            (Records{{"a", "", "", "ACEF"}, {"b", "", "", "DCG"}}));
  EXPECT_EQ(refusal(stockholm + "a AC\na DC\n//\n", Stockholm),
            "line 3: row a comes twice in a block; expected it once");
  EXPECT_EQ(read_text(stockholm + "a AC\na DC\n//\n"), (Records{{"a", "", "", "ACDC"}}));
}

TEST(Hmmer3Alignments, AreRefusedIfRowsOfAlignedFastaDiffer) {
  EXPECT_EQ(refusal(">a\nACD\n>b\nACDE\n", Afa), "sequence b has alen 4; expected 3");
  EXPECT_EQ(refusal(">a\n>b\n", Afa), "sequence a has alen 0");
  EXPECT_EQ(refusal("ACD\n", Afa), "expected aligned FASTA name/desc line starting with >");
  EXPECT_EQ(refusal("ACD\n", A2m), "expected A2M name/desc line starting with >");
  EXPECT_EQ(refusal(">\nACD\n", Afa), "expected aligned FASTA name/desc line starting with >");
  EXPECT_EQ(refusal(">a\nA\tC\n", Afa), "one or more invalid sequence characters");
  const std::string differs = "unexpected # of consensus residues, didn't match previous seq(s)";
  EXPECT_EQ(refusal(">a\nACd\n>b\nA-C\n", A2m), differs);
  EXPECT_EQ(refusal(">a\nACD\n>b\nAOC\n", A2m), differs + ". (Do you have an O residue?)");
  EXPECT_EQ(refusal(">\nACD\n", A2m), "no name found for A2M record");
  for (const char c : {'*', '_', '~', '1'}) {
    EXPECT_EQ(refusal(std::string(">a\nA") + c + "\n>b\nA\n", A2m),
              "one or more invalid sequence characters");
  }
}

TEST(Hmmer3Alignments, AreRefusedIfANameIsNotPrintable) {
  for (const char* name : {"s1\t       ", "\ts1       ", "s1\x7f       ", "s1\xe9       "}) {
    try {
      read3(std::string(" 1 1\n") + name + "A\n", Phylip);
      ADD_FAILURE() << "'" << name << "' is read";
    } catch (const hmmer3::SequenceFileError& error) {
      EXPECT_TRUE(error.hmmer3_text().ends_with(":\ninvalid character(s) in sequence name\n"));
    }
  }
}

TEST(Hmmer3OtherFormats, AreReadWithAllLetters) {
  EXPECT_EQ(
      read3(
          "ENTRY            CCHU\nTITLE            t\nSEQUENCE\n                5\n      1 M G J - *\n///\n"),
      (Records{{"CCHU", "", "t", "MGJ-*"}}));
  EXPECT_THROW(read3("!!AA_SEQUENCE 1.0\n\n s1  Length: 4 Check: 1 ..\n\n  1 AC?E\n"), FileError);
}

/// The format that a file of this name and content gives: records, or HMMER3's words.
std::string opened(const std::string& name, const std::string& content,
                   std::optional<SequenceFormat> format = {}) {
  const TemporaryFolder folder;
  const std::string path = folder.write(name, content);
  try {
    hmmer3::SequenceFile file(path, format);
    const Alphabet& amino = Alphabet::get(Hmmer3Amino);
    std::string names;
    for (const Record& record : read_all(*file.open(amino), amino)) names += record.name + " ";
    return names;
  } catch (const hmmer3::SequenceFileError& error) {
    EXPECT_TRUE(error.labelled());
    std::string text = error.hmmer3_text();
    if (const std::size_t at = text.find(path); at != std::string::npos) text.replace(at, path.size(), "F");
    return text;
  }
}

TEST(Hmmer3SequenceFile, HasTheFormatThatHmmer3Detects) {
  const std::string fasta = ">a\nAC\n", bad = "Sequence file F is empty or misformatted\n";
  EXPECT_EQ(opened("x", fasta), "a ");
  EXPECT_EQ(opened("x.gb", fasta), "");
  EXPECT_EQ(opened("x.fa", "  >a\nAC\n"), "a ");
  EXPECT_EQ(opened("x", "  >a\nAC\n"), bad);
  EXPECT_EQ(opened("x.FA", "  >a\nAC\n"), bad);
  EXPECT_EQ(opened("x", "  >a\nAC\n", Fasta), "a ");
  EXPECT_EQ(opened("x", "\xef\xbb\xbf>a\nAC\n"), bad);
  EXPECT_EQ(opened("x", ""), bad);
  EXPECT_EQ(opened("x", "", Fasta), bad);
  for (const SequenceFormat format : {Stockholm, Clustal, Selex, Phylip, A2m, Afa}) {
    EXPECT_EQ(opened("x", "", format), "");
    EXPECT_EQ(opened("x", "\n", format), "");
  }
  EXPECT_EQ(opened("x", "\n\n"), bad);
  EXPECT_EQ(opened("x", "\n\n", Fasta), "");
  EXPECT_EQ(opened("x.fa", "\n\n"), "");
  EXPECT_EQ(opened("x", "\n\nID   a b\nSQ   \n//\n"), "a ");
  EXPECT_EQ(opened("x", "LOCUS       a b\nORIGIN\n//\n"), "a ");
  EXPECT_EQ(opened("x", "# STOCKHOLM 1.0\na AC\n//\n"), "a ");
  EXPECT_EQ(opened("x", "ENTRY            CCHU\nSEQUENCE\n ac\n///\n"), bad);
  EXPECT_EQ(opened("x.gz", gzip(fasta)), "a ");
  EXPECT_EQ(opened("x.fa.gz", gzip("  >a\nAC\n")), bad);
  EXPECT_EQ(opened("x.fa", gzip(fasta)), bad);
  EXPECT_EQ(opened("x.gz", fasta), bad);
  EXPECT_EQ(opened("x.gz", gzip("# STOCKHOLM 1.0\na AC\n//\n")), bad);
}

TEST(Hmmer3SequenceFile, HasEndsOfLinesInFieldsAsHmmer3) {
  EXPECT_EQ(opened("x", "ID   a\r\nSQ   \nAC\n//\n"), "a\r\n ");
  EXPECT_EQ(opened("x", "LOCUS       a\nORIGIN\n//\n"), "a\n ");
}

TEST(Hmmer3SequenceFile, IsOpenedAgainIfHmmer3CanRewindIt) {
  const TemporaryFolder folder;
  const Alphabet& amino = Alphabet::get(Hmmer3Amino);
  hmmer3::SequenceFile plain(folder.write("x", ">a\nAC\n"));
  EXPECT_EQ(read_all(*plain.open(amino), amino), read_all(*plain.open(amino), amino));
  const std::string path = folder.write("x.gz", gzip(">a\nAC\n"));
  hmmer3::SequenceFile packed(path);
  packed.open(amino);
  try {
    packed.open(amino);
    FAIL();
  } catch (const hmmer3::SequenceFileError& error) {
    EXPECT_EQ(error.hmmer3_text(),
              "Target sequence file " + path + " isn't rewindable; can't search it with multiple queries");
  }
}

TEST(Hmmer3SequenceFile, IsRefusedIfMissing) {
  try {
    const hmmer3::SequenceFile file("/no/such/file");
    FAIL();
  } catch (const hmmer3::SequenceFileError& error) {
    EXPECT_EQ(error.hmmer3_text(), "Failed to open sequence file /no/such/file for reading\n");
    EXPECT_TRUE(error.labelled());
  }
}

TEST(Hmmer3Formats, HaveTheseNames) {
  EXPECT_EQ(hmmer3::sequence_format_from_name("UniProt"), Embl);
  EXPECT_EQ(hmmer3::sequence_format_from_name("DDBJ"), Genbank);
  EXPECT_EQ(hmmer3::sequence_format_from_name("afa"), Afa);
  EXPECT_EQ(hmmer3::sequence_format_from_name("pir"), std::nullopt);
}

TEST(OpenSequences, IsFriendlierThanHmmer3) {
  const Records expected = {{"a", "", "", "AC"}};
  EXPECT_EQ(read3("\xef\xbb\xbf>a\nAC\n"), expected);
  EXPECT_EQ(read3(gzip(">a\nAC\n")), expected);
  EXPECT_EQ(read3(">a\rAC\r"), expected);
  EXPECT_EQ(read3("ID   a\r\nSQ   \nAC\n//\n"), expected);
}

}  // namespace
}  // namespace gpuhmm
