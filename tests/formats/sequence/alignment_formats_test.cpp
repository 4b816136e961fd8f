// Stockholm, Clustal, MSF, SELEX, PHYLIP and A2M files in detail.
#include <gtest/gtest.h>

#include <filesystem>

#include "formats/sequence/records.hpp"
#include "gpuhmm/alignment.hpp"

namespace gpuhmm {
namespace {

using namespace test;

using enum SequenceFormat;

TEST(Stockholm, HasRowsAndAnnotation) {
  EXPECT_EQ(
      read_text(
          "# STOCKHOLM 1.0\n#=GF ID x\n#=GS b  AC Q1\n#=GS b AC  Q2\n#=GS b DE first\n#=GS b DE last  one "
          "\n# comment\n"
          "a\tAC.-_~d1*\n#=GR a SS HHHHHHHHH\nb  CCCCCCCCC\n#=GC RF xxxxxxxxx\n\n  a  E\n#=GR a SS H\nb  F\n"
          " #=GC RF x\n#=GS a DE late\n //\n"),
      (Records{{"b", "Q2", "last  one", "CCCCCCCCCF"}, {"a", "", "late", "ACDXXE"}}));
}

TEST(Stockholm, HasManyAlignmentsAFile) {
  const std::string one = "# STOCKHOLM 1.0\na AC\nb D-\n//\n";
  EXPECT_EQ(read_text(one + "\n\n" + one),
            (Records{{"a", "", "", "AC"}, {"b", "", "", "D"}, {"a", "", "", "AC"}, {"b", "", "", "D"}}));
  EXPECT_EQ(failure(one + "\nhello\n"), "file: line 6: expected # STOCKHOLM 1.0");
}

TEST(Stockholm, IsRefusedIfDamaged) {
  const auto failed = [](const std::string& body) { return failure("# STOCKHOLM 1.0\n" + body); };
  EXPECT_EQ(failed("a AC\n"), "file: line 2: the file ends within an alignment (truncated?); expected //");
  EXPECT_EQ(failed("//\n"), "file: line 2: the alignment has no rows");
  EXPECT_EQ(failed("a AC\nb ACD\n//\n"),
            "file: line 4: row b of the alignment that ends here has 3 columns; expected 2");
  EXPECT_EQ(failed("#=GS c DE x\na AC\n//\n"),
            "file: line 4: no residues for row c of the alignment that ends here");
  EXPECT_EQ(failed("a\n//\n"), "file: line 2: expected a row's name and its residues without blanks");
  EXPECT_EQ(failed("a AC D\n//\n"), "file: line 2: expected a row's name and its residues without blanks");
  EXPECT_EQ(failed("#=GS a\na AC\n//\n"), "file: line 2: expected #=GS, a row's name, a tag and a text");
}

TEST(Stockholm, HasAnnotationWithACharacterAColumn) {
  const auto failed = [](const std::string& body) { return failure("# STOCKHOLM 1.0\n" + body + "//\n"); };
  const std::string rows = "a ACDEF\nb ACDEG\n";
  for (const std::string tag :
       {"#=GC RF", "#=GC SS_cons", "#=GC SA_cons", "#=GC other", "#=GR b SS", "#=GR b SA", "#=GR a pAS"}) {
    for (const int columns : {1, 4, 6, 40}) {
      EXPECT_EQ(failed(rows + tag + " " + std::string(static_cast<std::size_t>(columns), 'x') + "\n"),
                "file: line 5: " + tag + " of the alignment that ends here has " + std::to_string(columns) +
                    " columns; expected 5");
    }
    EXPECT_EQ(failed(rows + tag + " xxxxx\n"), "") << tag;
    EXPECT_EQ(failed(tag + " xxxxx\n" + rows + rows + tag + "\txxxxx\n"), "") << tag;
    EXPECT_EQ(failed(rows + tag + " xxxxx\n" + rows),  // annotation of one block only
              "file: line 7: " + tag + " of the alignment that ends here has 5 columns; expected 10");
    EXPECT_NE(failed(rows + tag + " xx xx\n").find("a character a column without blanks"), std::string::npos);
    EXPECT_NE(failed(rows + tag + "\n").find("a character a column without blanks"), std::string::npos);
  }
  EXPECT_EQ(failed(rows + "#=GR c SS xxxxx\n"),
            "file: line 5: no residues for row c of the alignment that ends here");
  // as in HMMER, #=GR may be the first mention of a row
  EXPECT_EQ(read_text("# STOCKHOLM 1.0\n#=GR b SS xx\na AC\nb DE\n//\n"),
            (Records{{"b", "", "", "DE"}, {"a", "", "", "AC"}}));
}

TEST(Clustal, MayHaveNumbersAfterRows) {
  const std::string rows =
      "\n\n  a-long-name AC-D 3\n            b ACED 4\n              **:.\n\na-long-name  EF 5\nb FF 6\n";
  for (const char* head : {"CLUSTAL W (1.83) multiple sequence alignment", "CLUSTAL",
                           "MUSCLE (3.8) multiple sequence alignment"}) {
    EXPECT_EQ(read_text(head + rows), (Records{{"a-long-name", "", "", "ACDEF"}, {"b", "", "", "ACEDFF"}}))
        << head;
  }
  EXPECT_EQ(
      failure("CLUSTAL\na AC CD\n"),
      "file: line 2: expected a row's name, its residues without blanks, and at most a number after them");
  EXPECT_EQ(failure("CLUSTAL\na AC\nb AC\n\na CD\n"),
            "file: line 5: row b of the alignment that ends here has 2 columns; expected 4");
}

TEST(Msf, DeclaresItsRows) {
  const std::string head =
      "PileUp\n\n x  MSF: 4  Type: P  today  Check: 9816  ..\n\n Name: a oo Len: 4\n Name: b Len: 4\n\n//\n";
  EXPECT_EQ(read_text(head + "\n   1   4\nb AC\na A. .D\n\nb  ~E\n"),
            (Records{{"a", "", "", "AD"}, {"b", "", "", "ACE"}}));
  EXPECT_EQ(failure(head + "c AC\n"), "file: line 9: row c is not declared by a Name: line");
  EXPECT_EQ(failure(head + "a AC\n"), "file: line 9: no residues for row b of the alignment that ends here");
  EXPECT_EQ(failure("x MSF: 4 Check: 1 ..\nName: a\nName: a\n"), "file: line 3: row a is declared twice");
  EXPECT_EQ(failure("x MSF: 4 Check: 1 ..\nName: a\n"),
            "file: line 2: the file ends before the alignment; expected //");
}

TEST(Selex, TakesBlanksForGaps) {
  EXPECT_EQ(read_text("#=ID x\n#=SQ b 1.0 - - 0..0:0 -\n#=SQ a 1.0 id Q1 1..2:3 some text \n\n# comment\na  "
                      "AC  D.-\n#=RF xxxxx\nb    CCC\n"
                      "% comment\n\na  _E\nb  ~F\n#=RF xx\n"),
            (Records{{"a", "Q1", "some text", "ACDE"}, {"b", "", "", "CCCF"}}));
}

Alignment alignment_of(const std::string& text) {
  const MemoryFile file(text);
  return read_alignment(file.path());
}

// --mapali needs the columns of a SELEX file and the rows of an A2M file.
TEST(Selex, AlignsRowsByTheirColumn) {
  const std::vector<AlignmentRow> rows =
      alignment_of(
          "#=SQ a 1 - Q1 0..0::0 -\na      AC  D\nlonger  CD\nb        E  G\n\na       A\nlonger\nb      A\n")
          .rows();
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].text, "AC..D..A");
  EXPECT_EQ(rows[1].text, ".CD.....");
  EXPECT_EQ(rows[2].text, "..E..GA.");
}

