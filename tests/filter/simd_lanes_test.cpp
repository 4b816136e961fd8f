// The kernels with one sequence in each SIMD lane: the distribution of sequences over lanes, scores and
// bounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "filter/simd/glocal_bound.hpp"
#include "filter/simd/lane_model.hpp"
#include "filter/simd/lane_sequences.hpp"
#include "filter/simd_groups.hpp"
#include "gpuhmm/engine.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm::simd {
namespace {

using namespace gpuhmm::simd::testing;

/// Calls body() for each instruction set that has the kernel.
void for_each_lane_kernel(const auto& body) {
  for_each_target([&] {
    if (has_lane_kernel()) body();
  });
}

TEST(LaneSequences, HoldEverySequenceBetweenSeparators) {
  Generator rng(51);
  const ScoreModel model = random_model(rng, {.nodes = 5});
  for_each_target([&] {
    LaneSequences dealt;
    for (const int count : {1, 63, 64, 65, 500, 3}) {
      const SequenceBatch batch = random_batch(rng, model, count, 1, count == 63 ? 400 : 70);
      const std::size_t separators = 1 + static_cast<std::size_t>(count) % 3;
      dealt.deal(batch, longest_first(batch), separators);
      std::vector<int> seen(batch.size(), 0);
      std::size_t last_row = 0;
      for (const LaneSequences::End& end : dealt.ends()) {
        ++seen[end.sequence];
        EXPECT_GE(end.row, last_row);
        EXPECT_EQ(end.row % LaneSequences::kRowsAtOnce, 0U);
        last_row = end.row;
        const auto residues = batch.residues(end.sequence);
        std::size_t row = end.row;
        if (dealt.row(row - 1)[end.lane] == kSeparator) --row;
        for (std::size_t i = residues.size(); i-- > 0;) ASSERT_EQ(dealt.row(--row)[end.lane], residues[i]);
        for (std::size_t i = 0; i < separators; ++i) ASSERT_EQ(dealt.row(--row)[end.lane], kSeparator);
      }
      EXPECT_EQ(std::ranges::count(seen, 1), count);
    }
  });
}

struct Count {
  int accepted = 0, refused = 0, proven = 0, open = 0;
};

/// Scores each sequence three times, so that lanes hold several sequences, and calls check(E, exact score,
/// length) for those at or below the mark.
void check_lanes(const ScoreModel& model, const LaneModel& lanes, const LevelledModel<std::int16_t>& levelled,
                 const SequenceBatch& once, Count& count, const auto& check) {
  SequenceBatch batch;
  for (int copy = 0; copy < 3; ++copy) {
    for (std::size_t i = 0; i < once.size(); ++i) {
      add_sequence(batch, {once.residues(i).begin(), once.residues(i).end()});
    }
  }
  LaneSequences dealt;
  LaneState state;
  std::vector<std::int16_t> best(batch.size());
  dealt.deal(batch, longest_first(batch), lanes.separators);
  sweep_lanes(lanes, dealt, state, best);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (best[i] > levelled.mark) {
      ++count.open;
      continue;
    }
    ++count.proven;
    check(levelled.score(best[i]), viterbi_score(model, batch.residues(i)), batch.length(i));
  }
}

TEST(SimdLanes, GiveGlocalScoresWithinTheirSlack) {
  Generator rng(52);
  Count count;
  int watched = 0;
  for (int m = 0; m < 300; ++m) {
    ScoreModel model = stretched_model(rng, detail::between(rng, 2, m % 8 == 0 ? 110 : 45), m % 2 == 0);
    if (m % 3 == 2) {
      for (std::int32_t& s : model.insert) s += detail::between(rng, 0, 1500);
    }
    SequenceBatch batch = random_batch(rng, model, 40, 1, 150);
    make_harder(rng, model, batch, m / 3 % 5);
    const auto single = reduce_to_single_hit(model);
    ASSERT_TRUE(single);
    SCOPED_TRACE("model " + std::to_string(m) + ", " + std::to_string(model.nodes) + " nodes");
    for_each_lane_kernel([&] {
      const auto close =
          stripe_glocal_close<std::int16_t>(model, *single, {model.nodes, 1}, GainingInserts::Watched);
      const auto lanes = close ? lane_model(*close) : std::nullopt;
      ++(lanes ? count.accepted : count.refused);
      if (!lanes) return;
      watched += !lanes->watched.empty();
      check_lanes(model, *lanes, close->levelled, batch, count,
                  [&](std::int64_t e, std::int32_t exact, std::size_t length) {
                    EXPECT_GE(e + single->exit, exact) << length << " residues";
                    EXPECT_LE(e + single->exit - close->slack, exact) << length << " residues";
                  });
    });
    if (HasFailure()) return;
  }
  if (count.accepted == 0) GTEST_SKIP() << "this machine has no vectors of 64 bytes";
  EXPECT_GT(count.accepted, 100);
  EXPECT_GT(count.refused, 20);
  EXPECT_GT(count.proven, 5000);
  EXPECT_GT(count.open, 1000);
  EXPECT_GT(watched, 50);
}

