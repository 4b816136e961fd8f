// Calls that share a launch of the packed kernel: who waits for whom, and the bounds of two models on PoCL,
// which are those of each model alone.
#include "filter/opencl/gpu_model_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "filter/opencl/gpu_batch.hpp"
#include "filter/opencl/gpu_stream.hpp"
#include "filter/random_models.hpp"
#include "gpuhmm/device.hpp"
#include "gpuhmm/engine.hpp"
#include "opencl/open_device.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;

class GpuModelPairing : public ::testing::Test {
 protected:
  GpuModelPairing() {
    const std::vector<DeviceInfo> devices = list_devices();
    if (devices.empty()) throw std::runtime_error("there is no OpenCL device (PoCL must be installed)");
    device_ = devices.front();
    open_.emplace(device_);
    variant_ = choose_gpu_variant(device_);
    variant_.two_models = true;
    variant_.long_sequence = 700;
  }

  DeviceInfo device_;
  std::optional<OpenDevice> open_;
  GpuVariant variant_;
};

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

// Bounds of the short sequences by streams whose calls come together.
class Bounds : public GpuModelPairing {
 protected:
  struct Found {
    std::vector<std::int32_t> best;
    double packed;  // s of the packed kernel in the call
  };

  Found found_by(GpuStream& stream, GpuModelPairs::Coming& coming, const ScoreModel& model,
                 const GpuBatch& batch) {
    GpuTimes times;
    const GpuModel exact(model);
    const GpuBoundModel bound(model, kPassMark);
    const GpuStream::Best best = stream.run_bounds(exact, bound, batch, coming, times);
    Found found{{best.best.begin(), best.best.end()}, times.packed};
    for (std::size_t i = 0; i < found.best.size(); ++i) {
      if (batch.layout.length(i) == 0) found.best[i] = 0;  // nothing is written
    }
    return found;
  }

  void check(const ScoreModel& first, const ScoreModel& second, const SequenceBatch& sequences,
             const std::string& what) {
    const GpuBatch batch(sequences, variant_, 1, *open_);
    const GpuPrograms programs(*open_, variant_);
    GpuModelPairs pairs(variant_);
    GpuStream one(Queue(*open_), variant_, programs, pairs), two(Queue(*open_), variant_, programs, pairs);
    const auto alone = [&](const ScoreModel& model) {
      GpuModelPairs::Coming coming(pairs);
      return found_by(one, coming, model, batch);
    };
    const std::array<Found, 2> expected = {alone(first), alone(second)};
    GpuModelPairs::Coming first_comes(pairs), second_comes(pairs);
    auto thread = std::async(std::launch::async, [&] { return found_by(two, second_comes, second, batch); });
    const Found of_first = found_by(one, first_comes, first, batch), of_second = thread.get();
    EXPECT_EQ(of_first.best, expected[0].best) << what;
    EXPECT_EQ(of_second.best, expected[1].best) << what;
    EXPECT_EQ((of_first.packed > 0) + (of_second.packed > 0), 1) << what << ": not shared";
    overflown_ += std::ranges::count(of_first.best, kGpuOverflown);
  }

  static constexpr std::int32_t kPassMark = 100'000;
  std::ptrdiff_t overflown_ = 0;
};

TEST_F(Bounds, OfTwoModelsAreThoseOfEach) {
  Generator rng(102);
  int round = 0;
  // Tables have a multiple of 64 nodes: that of the smaller model may end before those of the larger one.
  for (const auto& [first, second] : {std::pair{1, 1}, {7, 6}, {64, 66}, {70, 63}, {61, 90}, {128, 131}}) {
    for (const ModelStyle style : kAllStyles) {
      variant_.packed_two.step_nodes = ++round % 2 == 0 ? 2 : 4;
      variant_.packed.step_nodes = round % 3 == 0 ? 4 : 2;
      const RandomModelOptions options = {.nodes = first, .style = style};
      const ScoreModel model = random_model(rng, options);
      const ScoreModel other = random_model(rng, {.nodes = second, .style = kAllStyles[round % 4]});
      SequenceBatch sequences = random_batch(rng, model, 20, 1, 300);
      for (int s = 0; s < 3; ++s) add_sequence(sequences, repeat_residues(rng, other, 650));
      for (int s = 0; s < 3; ++s) add_sequence(sequences, repeat_residues(rng, model, 400));
      add_sequence(sequences, {});
      add_sequence(sequences, random_residues(rng, model.alphabet, 800));  // a long one
      check(model, other, sequences, std::to_string(first) + " and " + std::to_string(second));
    }
  }
  EXPECT_GT(overflown_, 0);
}

TEST_F(Bounds, AreTheSameInStripsAndSeveralLaunches) {
  Generator rng(103);
  variant_.packed.table_bytes = variant_.packed_two.table_bytes = 6000;
  variant_.edge_bytes = 60'000;
  for (const unsigned step_nodes : {2U, 4U}) {
    variant_.packed_two.step_nodes = step_nodes;
    const ScoreModel model = random_model(rng, {.nodes = 150}), other = random_model(rng, {.nodes = 133});
    check(model, other, random_batch(rng, model, 70, 1, 690), std::to_string(step_nodes));
  }
}

}  // namespace
}  // namespace gpuhmm
