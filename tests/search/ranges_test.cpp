// What ranges of the sequences or of the profiles give is together what the whole files give, for all
// drivers.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gpuhmm/hmmer3_press.hpp"
#include "gpuhmm/hmmer3_run.hpp"
#include "gpuhmm/parts.hpp"
#include "gpuhmm/scan.hpp"
#include "gpuhmm/search.hpp"
#include "search/long_cases.hpp"
#include "search/search_run.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;

// The results of a run with the names of the queries, in the form of a part.
using Results = std::vector<std::pair<std::string, PartContent>>;

template <class Observer>
class Collecting : public Observer {
 public:
  Results results;
  void warning(const std::string& message) override { FAIL() << message; }

 protected:
  ResultWriter keep(std::string name, PartContent content) {
    return
        [this, name = std::move(name), content = std::move(content)] { results.emplace_back(name, content); };
  }
};

struct SearchResults : Collecting<SearchObserver> {
  ResultWriter result(const Profile& profile, const Thresholds& thresholds, SearchResult&& found) override {
    SearchRecord record;
    record.profile.name = profile.name;
    record.thresholds = thresholds;
    record.hits = found;
    record.histogram = found.histogram;
    record.searched = found.searched;
    return keep(profile.name, std::move(record));
  }
};

struct ScanResults : Collecting<ScanObserver> {
  ResultWriter result(const SequenceView& query, ScanResult&& found) override {
    return keep(std::string(query.name), ScanRecord{std::string(query.name),
                                                    {},
                                                    {},
                                                    0,
                                                    std::move(found.hits),
                                                    found.thresholds,
                                                    found.profiles,
                                                    found.database_size});
  }
};

struct Hmmer3Results : Collecting<hmmer3::SearchObserver> {
  ResultWriter result(const hmmer3::Query& query, hmmer3::QueryResult&& found,
                      const hmmer3::QueryTimes&) override {
    return keep(query.name, Hmmer3Record{query, std::move(found), {}});
  }
};

// Cuts that divide `size` records at random; some ranges are empty, the last one has no end.
std::vector<RecordRange> random_ranges(std::mt19937& random, std::uint64_t size) {
  std::vector<std::uint64_t> cuts(1 + random() % 3);
  for (std::uint64_t& cut : cuts) cut = random() % (size + 2);
  std::ranges::sort(cuts);
  std::vector<RecordRange> ranges(1);
  for (const std::uint64_t cut : cuts) {
    ranges.back().end = cut;
    ranges.push_back({cut, RecordRange{}.end});
  }
  return ranges;
}

class Ranges : public ::testing::Test {
 protected:
  static constexpr std::uint64_t kProfiles = 6;

  Ranges() {
    hmmer3_.report.e_value = thresholds_.sequence_e = 1000;
    sequences_ = folder_.write("sequences.fasta", proteins_and_empty_records(3));
    old_ =
        folder_.write("old.hmm", join_profiles({"RRM_1_ls.hmm", "RRM_1_g_uncalibrated.hmm", "RRM_1_fs.hmm",
                                                "Pkinase_ls.hmm", "RRM_1_s.hmm", "Acetyltransf_1_ls.hmm"}));
    std::string text;
    for (const char* const name :
         {"hmm/RRM_1_hmmer3.hmm", "hmmer3/scoring/Pkinase.hmm", "hmmer3/scoring/fn3.hmm",
          "hmmer3/scoring/globins4.hmm", "hmm/RRM_1_hmmer3.hmm", "hmmer3/scoring/Pkinase.hmm"}) {
      text += test_data(name);
    }
    new_ = folder_.write("new.hmm", text);
    count();
  }

  void count() {
    const auto reader = open_sequences(sequences_, Alphabet::get(AlphabetKind::Amino));
    SequenceBatch all;
    while (reader->read(all)) {
    }
    records_ = all.size();
  }

