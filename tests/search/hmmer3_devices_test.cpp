// Devices that run SSV for a search: findings in any order, devices that fail, wrong results.
#include "search/hmmer3_devices.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gpuhmm/hmmer3_run.hpp"
#include "hmmer3/comparison.hpp"
#include "hmmer3/random_profiles.hpp"
#include "hmmer3/whole_comparison.hpp"
#include "search/hmmer3_cases.hpp"
#include "search/hmmer3_device_use.hpp"
#include "search/plain_devices.hpp"

namespace gpuhmm::hmmer3 {
namespace {

using test::PlainFinder;
using test::PlainScorer;
using test::text;

class Hmmer3Devices : public test::Hmmer3Cases {
 protected:
  // Compares the batch with all profiles; gives for how many of them devices ran SSV.
  int run(StageDevices& devices) {
    int on_devices = 0;
    StagedComparisons compared;
    StageDevices::Pass pass(devices, batch_, pointers_, options_);
    for (std::size_t p = 0; p < pointers_.size(); ++p) {
      auto found = pass.take(p);
      on_devices += found ? 1 : 0;
      compared.push_back(filtered(p, std::move(found), true));
    }
    devices.run_stages(batch_, true, compared);
    for (std::size_t p = 0; p < pointers_.size(); ++p) {
      const Comparisons by_host = expected(p);
      EXPECT_EQ(text(test::completed(*compared[p])), text(by_host)) << p;
      for (const Stage stage : by_host.stages) passed_ += stage != Stage::Nothing ? 1 : 0;
      for (const Stage stage : by_host.stages) passed_forward_ += stage == Stage::Forward ? 1 : 0;
    }
    return on_devices;
  }

  StageDevices devices_of(const std::vector<std::pair<PlainFinder::Way, int>>& ways,
                          Verification verification = {}) {
    std::vector<DeviceStages> devices;
    for (const auto& [way, calls] : ways) {
      devices.push_back(
          {std::make_unique<PlainFinder>(way, calls), std::make_unique<PlainScorer>(scorer_), nullptr});
    }
    return {std::move(devices), verification, 2, warn()};
  }

