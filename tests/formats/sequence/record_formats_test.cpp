// EMBL, UniProt, GenBank, PIR and GCG files in detail.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "formats/sequence/records.hpp"

namespace gpuhmm {
namespace {

using namespace test;

using enum SequenceFormat;

TEST(Embl, HasTheseFields) {
  EXPECT_EQ(
      read_text("ID   a;b c\nAC     A 1; A2;\nAC   A3; A4;\nDE     q  r \nDE   -no\nDE\nOS   x\nDE   "
                "second\nSQ   SEQUENCE 4 AA;\n"
                "     AC-d.       4\n\n     E\n// end\n\nID   X56734; SV 1; linear;\nSQ\n     ac\n//\n"),
      (Records{{"a;b", "A3", "q  r second", "ACNDXE"}, {"X56734;", "", "", "AC"}}));
}

TEST(Embl, IsRefusedIfDamaged) {
  EXPECT_EQ(failure("ID   a\nSQ\n     AC\nID   b\nSQ\n     AC\n//\n"),
            "file: line 4: expected residues or // in record a");
  EXPECT_EQ(failure("ID   a\nSQ\n     AC\nFT   x\n//\n"),
            "file: line 4: expected residues or // in record a");
  EXPECT_EQ(failure("ID   a\nDE   x\n//\n"), "file: line 3: expected SQ in record a");
  EXPECT_EQ(failure("ID   a\nDE   x\nID   b\n"), "file: line 3: expected SQ in record a");
  EXPECT_EQ(failure("ID   a\nSQ\n     AC\n"),
            "file: line 3: the file ends within record a (truncated?); expected //");
  EXPECT_EQ(failure("ID   a\nSQ\n     AC\n//\nhello\n"), "file: line 5: expected a record beginning with ID");
  EXPECT_EQ(failure("ID\nSQ   \n     AC\n//\n"), "file: line 4: expected a record beginning with ID");
}

TEST(Genbank, HasTheseFields) {
  EXPECT_EQ(
      read_text("GBTEST.SEQ   Genetic Sequence Data Bank\n\nLOCUS       AB1  10 bp\nDEFINITION  one\n        "
                "    two\n  three\n"
                "ACCESSION   Q1 Q2\n            Q3\nVERSION     AB1.1\nFEATURES\n     note "
                "/x=\"ORIGIN\"\nORIGIN      text\n"
                "        1 acg-t\n        6 nnnn.\n//\nLOCUS       AB2\nDEFINITION  .\nORIGIN\na c\n//\n"),
      (Records{{"AB1", "Q1", "one two three", "ACGXTNNNNX"}, {"AB2", "", ".", "AC"}}));
}

TEST(Genbank, IsRefusedIfDamaged) {
  EXPECT_EQ(failure("LOCUS       a\nCONTIG      join(x)\n//\n"), "file: line 3: expected ORIGIN in record a");
  EXPECT_EQ(failure("LOCUS       a\nORIGIN\n  1 ac\nLOCUS       b\n"),
            "file: line 4: expected residues or // in record a");
  EXPECT_EQ(failure("LOCUS       a\nORIGIN\n  1 ac //\n"),
            "file: line 3: expected residues or // in record a");
  EXPECT_EQ(failure("LOCUS short\nORIGIN\n//\n"), "file: line 1: expected the record's name in column 13");
}

TEST(Pir, HasTheseFields) {
  EXPECT_EQ(
      read_text(
          "PIR file\n\nENTRY            CCHU       #type complete\nTITLE            cytochrome c - human\n"
          "ACCESSIONS       A31764; A05676\nSEQUENCE\n                5        10\n      1 M G D - .\n     "
          "31 a *\n///\n"),
      (Records{{"CCHU", "A31764;", "cytochrome c - human", "MGDXXAX"}}));
}

TEST(Gcg, HasOneSequenceAFile) {
  EXPECT_EQ(read_text("!!AA_SEQUENCE 1.0\n\n s1  Length: 7 Check: 1 ..\n\n  1 ACDE .-~\n"),
            (Records{{"s1", "", "", "ACDEXXX"}}));
  EXPECT_EQ(failure("s1  Length: 4 Check: 1 ..\n  1 ACDE\ns2  Length: 4 Check: 1 ..\n  1 ACDE\n"),
            "file: line 3: a second sequence; expected one in a GCG file");
  EXPECT_EQ(failure("!!AA_SEQUENCE 1.0\nACDE\n"),
            "file: line 2: the file ends before its sequence; expected a line with ..");
}

TEST(GcgData, IsRefusedIfALengthIsWrong) {
  EXPECT_EQ(failure(">>>>a x ASCII Len: 4\nd\nACD\n>>>>b x ASCII Len: 3\nd\nACD\n"),
            "file: line 4: the record before this line has 3 residues; its first line says 4");
  EXPECT_EQ(failure(">>>>a x 2BIT Len: 4\nd\nA\n"), "file: line 1: 2BIT data; expected ASCII");
  EXPECT_EQ(failure(">>>>a x ASCII Len: four\nd\nA\n"), "file: line 1: expected Len: and a number");
}

TEST(RealFiles, AreReadFromUniprotFlatFiles) {
  const Records records = read_file(GPUHMM_TESTDATA "/seq/uniprot_flat.dat");
  ASSERT_EQ(records.size(), 4U);
  EXPECT_EQ(records[0].name, "SSRL_TAKRU");
  EXPECT_EQ(records[0].accession, "O42179");
  EXPECT_EQ(records[0].description, "RecName: Full=Somatostatin-like receptor F_48D10.1;");
  EXPECT_EQ(records[0].residues.size(), 289U);
  EXPECT_TRUE(records[0].residues.starts_with("MEPLDQTPGFPLSPEPNYWYETTPSLLLVSYPHLLDISSN"));
  EXPECT_EQ(records[1].name, "14KD_DAUCA");
  EXPECT_EQ(records[1].residues.size(), 137U);
}

TEST(RealFiles, AreReadFromComposedFiles) {
  const Records genbank = read_file(GPUHMM_TESTDATA "/seq/composed.gb", {}, AlphabetKind::Nucleic);
  ASSERT_EQ(genbank.size(), 3U);
  EXPECT_EQ(genbank[0].description,
            "First composed sequence, whose definition goes on in a second line and in a third one.");
  EXPECT_EQ(genbank[0].residues.size(), 183U);
  EXPECT_EQ(genbank[2].residues.substr(20, 10), "NNNNRYSWKM");
  const Records embl = read_file(GPUHMM_TESTDATA "/seq/composed.embl", {}, AlphabetKind::Nucleic);
  ASSERT_EQ(embl.size(), 3U);
  EXPECT_EQ(embl[0].name, "SYN00001;");
  EXPECT_EQ(embl[0].residues.size(), 130U);
  EXPECT_EQ(embl[2].residues.substr(10, 5), "NNNNN");
}

TEST(RealFiles, AreReadFromSharedUniprotEntries) {
  const std::filesystem::path folder = GPUHMM_SHARED "/data/tm";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no " << folder;
  std::map<std::string, std::string> accessions;  // by name
  std::ifstream table(folder / "uniprot_tm_entries.tsv");
  for (std::string accession, name, rest; std::getline(table, accession, '\t');) {
    std::getline(table, name, '\t');
    std::getline(table, rest);
    accessions[name] = accession;
  }
  const Records records = read_file(folder / "uniprot_tm_entries.dat.gz");
  ASSERT_EQ(records.size(), 22U);
  ASSERT_EQ(accessions.size(), records.size());
  for (const Record& r : records) {
    // The entries with several AC lines have the first item of the last one, as in HMMER.
    const bool several = r.name == "HLAA_HUMAN" || r.name == "5HT4R_HUMAN";
    EXPECT_EQ(accessions.at(r.name) == r.accession, !several) << r.name;
    EXPECT_FALSE(r.description.empty());
    EXPECT_EQ(r.residues.find('X'), std::string::npos) << r.name;
  }
}

}  // namespace
}  // namespace gpuhmm
