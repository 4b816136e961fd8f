// Devices that have batches of their own: how they are teamed, and that a search finds the same with them.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <fstream>
#include <future>
#include <ios>
#include <iterator>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gpuhmm/hmmer3_profile_file.hpp"
#include "gpuhmm/hmmer3_run.hpp"
#include "gpuhmm/sequence_file.hpp"
#include "search/hmmer3_cases.hpp"
#include "search/hmmer3_device_use.hpp"
#include "search/plain_devices.hpp"

namespace gpuhmm::hmmer3 {
namespace {

using test::PlainDomainScorer;
using test::PlainFinder;
using test::PlainScorer;
using Way = PlainFinder::Way;

// A device with a name that counts the batches it gets.
class NamedFinder : public PlainFinder {
 public:
  NamedFinder(Way way, int calls, std::string name, int* loads = nullptr)
      : PlainFinder(way, calls), name_(std::move(name)), loads_(loads) {}
  std::string description() const override { return name_; }
  void load(const SequenceBatch& batch) override {
    if (loads_ != nullptr) ++*loads_;
    PlainFinder::load(batch);
  }

 private:
  std::string name_;
  int* loads_;
};

DeviceStages device(Way way, int calls, const std::string& name = "plain device", int* loads = nullptr) {
  return {std::make_unique<NamedFinder>(way, calls, name, loads),
          std::make_unique<PlainScorer>(PlainScorer::Way::Right),
          std::make_unique<PlainDomainScorer>(PlainDomainScorer::Conduct())};
}

class Hmmer3Teams : public test::Hmmer3Cases {
 protected:
  DeviceUse use_of(OpenedDevices& opened, DeviceTeams teams) {
    search_.opened = &opened;
    return {search_, teams, warn(), {[](unsigned) { return OpenedGpu(); }}};
  }

  SearchOptions search_;
};

TEST_F(Hmmer3Teams, AlikeDevicesAreTeamsOfTheirOwn) {
  for (const std::string second : {"plain device", "another"}) {
    for (const DeviceTeams teams : {DeviceTeams::One, DeviceTeams::Each}) {
      OpenedDevices opened({}, 1);
      opened.state().devices.push_back(device(Way::Right, 0));
      opened.state().devices.push_back(device(Way::Right, 0, second));
      DeviceUse use = use_of(opened, teams);
      use.prepare(batch_, pointers_, false);
      EXPECT_EQ(use.teams(), teams == DeviceTeams::Each && second == "plain device" ? 2U : 1U) << second;
    }
  }
}

TEST_F(Hmmer3Teams, EachHasItsOwnBatchesAndIsGivenBack) {
  OpenedDevices opened({}, 1);
  int loads[2] = {};
  for (int& count : loads) opened.state().devices.push_back(device(Way::Right, 0, "plain device", &count));
  {
    DeviceUse use = use_of(opened, DeviceTeams::Each);
    use.prepare(batch_, pointers_, false);
    for (int i = 0; i < 3; ++i) {
      std::optional<StageDevices::Pass> pass;
      use.begin(pass, i == 0 ? 0 : 1, batch_, pointers_);
      ASSERT_TRUE(pass);
      EXPECT_TRUE(pass->take(0));
    }
    SearchStatistics statistics;
    use.describe(statistics);
    EXPECT_EQ(statistics.engine, "plain device + plain device");
    EXPECT_EQ(statistics.devices.size(), 2U);
  }
  EXPECT_EQ(loads[0], 1);
  EXPECT_EQ(loads[1], 2);
  EXPECT_EQ(opened.state().devices.size(), 2U);
}

TEST_F(Hmmer3Teams, ATeamWithoutADeviceDoesNotWork) {
  OpenedDevices opened({}, 1);
  for (const Way way : {Way::Lost, Way::Right}) opened.state().devices.push_back(device(way, 0));
  DeviceUse use = use_of(opened, DeviceTeams::Each);
  use.prepare(batch_, pointers_, false);
  {
    std::optional<StageDevices::Pass> pass;
    use.begin(pass, 0, batch_, pointers_);
    ASSERT_TRUE(pass);
    EXPECT_FALSE(pass->take(0));
  }
  EXPECT_FALSE(use.works(0));
  EXPECT_TRUE(use.works(1));
  std::optional<StageDevices::Pass> pass;
  use.begin(pass, 0, batch_, pointers_);
  EXPECT_FALSE(pass);
  EXPECT_EQ(warnings_.size(), 1U);
}

// Two devices that are opened when the test says so.
class Hmmer3Joining : public Hmmer3Teams {
 protected:
  Hmmer3Joining() {
    search_.devices.resize(2);
    for (std::size_t d = 0; d < 2; ++d) search_.devices[d].index = d;
  }