TEST(Alignment, HasWeightsOfRows) {
  const auto weights = [](const std::string& text) {
    std::vector<float> found;
    const Alignment alignment = alignment_of(text);
    for (const AlignmentRow& row : alignment.rows()) found.push_back(row.weight.value_or(-1));
    return found;
  };
  using Weights = std::vector<float>;
  EXPECT_EQ(weights("# STOCKHOLM 1.0\n#=GS b WT 0.25\na AC\nb AC\n//\n"),
            (Weights{0.25F, -1}));  // b is first
  EXPECT_EQ(weights("x MSF: 2 Check: 1 ..\nName: a Len: 2 Weight: 0.5\nName: b\n//\na AC\nb AC\n"),
            (Weights{0.5F, -1}));
  EXPECT_EQ(weights("#=SQ a 0.5 - - 0..0::0 -\na AC\n"), (Weights{-1}));  // HMMER reads none from SELEX
  EXPECT_THROW(weights("# STOCKHOLM 1.0\n#=GS a WT much\na AC\n//\n"), FileError);
  EXPECT_THROW(weights("# STOCKHOLM 1.0\n#=GS a WT -1\na AC\n//\n"), FileError);
}

TEST(A2m, IsAnAlignment) {
  const std::vector<AlignmentRow> rows = alignment_of(">a  first one\n.aC\n-d\n\n>b\n..CCd\n").rows();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].name + "|" + rows[0].description + "|" + rows[0].text, "a|first one|.aC-d");
  EXPECT_EQ(rows[1].name + "|" + rows[1].description + "|" + rows[1].text, "b||..CCd");
  EXPECT_THROW(alignment_of(">a\nAC\n>b\nACD\n"), FileError);
  EXPECT_THROW(alignment_of("ID   x\nSQ   \n     acgt\n//\n"), FileError);
}

