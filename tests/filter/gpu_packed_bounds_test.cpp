// The bounds of the packed GPU kernels on PoCL: those of two models in one launch are those of each alone,
// and none is too low beside a comparison that overflows.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <future>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "filter/gpu_model_pairing.hpp"
#include "filter/opencl/gpu_batch.hpp"
#include "filter/opencl/gpu_bound_model.hpp"
#include "filter/opencl/gpu_model_pairs.hpp"
#include "filter/opencl/gpu_stream.hpp"
#include "filter/random_models.hpp"
#include "plan7/arithmetic.hpp"
#include "plan7/viterbi.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;

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

// A bound whose best paths have many inserts, and one that overflows beside it: each of its inserts of
// kLosing takes 1 from the other comparison, as one whose sum falls below 0 does.
class BesideOverflow : public Bounds {
 protected:
  static constexpr int kNodes = 12;
  static constexpr std::uint8_t kLosing = 0;

  BesideOverflow() {
    for (int k = 1; k < kNodes; ++k) {
      model_.ii[k] = 0;
      for (int x = 0; x < model_.code_count(); ++x) {
        model_.insert[static_cast<std::size_t>(x) * (kNodes + 1) + static_cast<std::size_t>(k)] = -7;
      }
    }
  }

  std::vector<std::uint8_t> without_losing(std::size_t length) {
    std::vector<std::uint8_t> residues = random_residues(rng_, model_.alphabet, length);
    std::ranges::replace(residues, kLosing, std::uint8_t{1});
    return residues;
  }
  // An insert with ii, -6 bits at the last node, takes 1 at most.
  static void lose(GpuBoundModel& bound, std::size_t code) { bound.inserts[code] = joined(6'000, -1); }
  void expect_high_enough(const GpuBoundModel& bound, std::int32_t best, const SequenceBatch& sequences,
                          std::size_t i) const {
    EXPECT_GE(bound.score(best, sequences.length(i)), viterbi_score(model_, sequences.residues(i))) << i;
  }

  Generator rng_{105};
  ScoreModel model_ = random_model(rng_, {.nodes = kNodes, .style = ModelStyle::SingleGlocal});
};

TEST_F(BesideOverflow, BoundsOfAnotherModelAreHighEnough) {
  SequenceBatch sequences;
  for (const std::size_t length : {40U, 130U, 260U, 270U}) add_sequence(sequences, without_losing(length));
  const GpuBatch batch(sequences, variant_, 1, *open_);
  const GpuBoundModel bound(model_, 0);
  GpuBoundModel losing = bound;
  losing.peak_limit = 0;
  for (std::size_t code = 0; code < losing.inserts.size(); ++code) lose(losing, code);
  bool losing_was_low = false;
  for (int round = 0; round < 20 && !losing_was_low; ++round) {
    const auto found = found_together({&model_, &model_}, {&losing, &bound}, batch, true);
    losing_was_low = found[0].packed > 0;
    for (std::size_t i = 0; i < sequences.size(); ++i) {
      if (losing_was_low) {
        EXPECT_EQ(found[0].best[i], kGpuOverflown);
      }
      EXPECT_NE(found[1].best[i], kGpuOverflown);
      expect_high_enough(bound, found[1].best[i], sequences, i);
    }
  }
  EXPECT_TRUE(losing_was_low);
}

// Neighbours of one model, with either first; two long ones come last, of which the longer one is the low
// half.
TEST_F(BesideOverflow, BoundsOfOtherSequencesAreHighEnough) {
  SequenceBatch sequences;
  std::vector<bool> loses;
  for (const std::size_t length : {250U, 251U, 252U, 253U, 254U, 255U, 256U, 257U, 800U, 810U}) {
    loses.push_back(length < 254 ? length % 2 == 0 : length < 800 ? length % 2 == 1 : length == 810);
    const auto residues = loses.back() ? std::vector<std::uint8_t>(length, kLosing) : without_losing(length);
    add_sequence(sequences, residues);
  }
  const GpuBatch batch(sequences, variant_, 1, *open_);
  const GpuBoundModel bound(model_, 0);
  GpuBoundModel losing = bound;
  lose(losing, kLosing);
  // It overflows in the first node only, of which another work-item knows than of the last if sequences are
  // long.
  const std::uint32_t begin = losing.begin & 0xffffU, down = 0x10000 - begin;
  for (std::size_t i = kLosing; i < losing.emissions.size(); i += kGpuCodes) {
    losing.emissions[i] = down << 16 | (i == kLosing ? losing.peak_limit + 1 - begin : down);
  }
  const GpuPrograms programs(*open_, variant_);
  GpuModelPairs pairs(variant_);
  GpuStream stream(Queue(*open_), variant_, programs, pairs);
  GpuModelPairs::Coming coming(pairs);
  const Found found = found_by(stream, coming, model_, losing, batch);
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    if (loses[i]) {
      EXPECT_EQ(found.best[i], kGpuOverflown) << i;
    } else {
      expect_high_enough(bound, found.best[i], sequences, i);
    }
  }
}

}  // namespace
}  // namespace gpuhmm
