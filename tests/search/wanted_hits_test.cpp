// A search or a scan that need not find all registered hits finds the same reported ones, and aligns fewer
// pairs.
#include <cfloat>
#include <string>
#include <vector>

#include "gpuhmm/database.hpp"
#include "search/scan_run.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;

// What a report shows of the hits.
std::vector<std::string> reported(const RegisteredHits& hits, const Thresholds& thresholds, double size,
                                  ReportKind kind, HitsWanted wanted) {
  const HitLists lists = reported_hits(rank_hits(hits.sequences, hits.domains, kind), thresholds, size);
  RegisteredHits shown;
  if (wanted != HitsWanted::WithDomains) {
    for (const SequenceHit* hit : lists.sequences) shown.sequences.push_back(*hit);
  }
  for (const DomainHit* hit : lists.domains) shown.domains.push_back(*hit);
  return describe_hits(shown);
}

std::vector<Thresholds> many_thresholds() {
  Thresholds none;
  none.sequence_e = DBL_MAX;
  std::vector<Thresholds> asked(9, none);
  asked[0] = Thresholds();
  asked[1].sequence_e = 1e-4;
  asked[2].sequence_t = 5;
  asked[3].sequence_e = 0.5;
  asked[3].database_size = 4'000;
  asked[4].domain_e = 1e-9F;
  asked[5].domain_t = 30;
  asked[6].cutoff = CutoffKind::Gathering;
  asked[7].sequence_e = 3;
  asked[7].null2 = false;
  asked[8].sequence_e = 1;
  asked[8].forward = true;
  return asked;
}

class SearchingForWantedHits : public ::testing::Test {
 protected:
  SearchingForWantedHits()
      : profiles_(folder_.write("profiles.hmm", join_profiles({"RRM_1_ls.hmm", "RRM_1_fs.hmm", "RRM_1_s.hmm",
                                                               "Acetyltransf_1_ls.hmm"}))),
        fasta_(folder_.write("sequences.fasta", proteins_and_empty_records(4))) {}

  SearchRun run(const std::string& sequences, const Thresholds& thresholds, HitsWanted wanted,
                std::size_t batch) {
    SearchOptions options;
    options.thresholds = thresholds;
    options.histogram = false;
    options.wanted = wanted;
    options.batch_residues = batch;
    options.group_nodes = 100;  // several passes
    options.count_empty = batch % 2 == 0;
    options.make_engines = [](const ExpectedWork&, const Warning&, const EngineOpened&) {
      std::vector<std::unique_ptr<ScoreEngine>> engines;
      engines.push_back(make_simd_engine(1));
      return engines;
    };
    SearchRun run;
    ProfileReader reader(profiles_);
    const SequenceSource source(sequences, std::nullopt, 1);
    const SequenceOpener open = [&](const Alphabet& alphabet) { return source.open(alphabet); };
    run.totals = search(reader, open, true, options, run);
    return run;
  }

  static std::int64_t aligned(const SearchRun& run) {
    std::int64_t count = 0;
    for (const FoundByProfile& found : run.found) count += found.result.rescored;
    return count;
  }

  void expect_same_reports(const std::string& sequences, const Thresholds& asked, HitsWanted wanted,
                           std::size_t batch) {
    const SearchRun all = run(sequences, asked, HitsWanted::Registered, batch);
    const SearchRun fewer = run(sequences, asked, wanted, batch);
    ASSERT_EQ(all.found.size(), fewer.found.size());
    const std::vector<Profile> profiles = read_profiles(profiles_);
    for (std::size_t i = 0; i < all.found.size(); ++i) {
      const Thresholds thresholds = thresholds_for(profiles[i], asked);
      const auto report = [&](const SearchResult& result) {
        const double size = asked.database_size.value_or(static_cast<double>(result.searched));
        return reported(result, thresholds, size, ReportKind::Search, wanted);
      };
      EXPECT_EQ(report(fewer.found[i].result), report(all.found[i].result));
    }
    EXPECT_LE(aligned(fewer), aligned(all));
  }

  TemporaryFolder folder_;
  std::string profiles_, fasta_;
};

