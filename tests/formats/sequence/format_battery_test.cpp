// Tests that every sequence format must pass: records written and read back, line ends, compression, odd
// characters, truncated files.
#include <gtest/gtest.h>

#include <random>

#include "formats/io/gzip_data.hpp"
#include "formats/sequence/format_writers.hpp"
#include "formats/sequence/records.hpp"

namespace gpuhmm {
namespace {

using namespace test;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

class EveryFormat : public testing::TestWithParam<FormatCase> {
 protected:
  using Random = std::mt19937;

  const FormatCase& format() const { return GetParam(); }
  std::optional<SequenceFormat> forced() const {
    return format().detected ? std::nullopt : std::optional(format().format);
  }
  Records read(std::string_view text) const { return read_text(text, forced()); }

  /// Records as the format keeps them.
  Records random_records(Random& random, std::size_t count, std::size_t max_length) const {
    const auto word = [&](std::size_t length) {
      std::string text;
      while (text.size() < length) text += "abcXYZ019_|/.:"[random() % 14];
      return text;
    };
    Records records(format().single ? 1 : count);
    for (std::size_t i = 0; i < records.size(); ++i) {
      Record& r = records[i];
      r.name = std::to_string(i) + "n" + word(1 + random() % 6);
      if (format().accession) r.accession = "A" + word(random() % 5);
      if (format().description) r.description = "d" + word(random() % 9) + " of " + word(1 + random() % 90);
      const std::size_t length = 1 + random() % max_length;
      while (r.residues.size() < length) r.residues += "ACDEFGHIKLMNPQRSTVWYUBZX"[random() % 24];
    }
    return records;
  }
};

TEST_P(EveryFormat, ReadsRandomRecordsBack) {
  Random random(11);
  for (int round = 0; round < 60; ++round) {
    const Records records = random_records(random, 1 + random() % 12, round % 3 == 0 ? 20'000 : 150);
    const std::size_t width = 1 + random() % 100;
    ASSERT_EQ(read(format().write(records, width)), records) << "round " << round << ", width " << width;
  }
}

TEST_P(EveryFormat, IsRecognisedByContent) {
  Random random(3);
  const std::string text = format().write(random_records(random, 3, 100), 60);
  const auto expected = format().detected ? format().format : SequenceFormat::Fasta;
  EXPECT_EQ(detect_sequence_format(text), expected);
  EXPECT_EQ(detect_sequence_format("\n \r\n" + replaced(text, "\n", "\r\n")), expected);
}

TEST_P(EveryFormat, AllowsAnyLineEnds) {
  Random random(5);
  const Records records = random_records(random, 4, 300);
  std::string text = format().write(records, 60);
  EXPECT_EQ(read(replaced(text, "\n", "\r\n")), records);
  EXPECT_EQ(read("\n\n" + text), records);
  EXPECT_EQ(read("\xef\xbb\xbf" + text), records);
  EXPECT_EQ(read(text + "\n\n"), records);
  while (text.ends_with('\n')) text.pop_back();
  EXPECT_EQ(read(text), records);
}

TEST_P(EveryFormat, AllowsCompression) {
  Random random(6);
  const Records records = random_records(random, 9, 30'000);
  const std::string text = format().write(records, 70);
  const std::size_t half = text.size() / 2;
  EXPECT_EQ(read(gzip(text)), records);
  EXPECT_EQ(read(gzip(text.substr(0, half)) + gzip(text.substr(half))), records);
  EXPECT_EQ(read(bgzf(text, 20'000)), records);
  EXPECT_NE(failure(gzip(text).substr(0, 900), forced()), "");
}

TEST_P(EveryFormat, AllowsVeryLongLines) {
  Random random(7);
  Records records = random_records(random, 2, 10);
  records.front().residues.assign(3'000'000, 'K');
  EXPECT_EQ(read(format().write(records, 5'000'000)), records);
}

TEST_P(EveryFormat, ReadsLowerCaseAsUpperCaseAndOtherCharactersAsX) {
  Random random(8);
  Records records = random_records(random, 1, 10);
  records.front().residues = "acdeJO*?@\x01\xc3z";
  const std::string text = format().write(records, 60);
  records.front().residues = "ACDEXXXXXXXZ";
  EXPECT_EQ(read_text(text, format().format), records);
}

TEST_P(EveryFormat, AllowsRecordsWithoutAccessionAndDescription) {
  Random random(9);
  Records records = random_records(random, 3, 80);
  for (Record& r : records) r.accession = r.description = "";
  EXPECT_EQ(read(format().write(records, 60)), records);
}

TEST_P(EveryFormat, TakesTextsThatBeginWithADashForNone) {
  Random random(10);
  Records records = random_records(random, 3, 80);
  for (Record& r : records) {
    if (format().accession) r.accession = "-Q1";
    if (format().description) r.description = "-something";
  }
  const std::string text = format().write(records, 60);
  for (Record& r : records) r.accession = r.description = "";
  EXPECT_EQ(read(text), records);
}

TEST_P(EveryFormat, AllowsEmptyRecords) {
  Random random(12);
  for (const std::size_t empty : {0, 1, 2}) {
    Records records = random_records(random, 3, 80);
    if (empty >= records.size()) continue;
    records[empty].residues.clear();
    EXPECT_EQ(read(format().write(records, 60)), records);
  }
}

TEST_P(EveryFormat, AllowsLongNamesAndNamesThatBeginWithADash) {
  Random random(13);
  Records records = random_records(random, 3, 80);
  records.front().name = "-dash";
  if (format().format != SequenceFormat::Phylip) records.back().name = "x" + std::string(100'000, 'n');
  EXPECT_EQ(read(format().write(records, 60)), records);
}

TEST_P(EveryFormat, RefusesZeroBytes) {
  Random random(14);
  const std::string text = format().write(random_records(random, 3, 80), 60);
  for (std::size_t at = 0; at < text.size(); at += 7) {
    std::string damaged = text;
    damaged[at] = '\0';
    EXPECT_NE(failure(damaged, format().format), "") << at;
  }
}

TEST_P(EveryFormat, RefusesTruncatedFilesOrReadsWholeRecords) {
  Random random(15);
  const Records records = random_records(random, 3, 80);
  const std::string text = format().write(records, 30);
  std::size_t refused = 0;
  for (std::size_t size = 0; size < text.size(); ++size) {
    const std::string cut = text.substr(0, size);
    if (!failure(cut, format().format).empty()) {
      ++refused;
      continue;
    }
    const Records read = read_text(cut, format().format);
    ASSERT_LE(read.size(), records.size());
    for (std::size_t i = 0; i < read.size(); ++i) {
      if (format().ended) {
        EXPECT_EQ(read[i], records[i]) << "cut at " << size;
      } else {
        EXPECT_TRUE(records[i].residues.starts_with(read[i].residues)) << "cut at " << size;
      }
    }
  }
  EXPECT_GT(refused, 0U);
}

TEST_P(EveryFormat, DoesNotCrashOnDamagedFiles) {
  Random random(16);
  const std::string text = format().write(random_records(random, 3, 80), 30);
  for (int round = 0; round < 400; ++round) {
    std::string damaged = text;
    for (int i = 0; i < 3; ++i) {
      const std::size_t at = random() % damaged.size();
      switch (random() % 3) {
        case 0:
          damaged[at] = static_cast<char>(random());
          break;
        case 1:
          damaged.erase(at, random() % 20);
          break;
        default:
          damaged.insert(at, text, random() % text.size(), random() % 20);
      }
    }
    failure(damaged, format().format);
    failure(damaged);
  }
}

TEST_P(EveryFormat, RefusesEmptyFiles) {
  for (const char* text : {"", "\n", " \r\n\n"}) {
    EXPECT_EQ(failure(text, format().format), "file: the file is empty; expected sequences");
  }
}

TEST_P(EveryFormat, RefusesOtherFiles) {
  EXPECT_EQ(failure("HMMER2.0  [2.3.2]\nNAME  x\nLENG  3\n", format().format),
            "file: line 1: a profile file; expected sequences as one of " + sequence_format_names());
  if (format().format == SequenceFormat::Selex) return;  // two words a line could be an alignment
  for (const char* text :
       {"#!/bin/sh\necho hello, world!\n", "Dear reader,\n\nthis is text: no sequences.\n"}) {
    EXPECT_NE(failure(text, format().format), "") << text;
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, EveryFormat, testing::ValuesIn(all_formats()),
                         [](const auto& test) { return std::string(name_of(test.param.format)); });

}  // namespace
}  // namespace gpuhmm