TEST(SimdLanes, GiveExactLocalScores) {
  Generator rng(53);
  Count count;
  for (int m = 0; m < 300; ++m) {
    ScoreModel model =
        random_model(rng, {.nodes = detail::between(rng, 1, m % 8 == 0 ? 110 : 50),
                           .style = m % 2 == 0 ? ModelStyle::MultihitLocal : ModelStyle::SingleLocal,
                           .impossible = m % 10 == 9 ? 0.01 : 0,
                           .odd_specials = m % 7 == 6});
    if (m % 3 == 2) {
      for (std::int32_t& s : model.insert) s += detail::between(rng, 0, 1500);
    }
    const auto single = reduce_to_single_hit(model);
    if (!single) continue;
    SequenceBatch batch = random_batch(rng, model, 40, 1, 150);
    add_insertions(rng, model, batch, detail::between(rng, 1, model.nodes), 12);
    SCOPED_TRACE("model " + std::to_string(m) + ", " + std::to_string(model.nodes) + " nodes");
    for_each_lane_kernel([&] {
      const auto exact16 = stripe_exact16(model, *single, LazyFRule::WhenUseful, {model.nodes, 1},
                                          std::numeric_limits<std::int64_t>::min());
      const auto lanes = exact16 ? lane_model(*exact16) : std::nullopt;
      ++(lanes ? count.accepted : count.refused);
      if (!lanes) return;
      check_lanes(model, *lanes, *exact16, batch, count,
                  [&](std::int64_t e, std::int32_t exact, std::size_t length) {
                    if (e <= single->gain(length) - kImpossible) return;
                    EXPECT_EQ(e + single->exit + static_cast<std::int64_t>(length) * single->loop, exact)
                        << length << " residues";
                  });
    });
    if (HasFailure()) return;
  }
  if (count.accepted == 0) GTEST_SKIP() << "this machine has no vectors of 64 bytes";
  EXPECT_GT(count.accepted, 100);
  EXPECT_GT(count.refused, 20);
  EXPECT_GT(count.proven, 5000);
  EXPECT_GT(count.open, 200);
}

// All bounds are valid; mean differences from exact scores are below 1 bit.
TEST(SimdLanes, GiveGlocalUpperBounds) {
  Generator rng(55);
  Count count;
  std::int64_t slack = 0;
  int same_inserts = 0, compared = 0;
  for (int m = 0; m < 200; ++m) {
    ScoreModel model = stretched_model(rng, detail::between(rng, 2, m % 8 == 0 ? 200 : 70), m % 2 == 0);
    SequenceBatch batch = random_batch(rng, model, 40, 1, 150);
    if (m % 4 >= 2) make_harder(rng, model, batch, m / 4 % 5);
    if (m % 3 > 0) even_inserts(rng, model, 0);
    const auto single = reduce_to_single_hit(model);
    if (!single) continue;
    const std::int32_t threshold =
        viterbi_score(model, batch.residues(detail::between(rng, 0, 39))) + detail::between(rng, -2000, 2000);
    SCOPED_TRACE("model " + std::to_string(m) + ", " + std::to_string(model.nodes) + " nodes");
    for_each_lane_kernel([&] {
      const auto bound = stripe_glocal_bound(model, *single, threshold, {model.nodes, 1});
      const auto lanes = bound ? bound_lane_model(*bound) : std::nullopt;
      ++(lanes ? count.accepted : count.refused);
      if (!lanes) return;
      same_inserts += lanes->same_inserts;
      check_lanes(model, *lanes, *bound, batch, count,
                  [&](std::int64_t e, std::int32_t exact, std::size_t length) {
                    EXPECT_GE(e + single->exit, exact) << length << " residues";
                    if (m % 4 >= 2) return;
                    slack += e + single->exit - exact;
                    ++compared;
                  });
    });
    if (HasFailure()) return;
  }
  if (count.accepted == 0) GTEST_SKIP() << "this machine has no vectors of 64 bytes";
  EXPECT_GT(count.accepted, 150);
  EXPECT_GT(count.proven, 5000);
  EXPECT_GT(count.open, 1000);
  EXPECT_GT(same_inserts, 50);
  EXPECT_GT(compared, 3000);
  EXPECT_LT(slack / compared, 1000);
}