  int passed_ = 0, passed_forward_ = 0;
  PlainScorer::Way scorer_ = PlainScorer::Way::Right;
};

using Way = PlainFinder::Way;

TEST_F(Hmmer3Devices, OneOrSeveralGiveTheHostsAnswer) {
  for (const std::size_t count : {1U, 3U}) {
    StageDevices devices = devices_of(std::vector(count, std::pair{Way::Right, 0}), {100.0});
    EXPECT_EQ(run(devices), 8);
    EXPECT_TRUE(devices.any());
  }
  EXPECT_GT(passed_, 20);
  EXPECT_GT(passed_forward_, 10);
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(Hmmer3Devices, DevicesRunAllStagesBehindTheFirst) {
  PlainScorer::multihit = PlainScorer::biased = PlainScorer::filtered = PlainScorer::swept = 0;
  PlainScorer::filtered_at_once = 0;
  StageDevices devices = devices_of({{Way::Right, 0}});
  run(devices);
  EXPECT_GT(PlainScorer::multihit, 0);
  EXPECT_LT(PlainScorer::multihit, passed_);
  EXPECT_GE(PlainScorer::biased, passed_);
  EXPECT_GT(PlainScorer::filtered, 5);
  EXPECT_GT(PlainScorer::filtered_at_once, 2);
  EXPECT_GT(passed_forward_, 10);
  EXPECT_EQ(PlainScorer::swept, passed_forward_);
}

TEST_F(Hmmer3Devices, TheHostRunsWhatDevicesLeave) {
  for (const auto way : {PlainScorer::Way::LeavesOut, PlainScorer::Way::Lost}) {
    scorer_ = way;
    for (const std::size_t count : {1U, 2U}) {
      StageDevices devices = devices_of(std::vector(count, std::pair{Way::Right, 0}));
      run(devices);
      EXPECT_EQ(devices.any(), way == PlainScorer::Way::LeavesOut);
    }
  }
  ASSERT_EQ(warnings_.size(), 3U);
  EXPECT_EQ(warnings_[0], "plain device: lost; going on without this device");
}

TEST_F(Hmmer3Devices, WrongStagesEndTheSearch) {
  for (const auto way :
       {PlainScorer::Way::WrongMsv, PlainScorer::Way::WrongBias, PlainScorer::Way::WrongViterbi,
        PlainScorer::Way::WrongBound, PlainScorer::Way::WrongForward, PlainScorer::Way::WrongRows}) {
    scorer_ = way;
    StageDevices devices = devices_of({{Way::Right, 0}}, {100.0});
    EXPECT_THROW(run(devices), WrongScore) << static_cast<int>(way);
  }
}

TEST_F(Hmmer3Devices, TheHostTakesOverWhatAFailedDeviceLeaves) {
  for (const int calls : {0, 1, 2}) {
    warnings_.clear();
    StageDevices devices = devices_of({{Way::Lost, calls}});
    EXPECT_LT(run(devices), 8);
    EXPECT_FALSE(devices.any());
    ASSERT_EQ(warnings_.size(), 1U);
    EXPECT_EQ(warnings_[0], "plain device: lost; going on without this device");
  }
}

TEST_F(Hmmer3Devices, AnotherDeviceGoesOn) {
  StageDevices devices = devices_of({{Way::Lost, 0}, {Way::Right, 0}});
  EXPECT_EQ(run(devices), 8);
  EXPECT_EQ(run(devices), 8);
  EXPECT_EQ(warnings_.size(), 1U);
  EXPECT_EQ(devices.description(), "plain device");
}

TEST_F(Hmmer3Devices, AlikeOnesTakeAShareEachAndUnlikeOnesSeveral) {
  using Names = std::vector<std::string>;
  const auto shares_of = [&](const Names& names) {
    std::vector<DeviceStages> stages;
    for (const std::string& name : names) {
      stages.push_back({std::make_unique<PlainFinder>(Way::Right, 0),
                        std::make_unique<PlainScorer>(PlainScorer::Way::Right, name), nullptr});
    }
    StageDevices devices(std::move(stages), {100.0}, 2, warn());
    PlainScorer::shares = 0;
    EXPECT_EQ(run(devices), 8);
    return PlainScorer::shares.load();
  };
  EXPECT_EQ(shares_of({"a"}), 1);
  EXPECT_EQ(shares_of({"a", "a", "a"}), 3);
  EXPECT_EQ(shares_of({"a", "b"}), 8);
  EXPECT_EQ(shares_of({"b", "b", "a"}), 12);
}

TEST_F(Hmmer3Devices, WrongResultsEndTheSearch) {
  StageDevices devices = devices_of({{Way::Forgets, 0}}, {100.0});
  EXPECT_THROW(run(devices), WrongScore);
}

TEST_F(Hmmer3Devices, APassCanEndEarly) {
  StageDevices devices = devices_of({{Way::Right, 0}});
  {
    StageDevices::Pass pass(devices, batch_, pointers_, options_);
    EXPECT_TRUE(pass.take(0));
  }
  EXPECT_EQ(run(devices), 8);
}

// Whether devices compare a batch of many cells, behind which there is more.
class Hmmer3DeviceUse : public Hmmer3Devices {
 protected:
  Hmmer3DeviceUse() {
    search_.gpu_for_much_work = true;
    search_.threads = 64;  // which have few cells each of the sequences below
    test::Generator random(2);
    const auto sequence = test::random_sequence(random, AlphabetKind::Hmmer3Amino, 100'000, 0);
    for (int i = 0; i < 600; ++i) {
      large_.begin_sequence("s", "", "");
      large_.append_residues(sequence);
    }
    for (int copy = 0; copy < 2; ++copy) many_.insert(many_.end(), pointers_.begin(), pointers_.end());
  }

  bool used(DeviceUse& use, const SequenceBatch& batch, bool more) {
    std::optional<StageDevices::Pass> pass;
    use.prepare(batch, many_, more);
    use.begin(pass, 0, batch, many_);
    return pass.has_value();
  }
  using Opener = std::function<OpenedGpu(unsigned)>;
  DeviceUse use_of(const Opener& opener) { return {search_, teams_, warn(), {opener}}; }

  SearchOptions search_;
  DeviceTeams teams_ = DeviceTeams::One;
  SequenceBatch large_;
  std::vector<const SearchProfile*> many_;
};

TEST_F(Hmmer3DeviceUse, AGpuIsOpenedForMuchWorkWhileTheHostBegins) {
  std::promise<void> may_open;
  int opened = 0;
  DeviceUse use = use_of([&](unsigned) {
    ++opened;
    may_open.get_future().wait();
    OpenedGpu gpu;
    gpu.devices.push_back({std::make_unique<PlainFinder>(Way::Forgets, 0), nullptr, nullptr});
    return gpu;
  });
  EXPECT_FALSE(used(use, large_, true));
  EXPECT_FALSE(used(use, large_, true));
  EXPECT_EQ(use.teams(), 0U);
  may_open.set_value();
  for (int tries = 0; tries < 1000 && use.teams() == 0; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    used(use, batch_, true);
  }
  EXPECT_EQ(use.teams(), 1U);
  EXPECT_TRUE(used(use, batch_, false));
  EXPECT_EQ(opened, 1);
}

TEST_F(Hmmer3DeviceUse, AGpuTakesABatchForWhichTheHostWouldNeedLongerThanItsStart) {
  const Opener opener = [](unsigned) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    OpenedGpu gpu;
    gpu.devices.push_back({std::make_unique<PlainFinder>(Way::Forgets, 0), nullptr, nullptr});
    return gpu;
  };
  search_.threads = 1;
  DeviceUse use = use_of(opener);
  EXPECT_FALSE(used(use, batch_, true));
  EXPECT_TRUE(used(use, large_, true));
  search_.threads = 64;
  DeviceUse other = use_of(opener);
  EXPECT_FALSE(used(other, large_, true));
}

TEST_F(Hmmer3DeviceUse, AGpuThatIsOpenedAtOnceTakesTheFirstBatch) {
  std::promise<void> opened;
  search_.gpu_at_once = true;
  DeviceUse use = use_of([&](unsigned) {
    opened.set_value();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    OpenedGpu gpu;
    gpu.devices.push_back({std::make_unique<PlainFinder>(Way::Forgets, 0), nullptr, nullptr});
    return gpu;
  });
  opened.get_future().wait();  // before there is a batch
  EXPECT_EQ(use.teams(), 1U);
  EXPECT_TRUE(used(use, batch_, false));
  EXPECT_EQ(use.teams(), 1U);
}

TEST_F(Hmmer3DeviceUse, TheHostBeginsIfThereIsNoGpuToOpenAtOnce) {
  search_.gpu_at_once = true;
  DeviceUse use = use_of([](unsigned) { return OpenedGpu{{}, "GPU: out of memory"}; });
  EXPECT_FALSE(used(use, large_, true));
  EXPECT_EQ(use.teams(), 0U);
  EXPECT_EQ(warnings_.size(), 1U);
}

TEST_F(Hmmer3DeviceUse, AGpuIsWorthWaitingForIfTheHostHasMuchToDo) {
  search_.threads = 4;
  const auto worth = [&](double nodes, double residues, ReportKind kind = ReportKind::Search) {
    return is_worth_waiting({.profiles = nodes / 100, .nodes = nodes, .residues = residues}, kind, search_);
  };
  EXPECT_TRUE(worth(10'000, 2.1e7));
  EXPECT_FALSE(worth(10'000, 1.9e7));  // less than a second and a half for each thread
  EXPECT_FALSE(worth(100'000, 8e6));   // one batch
  EXPECT_FALSE(worth(5'000, 1e9));     // small batches
  EXPECT_TRUE(worth(1e7, 5e6, ReportKind::Scan));
  EXPECT_FALSE(worth(1e8, 1e5, ReportKind::Scan));  // small batches of a scan
  search_.threads = 16;
  EXPECT_FALSE(worth(10'000, 7.9e7));
  EXPECT_TRUE(worth(10'000, 8.1e7));
  EXPECT_FALSE(worth(0, 1e9));  // unknown
}

TEST_F(Hmmer3DeviceUse, NoGpuIsOpenedForLittleWork) {
  std::atomic<int> opened = 0;
  {
    DeviceUse use = use_of([&](unsigned) {
      ++opened;
      return OpenedGpu();
    });
    EXPECT_FALSE(used(use, batch_, true));   // few cells
    EXPECT_FALSE(used(use, large_, false));  // nothing more
  }
  EXPECT_EQ(opened, 0);
}

TEST_F(Hmmer3DeviceUse, WithoutAGpuTheHostGoesOn) {
  for (const std::string warning : {"", "GPU: out of memory"}) {
    warnings_.clear();
    DeviceUse use = use_of([&](unsigned) { return OpenedGpu{{}, warning}; });
    for (int i = 0; i < 20; ++i) {
      EXPECT_FALSE(used(use, large_, true));
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    EXPECT_EQ(use.teams(), 0U);
    EXPECT_EQ(warnings_.size(), warning.empty() ? 0U : 1U);
  }
}

TEST_F(Hmmer3DeviceUse, RunsTakeTurnsAtOpenedDevices) {
  OpenedDevices opened({}, 1);
  opened.state().devices.push_back({std::make_unique<PlainFinder>(Way::Right, 0), nullptr, nullptr});
  search_.gpu_for_much_work = false;
  search_.opened = &opened;
  const Opener none = [](unsigned) -> OpenedGpu { throw std::logic_error("opened again"); };
  std::atomic<bool> stop = false;
  search_.stop = &stop;
  for (int i = 0; i < 2; ++i) {
    DeviceUse first = use_of(none);
    EXPECT_EQ(first.teams(), 1U);
    EXPECT_TRUE(used(first, batch_, false));
    std::atomic<bool> second_used = false;
    std::jthread waits([&] {
      DeviceUse second = use_of(none);
      try {
        second_used = used(second, batch_, false);
      } catch (const RunStopped&) {
        stop = false;
      }
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    EXPECT_FALSE(second_used);
    stop = true;
    waits.join();
    EXPECT_FALSE(second_used);
    EXPECT_FALSE(stop);
  }
  EXPECT_EQ(opened.state().devices.size(), 1U);
}

TEST_F(Hmmer3DeviceUse, OpenedDevicesThatFailAreNotGivenBack) {
  OpenedDevices opened({}, 1);
  for (const Way way : {Way::Lost, Way::Right}) {
    opened.state().devices.push_back({std::make_unique<PlainFinder>(way, 0), nullptr, nullptr});
  }
  {
    StageDevices devices(opened.state().take(nullptr), {}, 1, warn());
    run(devices);
    opened.state().give_back(devices.release());
  }
  EXPECT_EQ(opened.state().devices.size(), 1U);
  EXPECT_EQ(warnings_.size(), 1U);
}

TEST_F(Hmmer3Devices, NothingIsLeftOutWithoutFilters) {
  options_.max = true;
  StageDevices devices = devices_of({{Way::Right, 0}});
  EXPECT_EQ(run(devices), 0);
}

}  // namespace
}  // namespace gpuhmm::hmmer3
