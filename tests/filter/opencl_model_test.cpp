// The tables of the exact OpenCL kernel hold the model's scores, and ScoreRange decides correctly which
// scores are exact.
#include <gtest/gtest.h>

#include "filter/opencl/device_model.hpp"
#include "filter/random_models.hpp"
#include "plan7/arithmetic.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;
using Verdict = ScoreRange::Verdict;

std::int32_t low_half(std::uint64_t pair) { return static_cast<std::int32_t>(pair & 0xFFFFFFFFU); }
std::int32_t high_half(std::uint64_t pair) { return static_cast<std::int32_t>(pair >> 32U); }

TEST(DeviceModel, HoldsEveryScoreRaisedToTheLowest) {
  Generator rng(1);
  const ScoreModel model =
      random_model(rng, {.nodes = 7, .style = ModelStyle::SingleLocal, .impossible = 0.2});
  const DeviceModel device(model);
  ASSERT_EQ(device.parameters.size(), 7U * 9U);
  ASSERT_EQ(device.emission.size(), 7U * 32U);
  for (int k = 1; k <= 7; ++k) {
    const std::int32_t expected[] = {model.mm[k], model.mi[k], model.md[k],    model.im[k], model.ii[k],
                                     model.dm[k], model.dd[k], model.begin[k], model.end[k]};
    for (int p = 0; p < 9; ++p) {
      EXPECT_EQ(device.parameters[(k - 1) * 9 + p], std::max(expected[p], kDeviceLow));
    }
    for (int x = 0; x < 32; ++x) {
      const bool known = x < model.code_count();
      const std::uint64_t pair = device.emission[(k - 1) * 32 + x];
      EXPECT_EQ(low_half(pair), known ? std::max(model.match_row(x)[k], kDeviceLow) : kDeviceLow);
      EXPECT_EQ(high_half(pair), known ? std::max(model.insert_row(x)[k], kDeviceLow) : kDeviceLow);
    }
  }
  EXPECT_EQ(device.specials[3], kDeviceLow) << "E->J of a single-hit model";
  EXPECT_EQ(device.specials[0], model.n_begin);
}

TEST(DeviceModel, FitsSixLowestScoresIn32Bits) {
  EXPECT_GE(std::int64_t{6} * kDeviceLow, std::int64_t{INT32_MIN});
}

TEST(ScoreRange, ProvesRealScoresOfUsualModels) {
  Generator rng(2);
  for (const ModelStyle style : kAllStyles) {
    const ScoreRange range(random_model(rng, {.nodes = 3000, .style = style}));
    EXPECT_EQ(range.judge(400, 100'000), Verdict::Exact);
    EXPECT_EQ(range.judge(400, -30'000'000), Verdict::Exact);
    EXPECT_EQ(range.judge(40'000, -30'000'000), Verdict::Exact);
    EXPECT_EQ(range.judge(400, kDeviceLow), Verdict::NoPath);
    EXPECT_EQ(range.judge(400, kDeviceLow + 50'000), Verdict::NoPath);
    EXPECT_EQ(range.judge(400'000, 0), Verdict::Unknown) << "too long to be sure";
    EXPECT_EQ(range.judge(40'000'000'000, 0), Verdict::Unknown);
  }
}

TEST(ScoreRange, DoesNotDecideOnScoresThatARealPathCouldReach) {
  Generator rng(3);
  ScoreModel model = random_model(rng, {.nodes = 10});
  EXPECT_EQ(ScoreRange(model).judge(50, kDeviceLow), Verdict::NoPath);
  ScoreModel deep = model;
  deep.mm[3] = -100'000'000;
  EXPECT_EQ(ScoreRange(deep).judge(50, kDeviceLow), Verdict::Unknown);
  ScoreModel through_j = model;
  through_j.c_loop = kMinusInfinity;
  EXPECT_EQ(ScoreRange(through_j).judge(50, kDeviceLow), Verdict::Unknown);
}

}  // namespace
}  // namespace gpuhmm