// Separators must clear the state of a lane; a model that would need too many of them is refused.
TEST(SimdLanes, RefuseAModelThatNeedsTooManySeparators) {
  Generator rng(54);
  const ScoreModel model = random_model(rng, {.nodes = 10, .style = ModelStyle::SingleLocal});
  const auto single = reduce_to_single_hit(model);
  ASSERT_TRUE(single);
  auto exact16 = stripe_exact16(model, *single, LazyFRule::WhenUseful, {model.nodes, 1},
                                std::numeric_limits<std::int64_t>::min());
  ASSERT_TRUE(exact16);
  EXPECT_TRUE(lane_model(*exact16));
  for (int k = 1; k < model.nodes; ++k) exact16->striped.transition(k, kMatchDelete) = 32767;
  EXPECT_FALSE(lane_model(*exact16));
}

// Scores and bounds of batches that are large enough for lanes, with a sequence for which the other lanes
// would wait. Scores of `enough` may be upper bounds, too.
TEST(SimdLanes, ScoresOfTheEngineAreExactAndBoundsNeverBelowThem) {
  Generator rng(67);
  int at_least = 0, bounds = 0;
  constexpr ModelStyle kStyles[] = {ModelStyle::MultihitLocal, ModelStyle::MultihitGlocal,
                                    ModelStyle::SingleLocal, ModelStyle::SingleGlocal};
  for (int m = 0; m < 24; ++m) {
    const ModelStyle style = kStyles[m % 4];
    ScoreModel model = random_model(rng, {.nodes = detail::between(rng, 20, 120), .style = style});
    if (m % 2 == 1) make_glocal(rng, model);
    even_inserts(rng, model, m % 3 == 2 ? 200 : 0);
    SequenceBatch batch = random_sequences(rng, model, 500, 50, 350);
    for (int i = 0; i < 60; ++i) {
      add_sequence(batch,
                   repeat_residues(rng, model, static_cast<std::size_t>(detail::between(rng, 5, 200))));
    }
    add_sequence(batch, random_residues(rng, model.alphabet, 5000));
    const unsigned threads = m / 4 % 2 == 0 ? 1 : 3;
    const auto engine = make_simd_engine(threads);
    const auto prepared = engine->prepare(batch);
    std::vector<std::int32_t> exact(batch.size()), found(batch.size());
    engine->score(model, *prepared, std::nullopt, exact);
    for (std::size_t i = 0; i < batch.size(); ++i)
      ASSERT_EQ(exact[i], viterbi_score(model, batch.residues(i)));
    for (const std::int32_t threshold : {3000, 9000}) {
      for (const std::int32_t enough : {threshold + 1000, std::numeric_limits<std::int32_t>::max()}) {
        engine->score_up_to(model, *prepared, threshold, enough, found);
        for (std::size_t i = 0; i < batch.size(); ++i) {
          EXPECT_TRUE(found[i] >= exact[i] || found[i] >= enough) << "model " << m << ", sequence " << i;
          at_least += exact[i] >= threshold;
          bounds += exact[i] < threshold && found[i] != exact[i];
          if (enough == std::numeric_limits<std::int32_t>::max() && exact[i] < threshold) {
            EXPECT_LT(found[i], threshold) << "model " << m << ", sequence " << i;
          }
        }
      }
    }
  }
  EXPECT_GT(at_least, 500);
  EXPECT_GT(bounds, 10'000);
}

}  // namespace
}  // namespace gpuhmm::simd
