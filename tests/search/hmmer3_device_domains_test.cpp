// The domain stage on devices, sampled tracebacks and scored envelopes: the host's answer, devices that fail
// or leave work, wrong results.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "hmmer3/comparison.hpp"
#include "hmmer3/random_profiles.hpp"
#include "search/hmmer3_cases.hpp"
#include "search/hmmer3_completion.hpp"
#include "search/hmmer3_devices.hpp"
#include "search/plain_devices.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm::hmmer3 {
namespace {

using test::PlainDomainScorer;
using test::PlainFinder;
using test::PlainScorer;
using test::text;
using Way = PlainDomainScorer::Way;
using Conduct = PlainDomainScorer::Conduct;

constexpr Verification kAll{100.0}, kNone{0.0};
const std::vector<std::string> kOneLoss{"plain device: lost; going on without this device"};

void wrong_null2(RegionTask& task) { task.ensemble->null2.back() += 1e-3F; }
void wrong_score(EnvelopeTask& task) { task.forward_score += 1e-3F; }

class Hmmer3DeviceDomains : public test::Hmmer3Cases {
 protected:
  Hmmer3DeviceDomains() {
    test::Generator random(2);
    for (const SearchProfile& profile : profiles_) {
      for (int copy = 0; copy < 4; ++copy) add_homologue(random, profile.profile);
    }
    for (int copy = 0; copy < 40; ++copy) add_homologue(random, profiles_[1].profile);  // several parts
    for (std::size_t p = 0; p < pointers_.size(); ++p) {
      expected_.push_back(text(expected(p)));
      count_envelopes(p);
    }
  }

  void count_envelopes(std::size_t p) {
    const auto comparison = filtered(p);
    for (std::size_t part = 0; part < comparison->parts(); ++part) {
      comparison->find_regions(part);
      regions_ += static_cast<int>(comparison->regions(part).size());
      comparison->find_envelopes(part);
      const auto envelopes = comparison->envelopes(part);
      envelopes_ += static_cast<int>(envelopes.size());
      if (part > 0) in_later_parts_ += static_cast<int>(envelopes.size());
      wanting_ += static_cast<int>(std::ranges::count_if(envelopes, &EnvelopeTask::wants_null2));
    }
  }

  static DeviceStages device(const Conduct& conduct) {
    return {std::make_unique<PlainFinder>(PlainFinder::Way::Right, 0),
            std::make_unique<PlainScorer>(PlainScorer::Way::Right),
            std::make_unique<PlainDomainScorer>(conduct)};
  }
  StageDevices devices_of(const std::vector<Conduct>& conducts, Verification verification = {}) {
    std::vector<DeviceStages> devices;
    for (const Conduct& conduct : conducts) devices.push_back(device(conduct));
    return {std::move(devices), verification, 2, warn()};
  }

  // What is found in all comparisons, whose filters have run, with devices.
  std::vector<std::string> complete_with(StageDevices& devices, const StagedComparisons& compared) {
    std::vector<double> seconds(compared.size());
    StageClock clock;
    complete(
        compared, 2, &devices, seconds, clock, [] {}, sharing_);
    std::vector<std::string> found;
    for (const auto& comparison : compared) found.push_back(text(comparison->results()));
    return found;
  }
  std::vector<std::string> complete_with(StageDevices& devices) {
    return complete_with(devices, all_filtered());
  }
  StagedComparisons all_filtered() {
    StagedComparisons compared;
    for (std::size_t p = 0; p < pointers_.size(); ++p) compared.push_back(filtered(p));
    return compared;
  }

