// Calls that share a launch of the packed GPU kernel: who waits for whom.
#include "filter/opencl/gpu_model_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "filter/gpu_model_pairing.hpp"
#include "filter/opencl/gpu_batch.hpp"
#include "filter/opencl/gpu_bound_pair.hpp"
#include "filter/random_models.hpp"
#include "gpuhmm/engine.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;

TEST(GpuBoundPair, PadsTheSmallerModelBehindItsTable) {
  Generator rng(104);
  const GpuBoundModel first(random_model(rng, {.nodes = 64}), 0), second(random_model(rng, {.nodes = 66}), 0);
  constexpr int kPairs = 33;
  const GpuBoundPair both(first, second, kPairs);
  ASSERT_EQ(both.emissions.size(), std::size_t{2 * kPairs * kGpuCodes});
  ASSERT_EQ(both.moves.size(), std::size_t{kPairs * kGpuMoveWords});
  const auto last = both.moves.end() - kGpuMoveWords;
  for (const int node : {0, 1}) {
    EXPECT_EQ(static_cast<std::int32_t>(last[8 + node]), kGpuImpossibleEnd);
    EXPECT_EQ(last[10 + node], *(second.moves.begin() + 32 * kGpuMoveWords + 8 + node));
  }
  for (std::size_t i = 2 * 32 * kGpuCodes; i < both.emissions.size(); ++i) {
    EXPECT_EQ(both.emissions[i] & 0xffffU, first.padding);
  }
}

// Calls of models of some sizes, without a device.
class Calls : public GpuModelPairing {
 protected:
  using Call = GpuModelPairs::Call;

  Calls() : bound_(random_model(rng_, {.nodes = 10}), 0) {
    const SequenceBatch sequences = random_batch(rng_, random_model(rng_, {.nodes = 10}), 3, 5, 9);
    batch_.emplace(sequences, variant_, 1, *open_);
    other_batch_.emplace(sequences, variant_, 1, *open_);
  }

  // One thread for each call; none begins before all are known to come.
  template <class Launch>
  void run(const std::vector<Call>& calls, const Launch& launch) {
    GpuModelPairs pairs(variant_);
    std::vector<std::unique_ptr<GpuModelPairs::Coming>> coming;
    for (std::size_t c = 0; c < calls.size(); ++c) {
      coming.push_back(std::make_unique<GpuModelPairs::Coming>(pairs));
    }
    std::vector<std::future<void>> threads;
    for (std::size_t c = 0; c < calls.size(); ++c) {
      threads.push_back(std::async(std::launch::async, [&, c] {
        pairs.run(calls[c], *coming[c], [&](const Call* other) { launch(calls[c], other); });
      }));
    }
    for (std::future<void>& thread : threads) thread.get();
  }
  // The numbers of launches alone and of both.
  std::array<int, 2> launches(const std::vector<Call>& calls) {
    std::array<std::atomic<int>, 2> count{};
    run(calls, [&](const Call&, const Call* other) { ++count[other == nullptr ? 0 : 1]; });
    return {count[0], count[1]};
  }
  Call call(int pairs) const { return {bound_, pairs, *batch_, nullptr}; }

  Generator rng_{101};
  GpuBoundModel bound_;
  std::optional<GpuBatch> batch_, other_batch_;
};

TEST_F(Calls, ShareALaunchIfTheirModelsAreOfSimilarSize) {
  EXPECT_EQ(launches({call(30), call(30)}), (std::array{0, 1}));
  EXPECT_EQ(launches({call(20), call(30)}), (std::array{0, 1}));
  EXPECT_EQ(launches({call(19), call(30)}), (std::array{2, 0}));
  EXPECT_EQ(launches({call(30)}), (std::array{1, 0}));
  EXPECT_EQ(launches({call(30), call(31), call(32)}), (std::array{1, 1}));
  EXPECT_EQ(launches({call(30), call(100), call(31), call(90)}), (std::array{0, 2}));
  EXPECT_EQ(launches({call(30), {bound_, 30, *other_batch_, nullptr}}), (std::array{2, 0}));
  variant_.two_models = false;
  EXPECT_EQ(launches({call(30), call(30)}), (std::array{2, 0}));
}

TEST_F(Calls, AreDoneOnceEach) {
  std::vector<Call> calls;
  std::vector<cl_int> done(60, 0);
  for (std::size_t c = 0; c < done.size(); ++c) {
    calls.push_back({bound_, static_cast<int>(10 + c % 7 * 5), *batch_, &done[c]});
  }
  run(calls, [](const Call& own, const Call* other) {
    ++*own.bounds;
    if (other != nullptr) ++*other->bounds;
  });
  EXPECT_EQ(std::ranges::count(done, 1), 60);
}

TEST_F(Calls, GoOnAloneIfASharedLaunchFails) {
  std::atomic<int> alone = 0;
  run({call(30), call(30)}, [&](const Call&, const Call* other) {
    if (other != nullptr) throw EngineFailure("out of memory");
    ++alone;
  });
  EXPECT_EQ(alone, 2);
  EXPECT_THROW(run({call(30)}, [](const Call&, const Call*) { throw EngineFailure("lost"); }), EngineFailure);
}

TEST_F(Calls, DoNotWaitForOneThatDoesNotComeAfterAll) {
  GpuModelPairs pairs(variant_);
  auto other = std::make_unique<GpuModelPairs::Coming>(pairs);
  int alone = 0;
  auto thread = std::async(std::launch::async, [&] {
    GpuModelPairs::Coming coming(pairs);
    pairs.run(call(30), coming, [&](const Call* with) { alone += with == nullptr ? 1 : 0; });
  });
  other.reset();
  thread.get();
  EXPECT_EQ(alone, 1);
}

// Two launches are on the device: a third call waits for a fourth.
TEST_F(Calls, WaitForAPartnerWhileTheDeviceIsBusy) {
  GpuModelPairs pairs(variant_);
  std::promise<void> release;
  const std::shared_future<void> released = release.get_future().share();
  std::atomic<int> running = 0, alone = 0, shared = 0;
  const auto begin = [&](int size, bool blocks) {
    return std::async(std::launch::async, [&, size, blocks] {
      GpuModelPairs::Coming coming(pairs);
      pairs.run(call(size), coming, [&, blocks](const Call* with) {
        ++(with == nullptr ? alone : shared);
        ++running;
        if (blocks) released.wait();
      });
    });
  };
  std::vector<std::future<void>> threads;
  for (const int size : {10, 100}) {
    threads.push_back(begin(size, true));
    while (running < static_cast<int>(threads.size())) std::this_thread::yield();
  }
  auto third = begin(40, false);
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_EQ(alone, 2);
  auto fourth = begin(40, false);
  third.get();
  fourth.get();
  EXPECT_EQ(alone, 2);
  EXPECT_EQ(shared, 1);
  release.set_value();
  for (std::future<void>& thread : threads) thread.get();
}

}  // namespace
}  // namespace gpuhmm