TEST(Selex, MayRepeatNames) {
  EXPECT_EQ(read_text("a ACD\na EFG\n\na HI\na KL\n"),
            (Records{{"a", "", "", "ACDHI"}, {"a", "", "", "EFGKL"}}));
}

// As by hmm2build, to which a TAB is one column.
TEST(Selex, IsRefusedIfATabIsAmongItsColumns) {
  EXPECT_EQ(read_text("a\t  ACD\nb  \tFG\nc   CDE\t\n"),
            (Records{{"a", "", "", "ACD"}, {"b", "", "", "FG"}, {"c", "", "", "CDE"}}));
  EXPECT_EQ(failure("#=RF\txxx\t\na    ACD\n"), "");
  const auto refused = [](int line, const std::string& where) {
    return "file: line " + std::to_string(line) +
           ": the block that ends here has a TAB within its columns, in " + where + "; expected blanks";
  };
  EXPECT_EQ(failure("a\tACD\nbbb\tACD\n"), refused(2, "row 2"));
  EXPECT_EQ(failure("a ACDE\nb ACD\t\n\na AC\nb AC\n"), refused(3, "row 2"));
  EXPECT_EQ(failure("#=AU x\na AC\tDE\n"), refused(2, "row 1"));
  EXPECT_EQ(failure("#=RF x\tx\na    ACD\n"), refused(2, "#=RF"));
  EXPECT_EQ(failure("a    ACD\n#=CS x\tx\n"), refused(2, "#=CS"));
  EXPECT_EQ(failure("a    ACD\n#=SS x\tx\n"), refused(2, "#=SS or #=SA"));
}

TEST(Selex, IsRefusedIfBlocksDoNotMatch) {
  EXPECT_EQ(failure("a ACD\nb EFG\n\nb HI\na KL\n"), "file: line 4: row b; expected a as in the first block");
  EXPECT_EQ(failure("a ACD\nb EFG\n\na HI\n"),
            "file: line 4: the block of rows before this line has too few of them");
  EXPECT_EQ(failure("a ACD\n\na HI\nb AC\n"), "file: line 4: more rows than in the first block");
  EXPECT_EQ(failure("#=SQ a 1.0 id Q1\na ACD\n"),
            "file: line 1: expected #=SQ, name, weight, id, accession, coordinates and description");
}

