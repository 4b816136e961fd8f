// Names of formats and their detection by content.
#include <gtest/gtest.h>

#include "gpuhmm/sequence_file.hpp"

namespace gpuhmm {
namespace {

using enum SequenceFormat;

TEST(SequenceFormatNames, AreReadAsWritten) {
  std::size_t known = 0;
  for (const SequenceFormat format :
       {Fasta, Embl, Genbank, Pir, Gcg, GcgData, Stockholm, Clustal, Msf, Selex, A2m, Phylip, Afa}) {
    EXPECT_EQ(sequence_format_from_name(name_of(format)), format);
    EXPECT_NE(sequence_format_names().find(name_of(format)), std::string::npos);
    ++known;
  }
  EXPECT_EQ(known, 13U);
  EXPECT_EQ(sequence_format_from_name("GenBank"), Genbank);
  for (const char* name : {"", "fast", "fastaa", "raw", "squid"}) {
    EXPECT_EQ(sequence_format_from_name(name), std::nullopt) << name;
  }
}

TEST(DetectSequenceFormat, ChecksTheFirstLineThenAnyLine) {
  EXPECT_EQ(detect_sequence_format(">a\nID   x\n"), Fasta);
  EXPECT_EQ(detect_sequence_format(">>>>a x ASCII Len: 3\n"), GcgData);
  EXPECT_EQ(detect_sequence_format(">>>>a\nAC\n"), Fasta);
  EXPECT_EQ(detect_sequence_format("hello\n\nworld\nID   x\n"), Embl);
  EXPECT_EQ(detect_sequence_format("hello\nLOCUS       x\n"), Genbank);
  EXPECT_EQ(detect_sequence_format("\\\\\\\nENTRY     x\n"), Pir);
  EXPECT_EQ(detect_sequence_format("x\n x  MSF: 240  Type: P  Check: 9816  ..\n"), Msf);
  EXPECT_EQ(detect_sequence_format("x\n x  Length: 240  Check: 9816  ..\n"), Gcg);
  EXPECT_EQ(detect_sequence_format(" 3 40\n"), Phylip);
  EXPECT_EQ(detect_sequence_format("# STOCKHOLM 1.0\n"), Stockholm);
  EXPECT_EQ(detect_sequence_format("# STOCKHOLM 2.0\n"), std::nullopt);
  EXPECT_EQ(detect_sequence_format("a ACDE\n% x y z\nb EFG.-\n"), Selex);
  EXPECT_EQ(detect_sequence_format("a ACDE\nb\n"), std::nullopt);
  EXPECT_EQ(detect_sequence_format("to be or not\n"), std::nullopt);
  EXPECT_EQ(detect_sequence_format(""), std::nullopt);
}

TEST(DetectSequenceFormat, IgnoresAnIncompleteLastLine) {
  EXPECT_EQ(detect_sequence_format("a ACDE\nb"), Selex);
  EXPECT_EQ(detect_sequence_format(">" + std::string(70'000, 'x')), Fasta);
}

}  // namespace
}  // namespace gpuhmm