  // Sequences of about the length at which HMMER's matrix for a profile of 1,320 nodes reaches the limit of
  // memory: some are aligned otherwise than they would be alone.
  void use_long_sequences(const std::vector<std::size_t>& lengths, int period = 0) {
    const std::string few = join_profiles({"RRM_1_ls.hmm", "Acetyltransf_1_ls.hmm"});
    const std::string one = folder_.write("one", test_data("hmm/Pkinase_ls.hmm"));
    old_ = folder_.write("old.hmm", few + lengthened(read_profiles(one)[0], 5, period) + few +
                                        test_data("hmm/Pkinase_ls.hmm"));
    sequences_ = folder_.write("long.fasta", proteins_of_lengths(lengths, static_cast<std::size_t>(period)));
    thresholds_.sequence_e = 1e9;
    count();
  }

  SequenceOpener opener(const RecordRange& range) const {
    return [this, range](const Alphabet& alphabet) {
      auto reader = open_sequences(sequences_, alphabet);
      reader->set_range(range);
      return reader;
    };
  }

  // Options that must not change results, drawn anew.
  void draw(RunOptions& options, const RecordRange& profiles) {
    options.profiles = profiles;
    options.threads = 1 + static_cast<unsigned>(random_() % 3);
    options.batch_residues = random_() % 3 == 0 ? 0 : 500 + random_() % 5000;
    options.thresholds = thresholds_;
    options.make_engines = [threads = options.threads](const ExpectedWork&, const Warning&,
                                                       const EngineOpened&) {
      std::vector<std::unique_ptr<ScoreEngine>> engines;
      engines.push_back(make_simd_engine(threads));
      return engines;
    };
  }

  Results searched(const RecordRange& profiles, const RecordRange& sequences) {
    SearchOptions options;
    draw(options, profiles);
    options.group_nodes = random_() % 2 == 0 ? 100 : 200'000;
    ProfileReader reader(old_);
    SearchResults results;
    search(reader, opener(sequences), random_() % 4 != 0, options, results);
    return results.results;
  }

  Results scanned(const RecordRange& profiles, const RecordRange& sequences) {
    ScanOptions options;
    draw(options, profiles);
    options.small_batch = random_() % 2 == 0 ? 1 : 500'000;
    options.small_group_nodes = options.large_group_nodes = random_() % 2 == 0 ? 100 : 20'000;
    ScanResults results;
    scan([&] { return ProfileBlocks(old_, options.threads); }, random_() % 4 != 0, opener(sequences), options,
         results);
    return results.results;
  }

  hmmer3::SearchOptions hmmer3_options(const RecordRange& profiles) {
    hmmer3::SearchOptions options;
    draw(options, profiles);
    options.group_nodes = random_() % 2 == 0 ? 100 : 200'000;
    options.hmmer3 = hmmer3_;
    return options;
  }

  Results searched3(const RecordRange& profiles, const RecordRange& sequences) {
    hmmer3::ProfileReader reader(new_);
    Hmmer3Results results;
    search(reader, opener(sequences), random_() % 4 != 0, hmmer3_options(profiles), results);
    return results.results;
  }

  Results scanned3(const RecordRange& profiles, const RecordRange& sequences) {
    Hmmer3Results results;
    scan([&] { return pressed_ ? hmmer3::open_pressed(new_) : hmmer3::ProfileReader(new_); }, true,
         opener(sequences), hmmer3_options(profiles), results);
    return results.results;
  }

  static void expect_same(const Results& whole, const Results& found) {
    ASSERT_EQ(whole.size(), found.size());
    for (std::size_t i = 0; i < whole.size(); ++i) {
      EXPECT_EQ(whole[i].first, found[i].first);
      EXPECT_EQ(packed(whole[i].second), packed(found[i].second)) << whole[i].first;
    }
  }

  // Joins the results of the targets' ranges by query.
  Results joined_by_query(const std::vector<Results>& all, ReportKind kind) const {
    Results whole;
    for (std::size_t i = 0; i < all.front().size(); ++i) {
      std::vector<PartContent> contents;
      for (const Results& some : all) contents.push_back(some.at(i).second);
      whole.emplace_back(all.front()[i].first, joined(std::move(contents), kind, hmmer3_));
    }
    return whole;
  }

