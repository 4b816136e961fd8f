// Devices that run SSV for a search: findings in any order, devices that fail, wrong results.
#include "search/hmmer3_devices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gpuhmm/hmmer3_run.hpp"
#include "hmmer3/arithmetic.hpp"
#include "hmmer3/comparison.hpp"
#include "hmmer3/filters.hpp"
#include "hmmer3/random_profiles.hpp"
#include "hmmer3/whole_comparison.hpp"
#include "search/hmmer3_device_use.hpp"

namespace gpuhmm::hmmer3 {
namespace {

// The plain filter as a device, which is lost at the `calls`-th call of find (0: at load), or which forgets
// its findings.
class PlainFinder : public SsvFinder {
 public:
  enum class Way { Right, Lost, Forgets };
  PlainFinder(Way way, int calls) : way_(way), calls_left_(calls) {}

  std::string description() const override { return "plain device"; }
  double busy_seconds() const override { return 0; }
  void load(const SequenceBatch& batch) override {
    if (way_ == Way::Lost && calls_left_ == 0) throw EngineFailure("plain device: lost");
    batch_ = &batch;
  }
  std::vector<std::vector<SsvFinding>> find(std::span<const SsvQuery> queries) override {
    if (way_ == Way::Lost && --calls_left_ <= 0) throw EngineFailure("plain device: lost");
    std::vector<std::vector<SsvFinding>> found(queries.size());
    if (way_ == Way::Forgets) return found;
    const FlushToZero flush;
    for (std::size_t q = 0; q < queries.size(); ++q) {
      const ByteModel& model = *queries[q].model;
      for (std::size_t i = 0; i < batch_->size(); ++i) {
        if (batch_->length(i) == 0) continue;
        const SsvMaximum maximum = ssv_maximum(model, batch_->residues(i));
        const int rise = maximum.overflows ? 1000 : maximum.value - 256 - kSsvFloor;
        const LengthTerms terms(static_cast<std::int64_t>(batch_->length(i)));
        if (rise >= queries[q].marks.least_rise(terms))
          found[q].push_back({static_cast<std::uint32_t>(i), rise});
      }
    }
    return found;
  }

 private:
  Way way_;
  int calls_left_;
  const SequenceBatch* batch_ = nullptr;
};

// The plain stages behind SSV as a device, which is lost after some pairs that pass, or gives wrong results,
// or leaves pairs to the host.
class PlainScorer : public PairScorer {
 public:
  enum class Way { Right, Lost, WrongBias, WrongViterbi, WrongForward, WrongRows, LeavesOut };
  explicit PlainScorer(Way way) : way_(way) {}

  std::string description() const override { return "plain device"; }
  double busy_seconds() const override { return 0; }
  void load(const SequenceBatch& batch) override { batch_ = &batch; }

  void bias(std::span<const PairQuery> queries, const TakeScore& take) override {
    each_pair(queries, [&](std::size_t q, std::size_t n, Residues sequence) {
      const NullModel null(static_cast<std::int64_t>(sequence.size()));
      take(q, n, bias_score(queries[q].profile->filters.bias, sequence, null) + error(Way::WrongBias));
      ++biased;
    });
  }
  void viterbi(std::span<const PairQuery> queries, const TakeScore& take) override {
    each_pair(queries, [&](std::size_t q, std::size_t n, Residues sequence) {
      take(q, n, viterbi_score(queries[q].profile->filters.words, sequence) + error(Way::WrongViterbi));
      ++filtered;
    });
  }
  void sweep(std::span<const PairQuery> queries, const SweepUser& user) override {
    int passed = 0;
    each_pair(queries, [&](std::size_t q, std::size_t n, Residues sequence) {
      SequenceTask task;
      task.sequence = sequence;
      task.lengths = LengthModel::multihit(static_cast<std::int64_t>(sequence.size()));
      run_forward_plainly(queries[q].profile->floats, task);
      if (!user.passes(q, n, task.forward_score + error(Way::WrongForward))) return;
      if (way_ == Way::Lost && ++passed == 3) throw EngineFailure("plain device: lost");
      run_backward_plainly(queries[q].profile->floats, task);
      if (way_ == Way::WrongRows) task.backward[0].n *= 2;
      user.use(q, n, rows_of(task));
      ++swept;
    });
  }
  static inline std::atomic<int> biased = 0, filtered = 0, swept = 0;

 private:
  template <class Use>
  void each_pair(std::span<const PairQuery> queries, const Use& use) const {
    const FlushToZero flush;
    int pairs = 0;
    for (std::size_t q = 0; q < queries.size(); ++q) {
      for (std::size_t n = 0; n < queries[q].sequences.size(); ++n) {
        if (way_ == Way::LeavesOut && ++pairs % 2 == 0) continue;
        use(q, n, batch_->residues(queries[q].sequences[n]));
      }
    }
  }
  float error(Way wrong) const { return way_ == wrong ? 1e-3F : 0; }

