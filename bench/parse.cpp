// Measures the reading of sequence files on one thread: MB of the file and residues a second.
// Usage: bench_parse [FILE...]; without files a FASTA file of 200 MB is made in the temporary folder.
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "gpuhmm/sequence_file.hpp"

namespace {

constexpr std::size_t kBlockSequences = 100'000, kBlockResidues = std::size_t{8} << 20;
constexpr int kRuns = 5;

/// Random proteins of 50 to 700 residues in lines of 60.
void write_fasta(const std::filesystem::path& path, std::size_t bytes) {
  std::mt19937 random(1);
  std::ofstream file(path, std::ios::binary);
  std::string record;
  for (std::size_t written = 0, i = 0; written < bytes; written += record.size(), ++i) {
    record = ">sp|P" + std::to_string(10'000 + i) + "|PROTEIN_" + std::to_string(i) +
             " Some protein OS=Homo sapiens\n";
    for (std::size_t length = 50 + random() % 650, column = 1; length > 0; --length, ++column) {
      record += "ACDEFGHIKLMNPQRSTVWY"[random() % 20];
      if (column % 60 == 0 || length == 1) record += '\n';
    }
    file << record;
  }
}

void measure(const std::string& path) {
  double best = 1e30;
  std::size_t residues = 0, sequences = 0;
  for (int run = 0; run < kRuns; ++run) {
    residues = sequences = 0;
    const auto start = std::chrono::steady_clock::now();
    const auto reader = gpuhmm::open_sequences(path, gpuhmm::Alphabet::get(gpuhmm::AlphabetKind::Amino));
    gpuhmm::SequenceBatch batch;
    while (gpuhmm::read_block(*reader, batch, kBlockSequences, kBlockResidues)) {
      residues += batch.residue_count();
      sequences += batch.size();
      batch.clear();
    }
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count());
  }
  const double megabytes = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
  std::printf("%s: %zu sequences, %zu residues, %.1f MB file, %.4f s, %.0f MB/s, %.0f million residues/s\n",
              path.c_str(), sequences, residues, megabytes, best, megabytes / best,
              static_cast<double>(residues) / 1e6 / best);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> files(argv + 1, argv + argc);
    for (const std::string& file : files) measure(file);
    if (files.empty()) {
      const auto path = std::filesystem::temp_directory_path() / "gpuhmm-bench-parse.fasta";
      write_fasta(path, 200'000'000);
      measure(path);
      std::filesystem::remove(path);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_parse: %s\n", error.what());
    return 1;
  }
}
