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
#include "plan7/arithmetic.hpp"
#include "plan7/viterbi.hpp"

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
                 const GpuBoundModel& bound, const GpuBatch& batch) {
    GpuTimes times;
    const GpuStream::Best best = stream.run_bounds(GpuModel(model), bound, batch, coming, times);
    Found found{{best.best.begin(), best.best.end()}, times.packed};
    for (std::size_t i = 0; i < found.best.size(); ++i) {
      if (batch.layout.length(i) == 0) found.best[i] = 0;  // nothing is written
    }
    return found;
  }

  // The bounds of both models in a shared launch; the second one's call comes first if `second_waits`.
  std::array<Found, 2> found_together(const std::array<const ScoreModel*, 2>& models,
                                      const std::array<const GpuBoundModel*, 2>& bounds,
                                      const GpuBatch& batch, bool second_waits) {
    const GpuPrograms programs(*open_, variant_);
    GpuModelPairs pairs(variant_);
    GpuStream one(Queue(*open_), variant_, programs, pairs), two(Queue(*open_), variant_, programs, pairs);
    GpuModelPairs::Coming first_comes(pairs), second_comes(pairs);
    auto thread = std::async(std::launch::async,
                             [&] { return found_by(two, second_comes, *models[1], *bounds[1], batch); });
    if (second_waits) std::this_thread::sleep_for(std::chrono::milliseconds(30));
    const Found of_first = found_by(one, first_comes, *models[0], *bounds[0], batch);
    return {of_first, thread.get()};
  }

  // Beside a sequence or a model that overflows, a bound may be higher by 1 for each row of the block twice:
  // by sums that leave 16 bits, and to make up for those that took 1.
  void expect_bound(std::int32_t found, std::int32_t expected, std::int32_t rows_beside_overflown,
                    const std::string& what) {
    if (rows_beside_overflown == 0) {
      EXPECT_EQ(found, expected) << what;
    } else if (found != kGpuOverflown && expected != kGpuOverflown) {
      EXPECT_LE(std::abs(found - expected), 2 * rows_beside_overflown) << what;
    }
  }

  void check(const ScoreModel& first, const ScoreModel& second, const SequenceBatch& sequences,
             const std::string& what) {
    const GpuBatch batch(sequences, variant_, 1, *open_);
    const GpuPrograms programs(*open_, variant_);
    const std::array<const ScoreModel*, 2> models = {&first, &second};
    const GpuBoundModel first_bound(first, kPassMark), second_bound(second, kPassMark);
    const std::array<const GpuBoundModel*, 2> bounds = {&first_bound, &second_bound};
    GpuModelPairs pairs(variant_);
    GpuStream stream(Queue(*open_), variant_, programs, pairs);
    const std::array<Found, 2> found = found_together(models, bounds, batch, false);
    EXPECT_EQ((found[0].packed > 0) + (found[1].packed > 0), 1) << what << ": not shared";
    for (std::size_t m = 0; m < 2; ++m) {
      GpuModelPairs::Coming coming(pairs);
      const Found alone = found_by(stream, coming, *models[m], *bounds[m], batch);
      for (std::size_t i = 0; i < sequences.size(); ++i) {
        const std::uint32_t place = batch.layout.place(i);
        std::int32_t rows_beside_overflown = 0;
        if (place != GpuLayout::kNowhere) {
          const std::uint32_t neighbour = place ^ 1U;
          const std::span<const std::uint32_t> order = batch.layout.order;
          if (found[1 - m].best[i] == kGpuOverflown ||
              (neighbour < order.size() && alone.best[order[neighbour]] == kGpuOverflown)) {
            rows_beside_overflown = 4 * batch.layout.block_words[place / kGpuBlock];
          }
        }
        expect_bound(found[m].best[i], alone.best[i], rows_beside_overflown, what);
        ++(rows_beside_overflown > 0 ? beside_overflown_ : beside_others_);
        for (const std::int32_t best : {found[m].best[i], alone.best[i]}) {
          const std::int32_t exact = viterbi_score(*models[m], sequences.residues(i));
          const bool single_hit = models[m]->e_to_j == kMinusInfinity || exact <= 0;
          if (best == kGpuOverflown || !single_hit || sequences.length(i) == 0) continue;
          EXPECT_GE(bounds[m]->score(best, sequences.length(i)), exact) << what;
        }
      }
    }
  }

  static constexpr std::int32_t kPassMark = 100'000;
  int beside_overflown_ = 0, beside_others_ = 0;
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
  EXPECT_GT(beside_overflown_, 100);
  EXPECT_GT(beside_others_, 500);
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

// The sums of inserts of a model that leave 16 bits take 1 from those of the model in the high half.
TEST_F(Bounds, AreHighEnoughBesideAModelThatOverflows) {
  constexpr int kNodes = 12;
  Generator rng(105);
  ScoreModel model = random_model(rng, {.nodes = kNodes, .style = ModelStyle::SingleGlocal});
  const auto score_of = [&](std::vector<std::int32_t>& scores, int x, int k) -> std::int32_t& {
    return scores[static_cast<std::size_t>(x) * (kNodes + 1) + static_cast<std::size_t>(k)];
  };
  for (int k = 1; k < kNodes; ++k) {
    model.ii[k] = 0;
    for (int x = 0; x < model.code_count(); ++x) score_of(model.insert, x, k) = -7;
  }
  SequenceBatch sequences;
  for (const std::size_t length : {40U, 130U, 260U, 270U}) {
    add_sequence(sequences, random_residues(rng, model.alphabet, length));
  }
  const GpuBatch batch(sequences, variant_, 1, *open_);
  const GpuBoundModel bound(model, 0);
  // I + ii of each second row is 0, by two sums that wrap around.
  GpuBoundModel wrapping = bound;
  wrapping.begin = wrapping.start_p = 0;
  wrapping.peak_limit = 0;
  std::ranges::fill(wrapping.emissions, 0x00010001U);
  std::ranges::fill(wrapping.inserts, static_cast<std::uint32_t>(-32'768));
  for (std::size_t i = 0; i < wrapping.moves.size(); i += 4) {
    if (i % kGpuMoveWords == 8) continue;
    wrapping.moves[i] = i == 0 ? 0 : 0x80008000U;
    wrapping.moves[i + kGpuMoveInsertInsert] = joined(-32'768, -32'768);
    wrapping.moves[i + 2] = wrapping.moves[i + 3] = 0;
  }
  bool wrapping_was_low = false;
  for (int round = 0; round < 20 && !wrapping_was_low; ++round) {
    const auto found = found_together({&model, &model}, {&wrapping, &bound}, batch, true);
    wrapping_was_low = found[0].packed > 0;
    for (std::size_t i = 0; i < sequences.size(); ++i) {
      if (wrapping_was_low) {
        EXPECT_EQ(found[0].best[i], kGpuOverflown);
      }
      EXPECT_GE(bound.score(found[1].best[i], sequences.length(i)),
                viterbi_score(model, sequences.residues(i)));
      EXPECT_NE(found[1].best[i], kGpuOverflown);
    }
  }
  EXPECT_TRUE(wrapping_was_low);
}

}  // namespace
}  // namespace gpuhmm