TEST_F(SearchingForWantedHits, ReportsTheSame) {
  const std::string database = folder_.write("sequences.ghdb", "");
  make_database(fasta_, std::nullopt, database, AlphabetKind::Amino);
  const std::vector<Thresholds> kinds = many_thresholds();
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    for (const HitsWanted wanted : {HitsWanted::Reported, HitsWanted::WithDomains}) {
      for (const std::size_t batch : {std::size_t{2'000}, std::size_t{1'000'001}}) {
        SCOPED_TRACE("thresholds " + std::to_string(i) + ", batches of " + std::to_string(batch));
        expect_same_reports(fasta_, kinds[i], wanted, batch);
        expect_same_reports(database, kinds[i], wanted, batch);
      }
    }
  }
}

TEST_F(SearchingForWantedHits, KnowsTheNumberOfSequencesOfADatabaseBeforeTheFirstAlignment) {
  const std::string database = folder_.write("sequences.ghdb", "");
  make_database(fasta_, std::nullopt, database, AlphabetKind::Amino);
  constexpr std::size_t kSmall = 2'000, kWhole = 1'000'000;
  const std::int64_t registered = aligned(run(fasta_, {}, HitsWanted::Registered, kSmall));
  const std::int64_t by_batches = aligned(run(fasta_, {}, HitsWanted::Reported, kSmall));
  const std::int64_t whole = aligned(run(fasta_, {}, HitsWanted::Reported, kWhole));
  EXPECT_EQ(aligned(run(database, {}, HitsWanted::Reported, kSmall)), whole);
  EXPECT_EQ(aligned(run(database, {}, HitsWanted::Registered, kSmall)), registered);
  EXPECT_LT(whole, by_batches);
  EXPECT_LT(by_batches, registered);
}

TEST_F(SearchingForWantedHits, FindsEveryRegisteredHitForAHistogram) {
  SearchOptions options;
  options.wanted = HitsWanted::Reported;
  options.make_engines = [](const ExpectedWork&, const Warning&, const EngineOpened&) {
    std::vector<std::unique_ptr<ScoreEngine>> engines;
    engines.push_back(make_simd_engine(1));
    return engines;
  };
  SearchRun run;
  run.run(profiles_, fasta_, options, true);
  const SearchRun all = this->run(fasta_, {}, HitsWanted::Registered, 1'000'001);
  for (std::size_t i = 0; i < all.found.size(); ++i) {
    EXPECT_EQ(describe_hits(run.found[i].result), describe_hits(all.found[i].result));
  }
}

TEST_F(Scanning, ReportsTheSameOfFewerAlignments) {
  use_profiles(kProfiles);
  use_sequences(proteins(60));
  std::size_t registered = 0, wanted_only = 0;
  for (const Thresholds& thresholds : many_thresholds()) {
    for (const ScanCounting counting : {ScanCounting::Serial, ScanCounting::Threaded}) {
      for (const double group : {1.0, 1e9}) {
        options_.thresholds = thresholds;
        options_.counting = counting;
        options_.small_group_nodes = group;
        options_.wanted = HitsWanted::Registered;
        const ScanRun all = run();
        for (const HitsWanted wanted : {HitsWanted::Listed, HitsWanted::Reported, HitsWanted::WithDomains}) {
          options_.wanted = wanted;
          const ScanRun fewer = run();
          for (std::size_t i = 0; i < all.results.size(); ++i) {
            const auto report = [&](const ScanResult& result) {
              return reported(result.hits, result.thresholds, result.database_size, ReportKind::Scan, wanted);
            };
            EXPECT_EQ(report(fewer.results[i]), report(all.results[i]));
          }
          registered += all.results[0].hits.sequences.size();
          wanted_only += fewer.results[0].hits.sequences.size();
          if (wanted != HitsWanted::Listed) continue;
          const auto long_names = [](const ScanResult& result) {
            return std::ranges::count_if(result.hits.sequences, [](const SequenceHit& hit) {
              return hit.name.size() > kShortNameBytes;
            });
          };
          EXPECT_EQ(long_names(fewer.results[0]), long_names(all.results[0]));
        }
      }
    }
  }
  EXPECT_LT(wanted_only, registered);
}

}  // namespace
}  // namespace gpuhmm
