// Runs that are left out, by their predicted time and by their size.
#include "experiment/time_limit.hpp"

#include <gtest/gtest.h>

#include "experiment/experiment.hpp"

namespace gpuhmm::experiment {
namespace {

TEST(TimeLimit, PredictsFromTheRunBeforeInProportionToTheSteps) {
  TimeLimit limit(10);
  EXPECT_EQ(limit.reason("M-seq", 1e30), std::nullopt);
  limit.took("M-seq", 1000, 2);
  EXPECT_EQ(limit.reason("M-seq", 5000), std::nullopt);
  EXPECT_EQ(limit.reason("M-seq", 6000), "predicted 12 s, above --limit");
  EXPECT_EQ(limit.reason("M-global", 6000), std::nullopt);
  limit.took("M-seq", 2000, 8);
  EXPECT_EQ(limit.reason("M-seq", 1e6), "predicted 4,000 s, above --limit");
}

TEST(TimeLimit, OfNoSecondsLeavesNothingOut) {
  TimeLimit limit(0);
  limit.took("M-seq", 1, 1);
  EXPECT_EQ(limit.reason("M-seq", 1e9), std::nullopt);
}

TEST(Request, LeavesOutSizesOnBothSides) {
  EXPECT_EQ(Request{}.leaves_out(1'000'000), std::nullopt);
  Request request;
  request.smallest = 100;
  request.largest = 200;
  EXPECT_EQ(request.leaves_out(99), "below --smallest");
  EXPECT_EQ(request.leaves_out(100), std::nullopt);
  EXPECT_EQ(request.leaves_out(200), std::nullopt);
  EXPECT_EQ(request.leaves_out(201), "above --largest");
}

TEST(Request, MeasuresAsAnotherOnlyWithTheSameSettings) {
  Request request;
  request.progress = [](const std::string&) {};
  EXPECT_TRUE(request.measures_as(Request{}));
  for (const auto& change : std::vector<void (*)(Request&)>{
           [](Request& r) { r.limit = 1; }, [](Request& r) { r.smallest = 1; },
           [](Request& r) { r.work_group = 64; }, [](Request& r) { r.words_per_item = 5; },
           [](Request& r) { r.devices.resize(1); }}) {
    Request other;
    change(other);
    EXPECT_FALSE(request.measures_as(other));
  }
}

}  // namespace
}  // namespace gpuhmm::experiment