  DeviceUse use() {
    const auto open = [this](const std::vector<DeviceInfo>& devices, unsigned) {
      may_open_[devices.front().index].get_future().get();
      std::vector<DeviceStages> opened;
      for (std::size_t d = 0; d < devices.size(); ++d) opened.push_back(device(Way::Right, 0));
      return opened;
    };
    return {search_, teams_, warn(), {.named = open}, [this] { ++joined_; }};
  }
  void fail(std::size_t d) { may_open_[d].set_exception(std::make_exception_ptr(DeviceError("in use"))); }

  DeviceTeams teams_ = DeviceTeams::Each;
  std::promise<void> may_open_[2];
  std::atomic<int> joined_ = 0;
};

TEST_F(Hmmer3Joining, ATeamWorksWhileAnotherIsBeingOpened) {
  DeviceUse use = this->use();
  EXPECT_EQ(use.teams(), 2U);
  EXPECT_FALSE(use.works(0));
  may_open_[1].set_value();
  use.prepare(batch_, pointers_, true);
  EXPECT_FALSE(use.works(0));
  EXPECT_TRUE(use.works(1));
  std::optional<StageDevices::Pass> pass;
  use.begin(pass, 0, batch_, pointers_);
  EXPECT_FALSE(pass);
  use.begin(pass, 1, batch_, pointers_);
  EXPECT_TRUE(pass);
  may_open_[0].set_value();
  use.finish_opening();
  EXPECT_TRUE(use.works(0));
  EXPECT_EQ(joined_, 2);
  pass.reset();
  SearchStatistics statistics;
  use.describe(statistics);
  EXPECT_EQ(statistics.engine, "plain device + plain device");
}

TEST_F(Hmmer3Joining, ADeviceThatCannotBeOpenedEndsTheSearch) {
  DeviceUse use = this->use();
  may_open_[0].set_value();
  use.prepare(batch_, pointers_, true);
  fail(1);
  EXPECT_THROW(use.finish_opening(), DeviceError);
  EXPECT_THROW(use.prepare(batch_, pointers_, true), DeviceError);
  EXPECT_TRUE(use.works(0));
}

TEST_F(Hmmer3Joining, NoDeviceCanBeOpened) {
  DeviceUse use = this->use();
  fail(0);
  EXPECT_THROW(use.prepare(batch_, pointers_, true), DeviceError);
  fail(1);
}

TEST_F(Hmmer3Joining, DevicesOfOneTeamAreOpenedTogether) {
  teams_ = DeviceTeams::One;
  DeviceUse use = this->use();
  may_open_[0].set_value();
  use.prepare(batch_, pointers_, true);
  EXPECT_EQ(use.teams(), 1U);
  EXPECT_TRUE(use.works(0));
  EXPECT_EQ(joined_, 0);
}

// Notes all hits in the order in which they come.
class HitObserver : public SearchObserver {
 public:
  ResultWriter result(const Query& query, QueryResult&& result, const QueryTimes&) override {
    std::ostringstream text;
    text << std::hexfloat << query.name << ' ' << result.counters.sequences << ' '
         << result.counters.past_forward << ' ' << result.targets << '\n';
    for (const Hit& hit : result.hits)
      text << hit.name << ' ' << hit.score << ' ' << hit.arrival << ' ' << hit.domains.size() << '\n';
    return [this, all = text.str()] { found += all; };
  }
  void warning(const std::string& message) override { warnings.push_back(message); }

  std::string found;
  std::vector<std::string> warnings;
};

// Searches of many small blocks, with much that passes.
class Hmmer3TeamSearch : public ::testing::Test {
 protected:
  Hmmer3TeamSearch() {
    std::ofstream out(path_);
    test::Generator random(3);
    for (std::size_t s = 0; s < kBlocks * 8; ++s) {
      out << ">s" << s << '\n';
      for (int i = test::between(random, 1, 150); i > 0; --i)
        out << "ACDEFGHIKLMNPQRSTVWY"[test::between(random, 0, 19)];
      out << '\n';
    }
    options_.threads = 4;
    options_.batch_sequences = 8;
    options_.hmmer3.f1 = options_.hmmer3.f2 = options_.hmmer3.f3 = 0.5;
    options_.hmmer3.report.e_value = options_.hmmer3.report_domain.e_value = 1e9;
  }
  ~Hmmer3TeamSearch() override {
    std::filesystem::remove(path_);
    std::filesystem::remove(profiles_);
  }

  HitObserver search_with(std::vector<DeviceStages> devices) {
    OpenedDevices opened({}, 1);
    opened.state().devices = std::move(devices);
    options_.opened = &opened;
    std::ofstream(profiles_) << profiles_text_;
    ProfileReader profiles(profiles_);
    HitObserver observer;
    const auto run = [&] {
      search(
          profiles, [&](const Alphabet& alphabet) { return open_sequences(path_, alphabet); }, true, options_,
          observer);
    };
    if (expected_error_.empty()) {
      run();
    } else {
      try {
        run();
        ADD_FAILURE() << "no error";
      } catch (const std::runtime_error& error) {
        EXPECT_NE(std::string(error.what()).find(expected_error_), std::string::npos) << error.what();
      }
    }
    return observer;
  }