  Way way_;
  const SequenceBatch* batch_ = nullptr;
};

class Hmmer3Devices : public ::testing::Test {
 protected:
  Hmmer3Devices() {
    test::Generator random(1);
    for (int p = 0; p < 9; ++p) {
      Profile profile = test::random_profile(random, AlphabetKind::Hmmer3Amino, 20 + 10 * p, {});
      profile.statistics = {-8, 0.7F, -8, 0.7F, -3, 0.7F};
      if (p == 4) profile.statistics.msv_lambda = 0;  // no use of marks
      profiles_.emplace_back(std::move(profile));
      pointers_.push_back(&profiles_.back());
    }
    for (int i = 0; i < 40; ++i) {
      const int length = i % 8 == 0 ? 0 : test::between(random, 1, 150);
      std::vector<std::uint8_t> sequence = test::random_sequence(random, AlphabetKind::Hmmer3Amino, length);
      if (length > 0 && i % 3 == 0)
        test::plant(profiles_[static_cast<std::size_t>(i) % 9].profile, sequence, 0, 1);
      batch_.begin_sequence("s" + std::to_string(i), "", "");
      batch_.append_residues(sequence);
    }
  }

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
    devices.run_stages(batch_, compared);
    for (std::size_t p = 0; p < pointers_.size(); ++p) {
      const Comparisons expected = test::completed(*filtered(p, std::nullopt, false)),
                        results = test::completed(*compared[p]);
      EXPECT_EQ(results.stages, expected.stages) << p;
      EXPECT_EQ(results.hits.size(), expected.hits.size());
      for (std::size_t h = 0; h < std::min(results.hits.size(), expected.hits.size()); ++h) {
        EXPECT_EQ(results.hits[h].first, expected.hits[h].first);
        EXPECT_EQ(results.hits[h].second.score, expected.hits[h].second.score);
        EXPECT_EQ(results.hits[h].second.expected_domains, expected.hits[h].second.expected_domains);
      }
      for (const Stage stage : expected.stages) passed_ += stage != Stage::Nothing ? 1 : 0;
      for (const Stage stage : expected.stages) passed_forward_ += stage == Stage::Forward ? 1 : 0;
    }
    return on_devices;
  }

  std::unique_ptr<StagedComparison> filtered(std::size_t p, std::optional<std::vector<SsvFinding>> found,
                                             bool only_first) {
    auto comparison = std::make_unique<StagedComparison>(
        *pointers_[p], batch_, options_, ComparisonPlace{impossible_, p, 0}, std::move(found), only_first);
    test::filter_all(*comparison);
    return comparison;
  }
  StageDevices devices_of(const std::vector<std::pair<PlainFinder::Way, int>>& ways,
                          Verification verification = {}) {
    std::vector<DeviceStages> devices;
    for (const auto& [way, calls] : ways) {
      devices.push_back(
          {std::make_unique<PlainFinder>(way, calls), std::make_unique<PlainScorer>(scorer_), nullptr});
    }
    return {std::move(devices), verification, 2, [this](const std::string& text) {
              const std::lock_guard lock(mutex_);
              warnings_.push_back(text);
            }};
  }

  std::deque<SearchProfile> profiles_;
  std::vector<const SearchProfile*> pointers_;
  SequenceBatch batch_;
  Options options_;
  FirstImpossible impossible_{FirstImpossible::Order::Search};
  std::mutex mutex_;  // of warnings_
  std::vector<std::string> warnings_;
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
  PlainScorer::biased = PlainScorer::filtered = PlainScorer::swept = 0;
  StageDevices devices = devices_of({{Way::Right, 0}});
  run(devices);
  EXPECT_EQ(PlainScorer::biased, passed_);
  EXPECT_GT(PlainScorer::filtered, 5);
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
  for (const auto way : {PlainScorer::Way::WrongBias, PlainScorer::Way::WrongViterbi,
                         PlainScorer::Way::WrongForward, PlainScorer::Way::WrongRows}) {
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
    use.begin(pass, batch, many_, more);
    return pass.has_value();
  }
  DeviceUse use_of(const DeviceUse::Opener& opener) {
    return {search_, [this](const std::string& text) { warnings_.push_back(text); }, opener};
  }

  SearchOptions search_;
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
  EXPECT_FALSE(use.ready());
  may_open.set_value();
  for (int tries = 0; tries < 1000 && !use.ready(); ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    used(use, batch_, true);
  }
  EXPECT_TRUE(use.ready());
  EXPECT_TRUE(used(use, batch_, false));
  EXPECT_EQ(opened, 1);
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
    EXPECT_FALSE(use.ready());
    EXPECT_EQ(warnings_.size(), warning.empty() ? 0U : 1U);
  }
}

TEST_F(Hmmer3Devices, NothingIsLeftOutWithoutFilters) {
  options_.max = true;
  StageDevices devices = devices_of({{Way::Right, 0}});
  EXPECT_EQ(run(devices), 0);
}

}  // namespace
}  // namespace gpuhmm::hmmer3