  // The results of the queries' ranges.
  static Results one_after_another(const std::vector<Results>& all) {
    Results whole;
    for (const Results& some : all) whole.insert(whole.end(), some.begin(), some.end());
    return whole;
  }

  // `run`: a driver with ranges of the profiles and of the sequences.
  void expect_ranges_equal(const auto& run, ReportKind kind) {
    const Results whole = run(RecordRange{}, RecordRange{});
    ASSERT_FALSE(whole.empty());
    for (int i = 0; i < 6; ++i) {
      const bool by_profiles = i % 2 == 0;
      const std::vector<RecordRange> ranges = random_ranges(random_, by_profiles ? kProfiles : records_);
      std::vector<Results> all;
      std::string text;
      for (const RecordRange& range : ranges) {
        text += std::to_string(range.first) + " ";
        all.push_back(by_profiles ? run(range, RecordRange{}) : run(RecordRange{}, range));
      }
      SCOPED_TRACE((by_profiles ? "profiles from " : "sequences from ") + text);
      const bool queries = by_profiles == (kind == ReportKind::Search);
      expect_same(whole, queries ? one_after_another(all) : joined_by_query(all, kind));
    }
  }

  TemporaryFolder folder_;
  std::string sequences_, old_, new_;
  std::uint64_t records_ = 0;
  bool pressed_ = false;
  hmmer3::Options hmmer3_;
  Thresholds thresholds_;
  std::mt19937 random_{3};
};

TEST_F(Ranges, OfASearch) {
  expect_ranges_equal([this](const auto&... ranges) { return searched(ranges...); }, ReportKind::Search);
}
TEST_F(Ranges, OfAScan) {
  expect_ranges_equal([this](const auto&... ranges) { return scanned(ranges...); }, ReportKind::Scan);
}
TEST_F(Ranges, OfAScanWithCutoffs) {
  thresholds_.cutoff = CutoffKind::Gathering;
  expect_ranges_equal([this](const auto&... ranges) { return scanned(ranges...); }, ReportKind::Scan);
}
TEST_F(Ranges, OfASearchOfLongSequences) {
  std::vector<std::size_t> lengths(30, 2166);
  lengths[0] = 2145;
  use_long_sequences(lengths, 3);
  expect_ranges_equal([this](const auto&... ranges) { return searched(ranges...); }, ReportKind::Search);
}
TEST_F(Ranges, OfAScanOfLongSequences) {
  use_long_sequences({2150, 2210, 2270, 2330, 2390, 2450, 2510, 2570, 2630, 2690, 2750, 2810});
  expect_ranges_equal([this](const auto&... ranges) { return scanned(ranges...); }, ReportKind::Scan);
}
TEST_F(Ranges, OfAHmmer3Search) {
  expect_ranges_equal([this](const auto&... ranges) { return searched3(ranges...); }, ReportKind::Search);
}
TEST_F(Ranges, OfAHmmer3Scan) {
  expect_ranges_equal([this](const auto&... ranges) { return scanned3(ranges...); }, ReportKind::Scan);
}

TEST_F(Ranges, OfAHmmer3ScanOfAPressedLibrary) {
  std::string text;
  for (const char* const name : {"hmm/RRM_1_hmmer3.hmm", "hmmer3/scoring/Pkinase.hmm",
                                 "hmmer3/scoring/fn3.hmm", "hmmer3/scoring/globins4.hmm"}) {
    text += test_data(name);
  }
  new_ = folder_.write("pressed.hmm", text);
  hmmer3::press(new_, false);
  pressed_ = true;
  expect_ranges_equal([this](const auto&... ranges) { return scanned3(ranges...); }, ReportKind::Scan);
}

}  // namespace
}  // namespace gpuhmm
