// Alignments are written in all formats as hmm2align wrote them.
#include <gtest/gtest.h>

#include "gpuhmm/alignment.hpp"

namespace gpuhmm {
namespace {

MultipleAlignment sample() {
  MultipleAlignment alignment;
  alignment.author = "HMMER 2.3.2";
  alignment.rows = {{"q|1", "", "one", ".....aCDEFGH....IKLM.."},
                    {"second", "Q2", "", "wwwwwwCDEF-HppppIKLMyy"}};
  alignment.reference = "......xxxxxx....xxxx..";
  return alignment;
}

std::string written(const MultipleAlignment& alignment, const AlignmentStyle& style) {
  std::string text;
  write_alignment([&text](std::string_view part) { text += part; }, alignment, style);
  return text;
}

std::string written(SequenceFormat format) { return written(sample(), {format, false, "today"}); }

TEST(AlignmentWriter, WritesStockholm) {
  EXPECT_EQ(written(SequenceFormat::Stockholm),
            "# STOCKHOLM 1.0\n"
            "#=GF AU    HMMER 2.3.2\n"
            "\n"
            "#=GS second AC    Q2\n"
            "\n"
            "#=GS    q|1 DE    one\n"
            "\n"
            "q|1           .....aCDEFGH....IKLM..\n"
            "second        wwwwwwCDEF-HppppIKLMyy\n"
            "#=GC RF       ......xxxxxx....xxxx..\n"
            "//\n");
}

TEST(AlignmentWriter, WritesBlocksOfFiftyColumnsOrOneLine) {
  MultipleAlignment alignment;
  alignment.rows = {{"a", "", "", std::string(51, 'A')}};
  alignment.reference = std::string(51, 'x');
  EXPECT_EQ(written(alignment, {}), "# STOCKHOLM 1.0\n\na        " + std::string(50, 'A') + "\n#=GC RF  " +
                                        std::string(50, 'x') + "\n\na        A\n#=GC RF  x\n//\n");
  EXPECT_EQ(written(alignment, {SequenceFormat::Stockholm, true, {}}),
            "# STOCKHOLM 1.0\n\na        " + std::string(51, 'A') + "\n#=GC RF  " + std::string(51, 'x') +
                "\n//\n");
}

TEST(AlignmentWriter, WritesSelex) {
  EXPECT_EQ(written(SequenceFormat::Selex),
            "#=AU HMMER 2.3.2\n"
            "#=SQ q|1    1.0000 - - 0..0::0 one\n"
            "#=SQ second 1.0000 - Q2 0..0::0 -\n"
            "\n"
            "#=RF   ......xxxxxx....xxxx..\n"
            "q|1    .....aCDEFGH....IKLM..\n"
            "second wwwwwwCDEF-HppppIKLMyy\n");
}

TEST(AlignmentWriter, WritesClustal) {
  EXPECT_EQ(written(SequenceFormat::Clustal),
            "CLUSTAL W(1.5) multiple sequence alignment\n"
            "\n"
            "   q|1 .....aCDEFGH....IKLM..\n"
            "second wwwwwwCDEF-HppppIKLMyy\n");
}

TEST(AlignmentWriter, WritesPhylip) {
  EXPECT_EQ(written(SequenceFormat::Phylip),
            " 2  22\n"
            "q|1       -----ACDEFGH----IKLM--\n"
            "second    WWWWWWCDEF-HPPPPIKLMYY\n");
}

TEST(AlignmentWriter, WritesA2m) {
  EXPECT_EQ(written(SequenceFormat::A2m),
            ">q|1 one\n.....aCDEFGH....IKLM..\n>second \nwwwwwwCDEF-HppppIKLMyy\n");
}

TEST(AlignmentWriter, WritesMsf) {
  EXPECT_EQ(written(SequenceFormat::Msf),
            "!!AA_MULTIPLE_ALIGNMENT 1.0\n"
            " squid.msf  MSF: 22  Type: P  today  Check: 9493  ..\n"
            "\n"
            " Name: q_1     Len:     22  Check: 9920  Weight: 1.00\n"
            " Name: second  Len:     22  Check: 9573  Weight: 1.00\n"
            "\n"
            "//\n"
            "\n"
            "        1                     22\n"
            "q_1     ~~~~~aCDEF GH....IKLM ~~\n"
            "second  wwwwwwCDEF .HppppIKLM yy\n");
}

TEST(MsfWriter, GuessesTheKindOfSequences) {
  const auto kind = [](const std::vector<std::string>& rows) {
    MultipleAlignment alignment;
    for (const std::string& row : rows) alignment.rows.push_back({"a", "", "", row});
    alignment.reference = rows.front();
    const std::string text = written(alignment, {SequenceFormat::Msf, false, {}});
    return text.substr(2, 2) + text[text.find("Type: ") + 6];
  };
  EXPECT_EQ(kind({"ACGT--", "..AAAA"}), "NAP");
  EXPECT_EQ(kind({"ACGT", "ACGU"}), "NAN");
  EXPECT_EQ(kind({"ACGU", "TTTT"}), "NAN");
  EXPECT_EQ(kind({"ACTU", "AACC"}), "NAP");
  EXPECT_EQ(kind({"ACGU", "ACGE"}), "AAP");
  EXPECT_EQ(kind({"ACWW"}), "AAP");
  EXPECT_EQ(kind({"ACGWW"}), "NAP");
  EXPECT_EQ(kind({std::string(300, 'a') + "ee"}), "NAP");
  EXPECT_EQ(kind({std::string(299, 'a') + "ee"}), "AAP");
  EXPECT_EQ(kind({"----"}), "AAP");
}

TEST(MsfWriter, LeavesOutTheEndOfTheRulerWithinAGroup) {
  const auto ruler = [](std::size_t columns) {
    MultipleAlignment alignment;
    alignment.rows = {{"r", "", "", std::string(columns, 'A')}};
    alignment.reference = alignment.rows.front().text;
    std::string text = written(alignment, {SequenceFormat::Msf, false, {}});
    text.pop_back();
    text = text.substr(0, text.rfind('\n'));
    return text.substr(text.rfind('\n') + 1);
  };
  EXPECT_EQ(ruler(7), "   1     ");
  EXPECT_EQ(ruler(10), "   1     ");
  EXPECT_EQ(ruler(11), "   1         11");
  EXPECT_EQ(ruler(65), "   51            65");
  EXPECT_EQ(ruler(101), "   101   ");
}

TEST(AlignmentFormats, HaveNames) {
  EXPECT_EQ(alignment_format_from_name("Selex"), SequenceFormat::Selex);
  EXPECT_EQ(alignment_format_from_name("fasta"), std::nullopt);
  EXPECT_EQ(alignment_format_from_name("none"), std::nullopt);
  EXPECT_EQ(alignment_format_names(), "stockholm, selex, msf, clustal, phylip, a2m");
}

}  // namespace
}  // namespace gpuhmm