  // What searches find, or find before they fail, with no devices, one and three.
  void expect_same_with_devices(std::size_t least_lines) {
    const std::string expected = search_with({}).found;
    ASSERT_GE(static_cast<std::size_t>(std::ranges::count(expected, '\n')), least_lines);
    for (const int count : {1, 3}) {
      std::vector<DeviceStages> devices;
      for (int d = 0; d < count; ++d) devices.push_back(device(Way::Right, 0));
      EXPECT_EQ(search_with(std::move(devices)).found, expected) << count << " devices";
    }
  }

  // The profile under another name.
  static std::string named(const std::string& name) {
    std::ifstream in(std::string(GPUHMM_TESTDATA) + "/hmmer3/XYPPX.hmm");
    std::string text, line;
    while (std::getline(in, line)) text += (line.starts_with("NAME") ? "NAME  " + name : line) + '\n';
    return text;
  }
  // One with steps between deletions that make scores infinite.
  static std::string impossible() {
    std::istringstream in(named("large"));
    std::string text, line;
    while (std::getline(in, line)) {
      std::istringstream words(line);
      const std::vector<std::string> numbers{std::istream_iterator<std::string>(words), {}};
      const bool moves =
          numbers.size() == 7 && line.starts_with("    ") && numbers[0].find('.') != std::string::npos;
      if (moves) line = line.substr(0, line.rfind(numbers[5])) + "0.00001  -80.0";
      text += line + '\n';
    }
    return text;
  }

  static constexpr std::size_t kBlocks = 40;
  // Tests run side by side.
  const std::string path_ = testing::TempDir() + "hmmer3_teams_test." +
                            testing::UnitTest::GetInstance()->current_test_info()->name() + ".fasta";
  const std::string profiles_ = path_ + ".hmm";
  std::string profiles_text_ = named("XYPPX");
  std::string expected_error_;
  SearchOptions options_;
};

TEST_F(Hmmer3TeamSearch, FindsWhatTheHostFinds) {
  const std::string expected = search_with({}).found;
  ASSERT_GT(std::ranges::count(expected, '\n'), 50);
  std::vector<DeviceStages> devices;
  int loads[3] = {};
  for (int& count : loads) devices.push_back(device(Way::Right, 0, "plain device", &count));
  const HitObserver observer = search_with(std::move(devices));
  EXPECT_EQ(observer.found, expected);
  EXPECT_TRUE(observer.warnings.empty());
  EXPECT_GE(static_cast<std::size_t>(loads[0] + loads[1] + loads[2]), kBlocks);
  EXPECT_GT(std::ranges::min(loads), 0);
}

TEST_F(Hmmer3TeamSearch, GoesOnWithoutDevicesThatAreLost) {
  const std::string expected = search_with({}).found;
  for (const bool another : {false, true}) {
    std::vector<DeviceStages> devices;
    int loads = 0;
    devices.push_back(device(Way::Lost, 3));
    devices.push_back(device(another ? Way::Right : Way::Lost, 5, "plain device", &loads));
    const HitObserver observer = search_with(std::move(devices));
    EXPECT_EQ(observer.found, expected);
    EXPECT_EQ(observer.warnings.size(), another ? 1U : 2U);
    // The first one is lost in its third block, and gets no others.
    if (another) {
      EXPECT_GE(loads, static_cast<int>(kBlocks) - 4);
    }
  }
}

TEST_F(Hmmer3TeamSearch, PassesGroupAfterGroup) {
  options_.group_nodes = 1;
  profiles_text_.clear();
  for (int p = 0; p < 7; ++p) profiles_text_ += named("profile" + std::to_string(p));
  expect_same_with_devices(7 * 50);
}

TEST_F(Hmmer3TeamSearch, GivesResultsBeforeErrorsOfProfiles) {
  options_.group_nodes = 1;
  profiles_text_ = named("first") + named("second") + "no profile\n";
  expected_error_ = "expected";
  for (const bool before : {false, true}) {
    options_.results_before_errors = before;
    expect_same_with_devices(2 * 50);
  }
}

TEST_F(Hmmer3TeamSearch, EndsForAnImpossiblePairBeforeTheNextGroup) {
  options_.group_nodes = 6;  // two profiles
  options_.hmmer3.max = true;
  profiles_text_ = named("first") + impossible() + named("second") + named("third");
  std::ofstream(path_, std::ios::app) << ">bad\nMXYPPXAPPYYPPGWK\n";
  expected_error_ = "profile large";
  expect_same_with_devices(50);
}

}  // namespace
}  // namespace gpuhmm::hmmer3
