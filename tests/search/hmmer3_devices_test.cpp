// Devices that run SSV for a search: findings in any order, devices that fail, wrong results.
#include "search/hmmer3_devices.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "gpuhmm/hmmer3_run.hpp"
#include "hmmer3/arithmetic.hpp"
#include "hmmer3/comparison.hpp"
#include "hmmer3/filters.hpp"
#include "hmmer3/random_profiles.hpp"

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

  // Compares the batch with all profiles; returns for how many of them devices ran SSV.
  int run(SsvDevices& devices) {
    int on_devices = 0;
    SsvDevices::Pass pass(devices, batch_, pointers_, options_);
    for (std::size_t p = 0; p < pointers_.size(); ++p) {
      const auto found = pass.take(p);
      on_devices += found ? 1 : 0;
      const Comparisons expected = compare(*pointers_[p], batch_, options_, 1);
      const Comparisons compared = compare(*pointers_[p], batch_, options_, 1, found ? &*found : nullptr);
      EXPECT_EQ(compared.stages, expected.stages) << p;
      EXPECT_EQ(compared.hits.size(), expected.hits.size());
      for (const Stage stage : expected.stages) passed_ += stage != Stage::Nothing ? 1 : 0;
    }
    return on_devices;
  }

  SsvDevices devices_of(const std::vector<std::pair<PlainFinder::Way, int>>& ways,
                        Verification verification = {}) {
    std::vector<std::unique_ptr<SsvFinder>> finders;
    for (const auto& [way, calls] : ways) finders.push_back(std::make_unique<PlainFinder>(way, calls));
    return {std::move(finders), verification, 2, [this](const std::string& text) {
              const std::lock_guard lock(mutex_);
              warnings_.push_back(text);
            }};
  }

  std::deque<SearchProfile> profiles_;
  std::vector<const SearchProfile*> pointers_;
  SequenceBatch batch_;
  Options options_;
  std::mutex mutex_;  // of warnings_
  std::vector<std::string> warnings_;
  int passed_ = 0;
};

using Way = PlainFinder::Way;

TEST_F(Hmmer3Devices, OneOrSeveralGiveTheHostsAnswer) {
  for (const std::size_t count : {1U, 3U}) {
    SsvDevices devices = devices_of(std::vector(count, std::pair{Way::Right, 0}), {100.0});
    EXPECT_EQ(run(devices), 8);
    EXPECT_TRUE(devices.any());
  }
  EXPECT_GT(passed_, 20);
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(Hmmer3Devices, TheHostTakesOverWhatAFailedDeviceLeaves) {
  for (const int calls : {0, 1, 2}) {
    warnings_.clear();
    SsvDevices devices = devices_of({{Way::Lost, calls}});
    EXPECT_LT(run(devices), 8);
    EXPECT_FALSE(devices.any());
    ASSERT_EQ(warnings_.size(), 1U);
    EXPECT_EQ(warnings_[0], "plain device: lost; going on without this device");
  }
}

TEST_F(Hmmer3Devices, AnotherDeviceGoesOn) {
  SsvDevices devices = devices_of({{Way::Lost, 0}, {Way::Right, 0}});
  EXPECT_EQ(run(devices), 8);
  EXPECT_EQ(run(devices), 8);
  EXPECT_EQ(warnings_.size(), 1U);
  EXPECT_EQ(devices.description(), "plain device");
}

TEST_F(Hmmer3Devices, WrongResultsEndTheSearch) {
  SsvDevices devices = devices_of({{Way::Forgets, 0}}, {100.0});
  EXPECT_THROW(run(devices), WrongScore);
}

TEST_F(Hmmer3Devices, APassCanEndEarly) {
  SsvDevices devices = devices_of({{Way::Right, 0}});
  {
    SsvDevices::Pass pass(devices, batch_, pointers_, options_);
    EXPECT_TRUE(pass.take(0));
  }
  EXPECT_EQ(run(devices), 8);
}

TEST_F(Hmmer3Devices, NothingIsLeftOutWithoutFilters) {
  options_.max = true;
  SsvDevices devices = devices_of({{Way::Right, 0}});
  EXPECT_EQ(run(devices), 0);
}

}  // namespace
}  // namespace gpuhmm::hmmer3
