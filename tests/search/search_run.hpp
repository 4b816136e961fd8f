// Runs searches on test data and describes their hits as text, so that two runs can be compared.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "gpuhmm/search.hpp"

namespace gpuhmm::testing {

/// A temporary folder, removed at the end of the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = std::filesystem::temp_directory_path() / "gpuhmm-search-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  /// Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

/// The content of a file of testdata/.
inline std::string test_data(const std::string& name) {
  std::ifstream in(std::string(GPUHMM_TESTDATA) + "/" + name, std::ios::binary);
  if (!in) throw std::runtime_error("testdata/" + name + " is missing");
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The content of several profile files of testdata/hmm, joined.
inline std::string join_profiles(std::initializer_list<const char*> names) {
  std::string joined;
  for (const char* name : names) joined += test_data(std::string("hmm/") + name);
  return joined;
}

/// Every `step`-th protein of testdata/, with records without residues at both ends and in between.
inline std::string proteins_and_empty_records(std::size_t step) {
  const std::string all = test_data("seq/uniprot.fasta");
  std::string chosen = ">empty_first\n";
  std::size_t number = 0;
  for (std::size_t at = 0; at < all.size(); ++number) {
    const std::size_t next = std::min(all.find("\n>", at), all.size() - 1) + 1;
    if (number % step == 0) chosen += all.substr(at, next - at);
    if (number % (step * 10) == 0) chosen += ">empty_" + std::to_string(number) + " no residues\n";
    at = next;
  }
  return chosen + ">empty_last\n";
}

/// All numbers (exactly) and texts of the hits of a SearchResult or RegisteredHits, one line for each hit.
template <class Hits>
std::vector<std::string> describe_hits(const Hits& result) {
  std::vector<std::string> lines;
  char numbers[400];
  for (const SequenceHit& hit : result.sequences) {
    std::snprintf(numbers, sizeof numbers, " %a %a %d %lld #%llu ", hit.score, hit.p_value, hit.domain_count,
                  static_cast<long long>(hit.sequence_length),
                  static_cast<unsigned long long>(hit.target_index));
    lines.push_back("sequence " + hit.name + numbers + hit.accession + "|" + hit.description);
  }
  for (const DomainHit& hit : result.domains) {
    std::snprintf(numbers, sizeof numbers,
                  " %d/%d %a %a of %a %a bias %a, %lld-%lld/%lld %d-%d/%d #%llu %zu ", hit.number, hit.count,
                  hit.score, hit.p_value, hit.sequence_score, hit.sequence_p_value, hit.bias,
                  static_cast<long long>(hit.sequence_from), static_cast<long long>(hit.sequence_to),
                  static_cast<long long>(hit.sequence_length), hit.profile_from, hit.profile_to,
                  hit.profile_length, static_cast<unsigned long long>(hit.target_index), hit.trace_columns);
    const DomainAlignment& rows = hit.alignment;
    lines.push_back("domain " + hit.name + numbers + hit.accession + "|" + hit.description + "|" +
                    hit.query_name + "|" + rows.cs + "|" + rows.rf + "|" + rows.model + "|" + rows.middle +
                    "|" + rows.sequence);
  }
  return lines;
}

/// The histogram, one line for each bin.
inline std::vector<std::string> describe_histogram(const SearchResult& result) {
  std::vector<std::string> lines;
  for (const auto& [bin, count] : result.histogram.bins()) {
    lines.push_back("bin " + std::to_string(bin) + ": " + std::to_string(count));
  }
  return lines;
}

/// The result of one profile.
struct FoundByProfile {
  std::string profile;
  SearchResult result;
};

/// A whole search: results, warnings, totals, and how often the sequences were opened.
struct SearchRun : SearchObserver {
  std::vector<FoundByProfile> found;
  std::vector<std::string> warnings;
  SearchStatistics totals;
  int openings = 0;

  ResultWriter result(const Profile& profile, const Thresholds&, SearchResult&& result) override {
    return [this, one = FoundByProfile{profile.name, std::move(result)}] { found.push_back(one); };
  }
  void warning(const std::string& message) override { warnings.push_back(message); }

  void run(const std::string& profiles, const std::string& sequences, const SearchOptions& options,
           bool reopenable) {
    ProfileReader reader(profiles);
    const SequenceOpener open = [&](const Alphabet& alphabet) {
      ++openings;
      return open_sequences(sequences, alphabet);
    };
    totals = search(reader, open, reopenable, options, *this);
  }
};

}  // namespace gpuhmm::testing