TEST(Selex, HasAnnotationInAllBlocksOrNone) {
  const std::string rows = "a    ACDEF\nb    ACDEG\n";
  for (const std::string tag : {"#=RF", "#=CS"}) {
    EXPECT_EQ(failure(tag + " xxxxx\n" + rows + "\n" + rows + tag + " xx.xx\n"), "");
    for (const std::string& text :
         {rows + tag + " xxxxx\n\n" + rows, rows + "\n" + rows + tag + " xxxxx\n"}) {
      EXPECT_NE(failure(text).find(tag + " of the alignment that ends here has 5 columns; expected 10"),
                std::string::npos)
          << failure(text);
    }
    EXPECT_EQ(failure(tag + " xxxxx\n\n" + rows),
              "file: line 2: the block before this line has #=RF or #=CS, but no row");
    EXPECT_EQ(failure(rows + "\n" + tag + " xxxxx\n"),
              "file: line 4: the block before this line has #=RF or #=CS, but no row");
    EXPECT_EQ(failure(tag + " xxxxx\n"),
              "file: line 1: the block before this line has #=RF or #=CS, but no row");
    EXPECT_EQ(failure(tag + " xxxxx\na\nb\n"),
              "file: line 3: no residues for row a of the alignment that ends here");
  }
  EXPECT_EQ(failure("#=SS HHHHH\n" + rows),
            "file: line 1: annotates a row; expected the row before it in its block");
  EXPECT_EQ(failure(rows + "\n#=SA 00000\n" + rows),
            "file: line 4: annotates a row; expected the row before it in its block");
  EXPECT_EQ(failure("a ACDEF\n#=SS HHHHH\n#=SA 00000\nb ACDEG\n"), "");
  // columns beyond the rows are left out, missing ones are gaps, as in HMMER
  EXPECT_EQ(alignment_of(rows + "#=RF xxxxxxxx\n").annotation.reference, "xxxxx");
  EXPECT_EQ(alignment_of(rows + "#=RF xx\n").annotation.reference, "xx...");
}

TEST(Phylip, NeedsRowsAndColumns) {
  for (const char* head : {"0 3\n", "3 0\n", "0 0\n"}) {
    EXPECT_EQ(failure(std::string(head) + "x\n"),
              "file: line 1: expected an alignment of at least one row and one column");
  }
}

TEST(Phylip, HasNamesOfTenColumns) {
  EXPECT_EQ(read_text(" 2 8 I\nse q1     ACDE 4\n\nsequencetwA-DE\n\n    EF GH\n EFGH\n"),
            (Records{{"se q1", "", "", "ACDEEFGH"}, {"sequencetw", "", "", "ADEEFGH"}}));
}

TEST(Phylip, IsRefusedIfNumbersDoNotMatch) {
  EXPECT_EQ(failure("2 4\na         ACDE\n"),
            "file: line 2: the alignment has 1 rows; its first line says 2");
  EXPECT_EQ(failure("1 4\na         ACD\n"), "file: line 2: the rows have 3 columns; the first line says 4");
  EXPECT_EQ(failure("1 4\na         ACDEF\n"), "file: line 2: row a has more than 4 columns");
  EXPECT_EQ(failure("0 4\n", Phylip),
            "file: line 1: expected an alignment of at least one row and one column");
  EXPECT_EQ(failure("2 x\n", Phylip), "file: line 1: expected the numbers of rows and of columns");
  EXPECT_NE(failure("99999999999999999999999 4\na         ACDE\n", Phylip), "");
  EXPECT_NE(failure("18446744073709551615 18446744073709551615\na         ACDE\n", Phylip), "");
}

TEST(A2m, LosesItsGapsAsSequences) {
  EXPECT_EQ(read_text(">a one\nAC.d-9\nE_~*\n\n>b\nACD\n", A2m),
            (Records{{"a", "", "one", "ACDXEX"}, {"b", "", "", "ACD"}}));
}

TEST(RealFiles, AreReadFromPfam) {
  const Records records = read_file(GPUHMM_TESTDATA "/seq/RRM_1.sto");
  EXPECT_EQ(records.size(), 79U);
  for (const Record& r : records) EXPECT_FALSE(r.residues.empty()) << r.name;
}

TEST(RealFiles, AreReadFromSharedAlignments) {
  const std::filesystem::path folder = GPUHMM_SHARED "/data/align";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no " << folder;
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".sto") continue;
    ++files;
    EXPECT_GE(read_file(entry.path()).size(), 2U) << entry.path();
  }
  EXPECT_GE(files, 20U);
}

}  // namespace
}  // namespace gpuhmm
