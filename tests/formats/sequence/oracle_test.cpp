// HMMER 2.3.2 reads the same sequences: hmm2pfam gives the same report for a file and for a FASTA file of the
// sequences that gpuhmm read from it; names, accessions and descriptions also agree. Needs the program
// hmm2pfam.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <random>
#include <sstream>

#include "formats/io/temporary_folder.hpp"
#include "formats/sequence/format_writers.hpp"
#include "formats/sequence/records.hpp"

namespace gpuhmm {
namespace {

using namespace test;

constexpr std::size_t kMaxName = 63, kMaxText = 127;  // lengths to which HMMER cuts names and texts

std::string output_of(const std::string& command) {
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("popen");
  std::string text;
  char buffer[4096];
  while (const std::size_t got = fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, got);
  if (pclose(pipe) != 0) throw std::runtime_error("failed: " + command + "\n" + text);
  return text;
}

struct Report {
  Records records;   // without residues
  std::string rest;  // scores and alignments
};

Report hmm2pfam(const std::string& path, SequenceFormat format) {
  std::istringstream lines(output_of("hmm2pfam --cpu 0 -E 1e9 --informat " + std::string(name_of(format)) +
                                     " " GPUHMM_TESTDATA "/hmm/RRM_1_ls.hmm '" + path + "' 2>&1"));
  Report report;
  std::string line;
  const auto value = [&] {
    const std::string text = line.substr(16);
    return text == "[none]" ? std::string() : text;
  };
  while (std::getline(lines, line)) {
    if (line.starts_with("Query sequence: ")) {
      report.records.push_back({value(), {}, {}, {}});
    } else if (line.starts_with("Accession:      ")) {
      report.records.back().accession = value();
    } else if (line.starts_with("Description:    ")) {
      report.records.back().description = value();
    } else if (!report.records.empty()) {
      report.rest += line + "\n";
    }
  }
  return report;
}

void expect_same_as_hmm2pfam(const std::string& path, SequenceFormat format) {
  const TemporaryFolder folder;
  Records records = read_file(path, format);
  const std::string fasta = folder.write("fasta", write_fasta(records, 60));
  const Report direct = hmm2pfam(path, format), through_us = hmm2pfam(fasta, SequenceFormat::Fasta);
  for (Record& r : records) {
    r = {r.name.substr(0, kMaxName), r.accession.substr(0, kMaxText), r.description.substr(0, kMaxText), {}};
  }
  ASSERT_FALSE(records.empty());
  EXPECT_EQ(direct.records, records) << path;
  EXPECT_FALSE(direct.rest.empty());
  EXPECT_EQ(direct.rest, through_us.rest) << path;
}

class Oracle : public testing::TestWithParam<FormatCase> {};

TEST_P(Oracle, ReadsRandomFilesAlike) {
  const FormatCase& format = GetParam();
  const TemporaryFolder folder;
  std::mt19937 random(4);
  Records records(format.single ? 1 : 7);
  for (std::size_t i = 0; i < records.size(); ++i) {
    Record& r = records[i];
    r.name = "name" + std::to_string(i);
    if (i % 2 == 0) r.accession = "Q" + std::to_string(random() % 10'000);
    if (i % 3 != 0) r.description = "some text of " + std::string(random() % 200, 'w');
    const bool strict = format.format == SequenceFormat::Phylip || format.format == SequenceFormat::Clustal ||
                        format.format == SequenceFormat::Msf || format.format == SequenceFormat::A2m;
    const std::size_t length = strict ? 140 : 20 + random() % 200;
    while (r.residues.size() < length) r.residues += "ACDEFGHIKLMNPQRSTVWYUBZXacdeJo"[random() % 30];
  }
  expect_same_as_hmm2pfam(folder.write("file", format.write(records, 50)), format.format);
}

INSTANTIATE_TEST_SUITE_P(Formats, Oracle, testing::ValuesIn(all_formats()),
                         [](const auto& test) { return std::string(name_of(test.param.format)); });

TEST(OracleFiles, AreReadAlike) {
  using enum SequenceFormat;
  const std::string folder = GPUHMM_TESTDATA "/seq/";
  expect_same_as_hmm2pfam(folder + "uniprot_flat.dat", Embl);
  expect_same_as_hmm2pfam(folder + "composed.embl", Embl);
  expect_same_as_hmm2pfam(folder + "composed.gb", Genbank);
  expect_same_as_hmm2pfam(folder + "RRM_1.sto", Stockholm);
}

TEST(OracleFiles, AreReadAlikeIfShared) {
  const std::filesystem::path folder = GPUHMM_SHARED "/data";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no " << folder;
  using enum SequenceFormat;
  const TemporaryFolder scratch;
  const std::string entries = scratch.file("entries.dat");
  output_of("gzip -dc '" + (folder / "tm/uniprot_tm_entries.dat.gz").string() + "' > '" + entries + "'");
  expect_same_as_hmm2pfam(entries, Embl);
  for (const char* name :
       {"Caudal_act", "120_Rick_ant", "Cyclin_N", "ArsP_1", "SMC_N", "nucleic_SraC_RyeA"}) {
    expect_same_as_hmm2pfam(folder / "align" / (std::string(name) + ".sto"), Stockholm);
  }
  expect_same_as_hmm2pfam(folder / "seq/short.fasta", Fasta);
}

}  // namespace
}  // namespace gpuhmm
