// Searches and scans with the installed library: uses_gpuhmm PROFILES SEQUENCES. Makes engines once for all
// runs. Prints each hit of two searches, then those of a scan: profile, sequence, score, E-value and number
// of domains.
#include <cstdio>
#include <exception>
#include <gpuhmm/engine_maker.hpp>
#include <gpuhmm/scan.hpp>
#include <gpuhmm/search.hpp>
#include <memory>
#include <string>

namespace {

void print(const char* run, const std::string& profile, const std::string& sequence,
           const gpuhmm::SequenceHit& hit, double database_size) {
  std::printf("%s %s %s %.1f %.2g %d\n", run, profile.c_str(), sequence.c_str(),
              static_cast<double>(hit.score), hit.p_value * database_size, hit.domain_count);
}

class PrintSearch : public gpuhmm::SearchObserver {
 public:
  gpuhmm::ResultWriter result(const gpuhmm::Profile& profile, const gpuhmm::Thresholds& thresholds,
                              gpuhmm::SearchResult&& result) override {
    const auto found = std::make_shared<gpuhmm::SearchResult>(std::move(result));
    return [name = profile.name, thresholds, found] {
      const auto size = static_cast<double>(found->searched);
      const gpuhmm::HitLists ranked =
          gpuhmm::rank_hits(found->sequences, found->domains, gpuhmm::ReportKind::Search);
      const gpuhmm::HitLists shown = gpuhmm::reported_hits(ranked, thresholds, size);
      for (const gpuhmm::SequenceHit* hit : shown.sequences) print("search", name, hit->name, *hit, size);
    };
  }
  void warning(const std::string& message) override { std::fprintf(stderr, "%s\n", message.c_str()); }
};

class PrintScan : public gpuhmm::ScanObserver {
 public:
  gpuhmm::ResultWriter result(const gpuhmm::SequenceView& query, gpuhmm::ScanResult&& result) override {
    const auto found = std::make_shared<gpuhmm::ScanResult>(std::move(result));
    return [name = std::string(query.name), found] {
      const gpuhmm::HitLists ranked =
          gpuhmm::rank_hits(found->hits.sequences, found->hits.domains, gpuhmm::ReportKind::Scan);
      const gpuhmm::HitLists shown = gpuhmm::reported_hits(ranked, found->thresholds, found->database_size);
      for (const gpuhmm::SequenceHit* hit : shown.sequences) {
        print("scan", hit->name, name, *hit, found->database_size);
      }
    };
  }
  void warning(const std::string& message) override { std::fprintf(stderr, "%s\n", message.c_str()); }
};

void run(const std::string& profiles, const std::string& sequences) {
  const auto warn = [](const std::string& message) { std::fprintf(stderr, "%s\n", message.c_str()); };
  gpuhmm::EnginePool engines(gpuhmm::EngineMaker("none", 1).make({}, warn), warn);
  const auto open = [&](const gpuhmm::Alphabet& alphabet) {
    return gpuhmm::open_sequences(sequences, alphabet);
  };
  gpuhmm::SearchOptions searching;
  searching.engines = &engines;
  PrintSearch print_search;
  for (int time = 0; time < 2; ++time) {
    gpuhmm::ProfileReader reader(profiles);
    gpuhmm::search(reader, open, true, searching, print_search);
  }
  gpuhmm::ScanOptions scanning;
  scanning.engines = &engines;
  PrintScan print_scan;
  gpuhmm::scan([&] { return gpuhmm::ProfileBlocks(profiles, 1); }, true, open, scanning, print_scan);
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) return 2;
  try {
    run(words[1], words[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "uses_gpuhmm: %s\n", error.what());
    return 1;
  }
}