  DomainSharing sharing_ = DomainSharing::DevicesFirst;
  std::vector<std::string> expected_;                     // by the host alone, of each profile
  int regions_ = 0;                                       // with several domains
  int envelopes_ = 0, in_later_parts_ = 0, wanting_ = 0;  // all; not in the first parts; that want null2 odds
};

TEST_F(Hmmer3DeviceDomains, TheCasesAreManifold) {
  EXPECT_GT(regions_, 10);
  EXPECT_GT(wanting_, 50);
  EXPECT_GT(in_later_parts_, 5);
  EXPECT_GT(envelopes_ - wanting_, 20);
}

TEST_F(Hmmer3DeviceDomains, OneOrTwoGiveTheHostsAnswer) {
  for (const std::size_t count : {1U, 2U}) {
    std::atomic<int> sampled = 0, scored = 0;
    const Conduct conduct{{.done = &sampled}, {.done = &scored}};
    StageDevices devices = devices_of(std::vector(count, conduct), kAll);
    EXPECT_EQ(complete_with(devices), expected_);
    EXPECT_EQ(sampled, regions_);
    EXPECT_EQ(scored, envelopes_);
  }
  EXPECT_TRUE(warnings_.empty());
}

// So many parts wait that a thread takes several at a time.
TEST_F(Hmmer3DeviceDomains, ThreadsTakePartsTogether) {
  test::Generator random(3);
  for (int copy = 0; copy < 1500; ++copy) {
    const Profile& profile = profiles_.front().profile;
    add(test::homologue(random, profile, profile.nodes));
  }
  const std::string expected_now = text(expected(0));
  std::atomic<int> scored = 0;
  StageDevices devices = devices_of({{{}, {.done = &scored}}});
  StagedComparisons compared;
  compared.push_back(filtered(0));
  ASSERT_GT(compared.front()->parts(), 40U);
  EXPECT_EQ(complete_with(devices, compared), std::vector{expected_now});
  EXPECT_GT(scored, 1000);
}

TEST_F(Hmmer3DeviceDomains, ThreadsAndDevicesShareByNeed) {
  sharing_ = DomainSharing::ByNeed;
  for (const std::size_t count : {0U, 1U, 2U}) {
    std::atomic<int> sampled = 0, scored = 0;
    const Conduct conduct{{.done = &sampled}, {.done = &scored}};
    StageDevices devices = devices_of(std::vector(count, conduct), kAll);
    EXPECT_EQ(complete_with(devices), expected_);
    EXPECT_LE(sampled, regions_);
    EXPECT_LE(scored, envelopes_);
  }
  EXPECT_TRUE(warnings_.empty());
}

// The device has the regions of one block for a while; those of another block wait for it.
TEST_F(Hmmer3DeviceDomains, ThreadsDoWhatNoDeviceComesFor) {
  sharing_ = DomainSharing::ByNeed;
  std::promise<void> may_begin;
  std::future<void> begin = may_begin.get_future();
  std::atomic<int> sampled = 0;
  StageDevices devices = devices_of({{{.done = &sampled, .begin = &begin}, {}}}, kAll);
  const StagedComparisons first = all_filtered(), second = all_filtered();
  auto of_first = std::async(std::launch::async, [&] { return complete_with(devices, first); });
  auto of_second = std::async(std::launch::async, [&] { return complete_with(devices, second); });
  std::this_thread::sleep_for(std::chrono::seconds(2));
  EXPECT_EQ(sampled, 0);
  may_begin.set_value();
  EXPECT_EQ(of_first.get(), expected_);
  EXPECT_EQ(of_second.get(), expected_);
  EXPECT_GT(sampled, regions_ / 2);
  EXPECT_LE(sampled, regions_);  // of one block only
}

TEST_F(Hmmer3DeviceDomains, AllStagesGiveTheHostsAnswer) {
  std::atomic<int> sampled = 0, scored = 0;
  const Conduct conduct{{.done = &sampled}, {.done = &scored}};
  StageDevices devices = devices_of({conduct, conduct}, kAll);
  StagedComparisons compared;
  {
    StageDevices::Pass pass(devices, batch_, pointers_, options_);
    for (std::size_t p = 0; p < pointers_.size(); ++p) compared.push_back(filtered(p, pass.take(p), true));
  }
  devices.run_stages(batch_, true, compared);
  EXPECT_EQ(complete_with(devices, compared), expected_);
  EXPECT_EQ(sampled, regions_);
  EXPECT_EQ(scored, envelopes_);
}

TEST_F(Hmmer3DeviceDomains, TracebacksDependOnTheSeed) {
  options_.seed = 43;
  StageDevices devices = devices_of({{}}, kAll);
  const std::vector<std::string> found = complete_with(devices);
  EXPECT_NE(found, expected_);
  for (std::size_t p = 0; p < found.size(); ++p) EXPECT_EQ(found[p], text(expected(p)));
}

TEST_F(Hmmer3DeviceDomains, TheHostUsesWhatTheyGive) {
  StageDevices sampling = devices_of({{.sampling = {.mistake = wrong_null2}}}, kNone);
  EXPECT_NE(complete_with(sampling), expected_);
  StageDevices scoring = devices_of({{.scoring = {.mistake = wrong_score}}}, kNone);
  const std::vector<std::string> found = complete_with(scoring);
  for (std::size_t p = 0; p < found.size(); ++p) EXPECT_NE(found[p], expected_[p]) << p;
}

// One wrong result, of the first region or of the last.
TEST_F(Hmmer3DeviceDomains, WrongTracebacksEndTheSearch) {
  const std::pair<const char*, void (*)(RegionTask&)> mistakes[] = {
      {"null2", wrong_null2},
      {"null2 lost", [](RegionTask& task) { task.ensemble->null2.pop_back(); }},
      {"traceback", [](RegionTask& task) { ++task.ensemble->segments.back().traceback; }},
      {"from", [](RegionTask& task) { ++task.ensemble->segments.back().from; }},
      {"to", [](RegionTask& task) { --task.ensemble->segments.back().to; }},
      {"first node", [](RegionTask& task) { ++task.ensemble->segments.back().model_from; }},
      {"last node", [](RegionTask& task) { --task.ensemble->segments.back().model_to; }},
      {"segment lost", [](RegionTask& task) { task.ensemble->segments.pop_back(); }},
  };
  for (const auto& [what, make] : mistakes) {
    for (const int before : {0, regions_ - 1}) {
      int left = before;
      const auto mistake = [&left, make](RegionTask& task) {
        if (left-- == 0) make(task);
      };
      StageDevices devices = devices_of({{.sampling = {.mistake = mistake}}}, kAll);
      EXPECT_THROW(complete_with(devices), WrongScore) << what << " after " << before;
    }
  }
}

// The other device waits for what this one has.
TEST_F(Hmmer3DeviceDomains, WrongResultsOfOneOfTwoEndTheSearch) {
  std::promise<void> begun;
  std::future<void> begin = begun.get_future();
  bool first = true;
  const auto late_mistake = [&](RegionTask& task) {
    if (std::exchange(first, false)) begun.set_value();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    wrong_null2(task);
  };
  StageDevices devices =
      devices_of({{.sampling = {.mistake = late_mistake}}, {.sampling = {.begin = &begin}}}, kAll);
  EXPECT_THROW(complete_with(devices), WrongScore);
}

// The same, of the envelopes whose null2 odds are wanted.
TEST_F(Hmmer3DeviceDomains, WrongScoresAndAlignmentsEndTheSearch) {
  const std::pair<const char*, void (*)(EnvelopeTask&)> mistakes[] = {
      {"score", wrong_score},
      {"accuracy", [](EnvelopeTask& task) { task.alignment.accuracy += 1e-3F; }},
      {"odd", [](EnvelopeTask& task) { task.odds.back() += 1e-3F; }},
      {"odd too many", [](EnvelopeTask& task) { task.odds.push_back(1); }},
      {"state", [](EnvelopeTask& task) { task.alignment.columns.back().state = kInsert; }},
      {"node", [](EnvelopeTask& task) { --task.alignment.columns.back().node; }},
      {"residue", [](EnvelopeTask& task) { --task.alignment.columns.back().residue; }},
      {"posterior", [](EnvelopeTask& task) { task.alignment.columns.back().posterior += 1e-3F; }},
      {"column lost", [](EnvelopeTask& task) { task.alignment.columns.pop_back(); }},
      {"impossible", [](EnvelopeTask& task) { task.possible = false; }},
  };
  for (const auto& [what, make] : mistakes) {
    for (const int before : {0, wanting_ - 1}) {
      int left = before;
      const auto mistake = [&left, make](EnvelopeTask& task) {
        if (task.wants_null2 && left-- == 0) make(task);
      };
      StageDevices devices = devices_of({{.scoring = {.mistake = mistake}}}, kAll);
      EXPECT_THROW(complete_with(devices), WrongScore) << what << " after " << before;
    }
  }
}

TEST_F(Hmmer3DeviceDomains, OddsThatAreNotWantedMayBeAny) {
  const auto mistake = [](EnvelopeTask& task) {
    if (!task.wants_null2) task.odds.assign(3, -1.0F);
  };
  StageDevices devices = devices_of({{.scoring = {.mistake = mistake}}}, kAll);
  EXPECT_EQ(complete_with(devices), expected_);
}

TEST_F(Hmmer3DeviceDomains, TheHostDoesWhatTheyLeave) {
  for (const std::size_t count : {1U, 2U}) {
    std::atomic<int> sampled = 0, scored = 0;
    const Conduct conduct{{.way = Way::LeavesOut, .done = &sampled},
                          {.way = Way::LeavesOut, .done = &scored}};
    StageDevices devices = devices_of(std::vector(count, conduct), kAll);
    EXPECT_EQ(complete_with(devices), expected_);
    EXPECT_GE(sampled, regions_ / 2);
    EXPECT_LT(sampled, regions_);
    EXPECT_GE(scored, envelopes_ / 2);
    EXPECT_LT(scored, envelopes_);
    EXPECT_TRUE(devices.any());
  }
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(Hmmer3DeviceDomains, DevicesWithoutADomainStageDoNone) {
  for (const bool another : {false, true}) {
    std::atomic<int> sampled = 0, scored = 0;
    const Conduct conduct{{.done = &sampled}, {.done = &scored}};
    std::vector<DeviceStages> stages;
    stages.push_back(device(conduct));
    stages.back().domains = nullptr;
    if (another) stages.push_back(device(conduct));
    StageDevices devices(std::move(stages), kAll, 2, warn());
    EXPECT_EQ(complete_with(devices), expected_);
    EXPECT_EQ(sampled, another ? regions_ : 0);
    EXPECT_EQ(scored, another ? envelopes_ : 0);
  }
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(Hmmer3DeviceDomains, TheHostTakesOverFromADeviceLostInSampling) {
  std::atomic<int> sampled = 0, scored = 0;
  StageDevices devices = devices_of({{{.way = Way::Lost, .done = &sampled}, {.done = &scored}}}, kAll);
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(complete_with(devices), expected_);
    EXPECT_EQ(sampled, PlainDomainScorer::kBeforeLoss);
    EXPECT_EQ(scored, 0);
    EXPECT_FALSE(devices.any());
  }
  EXPECT_EQ(warnings_, kOneLoss);
}

TEST_F(Hmmer3DeviceDomains, TheHostTakesOverFromADeviceLostInScoring) {
  std::atomic<int> scored = 0;
  StageDevices devices = devices_of({{{}, {.way = Way::Lost, .done = &scored}}}, kAll);
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(complete_with(devices), expected_);
    EXPECT_EQ(scored, PlainDomainScorer::kBeforeLoss);
    EXPECT_FALSE(devices.any());
  }
  EXPECT_EQ(warnings_, kOneLoss);
}

TEST_F(Hmmer3DeviceDomains, AnotherDeviceTakesOverFromOneLostInSampling) {
  std::promise<void> lost;
  std::future<void> begin = lost.get_future();
  std::atomic<int> sampled_by_lost = 0, sampled = 0, scored = 0;
  StageDevices devices =
      devices_of({{{.way = Way::Lost, .done = &sampled_by_lost, .lost = &lost}, {.done = &scored}},
                  {{.done = &sampled, .begin = &begin}, {.done = &scored}}},
                 kAll);
  EXPECT_EQ(complete_with(devices), expected_);
  EXPECT_EQ(sampled_by_lost, PlainDomainScorer::kBeforeLoss);
  EXPECT_EQ(sampled_by_lost + sampled, regions_);  // each once
  EXPECT_EQ(scored, envelopes_);
  EXPECT_TRUE(devices.any());
  EXPECT_EQ(warnings_, kOneLoss);
}

TEST_F(Hmmer3DeviceDomains, AnotherDeviceTakesOverFromOneLostInScoring) {
  std::promise<void> lost;
  std::future<void> begin = lost.get_future();
  std::atomic<int> sampled = 0, scored_by_lost = 0, scored = 0;
  StageDevices devices =
      devices_of({{{.done = &sampled}, {.way = Way::Lost, .done = &scored_by_lost, .lost = &lost}},
                  {{.done = &sampled}, {.done = &scored, .begin = &begin}}},
                 kAll);
  EXPECT_EQ(complete_with(devices), expected_);
  EXPECT_EQ(scored_by_lost, PlainDomainScorer::kBeforeLoss);
  EXPECT_EQ(scored_by_lost + scored, envelopes_);  // each once
  EXPECT_EQ(sampled, regions_);
  EXPECT_TRUE(devices.any());
  EXPECT_EQ(warnings_, kOneLoss);
}

TEST_F(Hmmer3DeviceDomains, EachLostDeviceIsToldOfOnce) {
  StageDevices devices = devices_of(
      {{.sampling = {.way = Way::Lost}}, {.sampling = {.way = Way::Lost}, .scoring = {.way = Way::Lost}}});
  EXPECT_EQ(complete_with(devices), expected_);
  EXPECT_EQ(complete_with(devices), expected_);
  EXPECT_FALSE(devices.any());
  EXPECT_EQ(warnings_.size(), 2U);
}

TEST_F(Hmmer3DeviceDomains, WhatALostDeviceHasGivenIsVerified) {
  const Conduct conducts[] = {{.sampling = {.way = Way::Lost, .mistake = wrong_null2}},
                              {.scoring = {.way = Way::Lost, .mistake = wrong_score}}};
  for (const Conduct& conduct : conducts) {
    StageDevices devices = devices_of({conduct}, kAll);
    EXPECT_THROW(complete_with(devices), WrongScore);
  }
}

}  // namespace
}  // namespace gpuhmm::hmmer3
