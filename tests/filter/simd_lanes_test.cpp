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

/// Calls body() for each instruction set that has the kernel. False if none has.
bool for_each_lane_kernel(const auto& body) {
  bool exists = false;
  for_each_target([&] {
    if (!has_lane_kernel()) return;
    exists = true;
    body();
  });
  return exists;
}

TEST(LaneSequences, HoldEverySequenceBetweenSeparators) {
  Generator rng(51);
  const ScoreModel model = random_model(rng, {.nodes = 5});
  for_each_target([&] {
    LaneSequences dealt;
    for (const int count : {1, 63, 64, 65, 500, 3}) {
      const SequenceBatch batch = random_batch(rng, model, count, 1, count == 63 ? 400 : 70);
      const std::size_t rows_at_once = count % 2 == 0 ? 2 : 4;
      const LaneSpacing spacing = {rows_at_once - 1 + static_cast<std::size_t>(count) % 3, rows_at_once};
      dealt.deal(batch, longest_first(batch), spacing);
      std::vector<int> seen(batch.size(), 0);
      std::size_t last_row = 0;
      for (const LaneSequences::End& end : dealt.ends()) {
        ++seen[end.sequence];
        EXPECT_GE(end.row, last_row);
        EXPECT_EQ(end.row % spacing.rows_at_once, 0U);
        last_row = end.row;
        const auto residues = batch.residues(end.sequence);
        std::size_t row = end.row;
        for (std::size_t i = 1; i < rows_at_once; ++i) row -= dealt.row(row - 1)[end.lane] == kSeparator;
        for (std::size_t i = residues.size(); i-- > 0;) ASSERT_EQ(dealt.row(--row)[end.lane], residues[i]);
        for (std::size_t i = 0; i < spacing.separators; ++i)
          ASSERT_EQ(dealt.row(--row)[end.lane], kSeparator);
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
template <class T>
void check_lanes(const ScoreModel& model, const LaneModel<T>& lanes, const LevelledModel<T>& levelled,
                 const SequenceBatch& once, Count& count, const auto& check) {
  SequenceBatch batch;
  for (int copy = 0; copy < 3; ++copy) {
    for (std::size_t i = 0; i < once.size(); ++i) {
      add_sequence(batch, {once.residues(i).begin(), once.residues(i).end()});
    }
  }
  LaneSequences dealt;
  LaneState<T> state;
  std::vector<T> best(batch.size());
  dealt.deal(batch, longest_first(batch), lanes.spacing());
  sweep_lanes<T>(lanes, dealt, state, best);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (best[i] > levelled.mark) {
      ++count.open;
      continue;
    }
    ++count.proven;
    check(levelled.score(best[i]), viterbi_score(model, batch.residues(i)), batch.length(i));
  }
}

struct CloseCount : Count {
  int watched = 0, same_inserts = 0;
};

template <class T>
void check_close_lanes(const ScoreModel& model, const SequenceBatch& batch, CloseCount& count) {
  const auto single = reduce_to_single_hit(model);
  ASSERT_TRUE(single);
  const auto close = stripe_glocal_close<T>(model, *single, {model.nodes, 1}, GainingInserts::Watched);
  const auto lanes = close ? lane_model(*close) : std::nullopt;
  ++(lanes ? count.accepted : count.refused);
  if (!lanes) return;
  count.watched += !lanes->watched.empty();
  count.same_inserts += lanes->same_inserts;
  check_lanes(model, *lanes, close->levelled, batch, count,
              [&](std::int64_t e, std::int32_t exact, std::size_t length) {
                EXPECT_GE(e + single->exit, exact) << length << " residues";
                EXPECT_LE(e + single->exit - close->slack, exact) << length << " residues";
              });
}

TEST(SimdLanes, GiveGlocalScoresWithinTheirSlack) {
  Generator rng(52);
  bool exists = false;
  CloseCount in16, in32;
  for (int m = 0; m < 300; ++m) {
    ScoreModel model = stretched_model(rng, detail::between(rng, 2, m % 8 == 0 ? 110 : 45), m % 2 == 0);
    if (m % 3 == 2) {
      for (std::int32_t& s : model.insert) s += detail::between(rng, 0, 1500);
    }
    SequenceBatch batch = random_batch(rng, model, 40, 1, 150);
    make_harder(rng, model, batch, m / 3 % 5);
    if (m % 7 > 3) even_inserts(rng, model, m % 7 == 6 ? 1500 : 0);
    SCOPED_TRACE("model " + std::to_string(m) + ", " + std::to_string(model.nodes) + " nodes");
    exists = for_each_lane_kernel([&] {
      check_close_lanes<std::int16_t>(model, batch, in16);
      check_close_lanes<std::int32_t>(model, batch, in32);
    });
    if (HasFailure()) return;
  }
  if (!exists) GTEST_SKIP() << "this machine has no vectors of 64 bytes";
  EXPECT_GT(in16.accepted, 100);
  EXPECT_GT(in16.refused, 20);
  EXPECT_GT(in16.proven, 5000);
  EXPECT_GT(in16.open, 1000);
  EXPECT_GT(in16.watched, 50);
  EXPECT_GT(in16.same_inserts, 50);
  EXPECT_GT(in32.accepted, 250);
  EXPECT_GT(in32.proven, 20'000);
  EXPECT_GT(in32.open, 1000);
  EXPECT_GT(in32.same_inserts, 50);
}

// An insertion that gains until its I~ saturates, and then loses so much that it does not look saturated when
// the kernel watches it next. The next node does not show it, either.
TEST(SimdLanes, NoticeAnInsertThatSaturatesBetweenWatchedRows) {
  Generator rng(56);
  CloseCount count;
  bool exists = false;
  for (int m = 0; m < 120; ++m) {
    ScoreModel model = model_with_gaining_insert(rng, ModelStyle::SingleGlocal);
    make_glocal(rng, model);
    const std::size_t places = static_cast<std::size_t>(model.nodes) + 1;
    const auto match = [&](int x, int k) -> std::int32_t& {
      return model.match[static_cast<std::size_t>(x) * places + static_cast<std::size_t>(k)];
    };
    for (std::int32_t& score : model.match) score /= 4;
    for (int x = 0; x < model.code_count(); ++x) match(x, 11) = -25'000;
    match(10, 11) = detail::between(rng, 2000, 20'000);
    for (int k = 1; k < model.nodes; ++k) model.insert[places + k] = -detail::between(rng, 6000, 16'000);
    model.mi[10] += detail::between(rng, 3000, 6700);
    for (int k = 1; k < 10; ++k) match(k - 1, k) = detail::between(rng, 0, 2500);
    // In every second model an M~ may be nearly as high as the mark.
    const int least = m % 4 < 2 ? detail::between(rng, 0, 6000) : detail::between(rng, 15'000, 29'000);
    for (int x = 2; x < 20; ++x) match(x, 10) = least + 200 * x;
    SequenceBatch batch;
    while (batch.size() < 800) {
      std::vector<std::uint8_t> residues = consensus(model, 1, 9);
      residues.push_back(static_cast<std::uint8_t>(detail::between(rng, 2, 19)));
      residues.insert(residues.end(), detail::between(rng, 0, m % 2 == 0 ? 5 : 30), 0);
      residues.insert(residues.end(), detail::between(rng, 0, 2), 1);
      const std::vector<std::uint8_t> rest = consensus(model, 11, detail::between(rng, 11, 15));
      residues.insert(residues.end(), rest.begin(), rest.end());
      add_sequence(batch, residues);
    }
    SCOPED_TRACE("model " + std::to_string(m));
    exists = for_each_lane_kernel([&] { check_close_lanes<std::int16_t>(model, batch, count); });
    if (HasFailure()) return;
  }
  if (!exists) GTEST_SKIP() << "this machine has no vectors of 64 bytes";
  EXPECT_GT(count.accepted, 80);
  EXPECT_EQ(count.watched, count.accepted);
  EXPECT_GT(count.proven, 10'000);
  EXPECT_GT(count.open, 10'000);
}

TEST(SimdLanes, GiveExactLocalScores) {
  Generator rng(53);
  bool exists = false;
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
    exists = for_each_lane_kernel([&] {
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
  if (!exists) GTEST_SKIP() << "this machine has no vectors of 64 bytes";
  EXPECT_GT(count.accepted, 100);
  EXPECT_GT(count.refused, 20);
  EXPECT_GT(count.proven, 5000);
  EXPECT_GT(count.open, 200);
}

// All bounds are valid; mean differences from exact scores are below 1 bit.
TEST(SimdLanes, GiveGlocalUpperBounds) {
  Generator rng(55);
  bool exists = false;
  Count count;
  std::int64_t slack = 0;
  int same_inserts = 0, fitting = 0, compared = 0;
  for (int m = 0; m < 400; ++m) {
    ScoreModel model = stretched_model(rng, detail::between(rng, 2, m % 8 == 0 ? 200 : 70), m % 2 == 0);
    SequenceBatch batch = random_batch(rng, model, 40, 1, 150);
    if (m % 4 >= 2) make_harder(rng, model, batch, m / 4 % 5);
    if (m % 3 > 0) even_inserts(rng, model, m % 5 == 0 ? 1500 : 0);
    const auto single = reduce_to_single_hit(model);
    if (!single) continue;
    const std::int32_t threshold =
        viterbi_score(model, batch.residues(detail::between(rng, 0, 39))) + detail::between(rng, -2000, 2000);
    SCOPED_TRACE("model " + std::to_string(m) + ", " + std::to_string(model.nodes) + " nodes");
    exists = for_each_lane_kernel([&] {
      for (const InsertSums sums : {InsertSums::Saturate, InsertSums::Fit}) {
        const auto bound = stripe_glocal_bound(model, *single, threshold, {model.nodes, 1}, sums);
        const auto lanes = bound ? bound_lane_model(*bound) : std::nullopt;
        ++(lanes ? count.accepted : count.refused);
        if (!lanes) continue;
        same_inserts += lanes->same_inserts;
        fitting += lanes->sums_fit;
        check_lanes(model, *lanes, *bound, batch, count,
                    [&](std::int64_t e, std::int32_t exact, std::size_t length) {
                      EXPECT_GE(e + single->exit, exact) << length << " residues";
                      if (m % 4 >= 2) return;
                      slack += e + single->exit - exact;
                      ++compared;
                    });
      }
    });
    if (HasFailure()) return;
  }
  if (!exists) GTEST_SKIP() << "this machine has no vectors of 64 bytes";
  EXPECT_GT(count.accepted, 150);
  EXPECT_GT(count.proven, 5000);
  EXPECT_GT(count.open, 1000);
  EXPECT_GT(same_inserts, 50);
  EXPECT_GT(fitting, 100);
  EXPECT_GT(compared, 3000);
  EXPECT_LT(slack / compared, 1000);
}

// Separators must clear the state of a lane; a model is refused if they would leave a delete path, or an
// insert that is more than what B gives. An insert that gains is harmless as long as the M~ before it gives
// it more.
TEST(SimdLanes, RefuseAModelThatSeparatorsDoNotClear) {
  Generator rng(54);
  const ScoreModel model = random_model(rng, {.nodes = 10, .style = ModelStyle::SingleLocal});
  const auto single = reduce_to_single_hit(model);
  ASSERT_TRUE(single);
  const auto accepts = [&](std::int16_t match_insert, std::int16_t insert_insert, std::int16_t match_delete) {
    auto exact16 = stripe_exact16(model, *single, LazyFRule::WhenUseful, {model.nodes, 1},
                                  std::numeric_limits<std::int64_t>::min());
    EXPECT_TRUE(exact16);
    for (int k = 1; k < model.nodes; ++k) {
      exact16->striped.transition(k, kMatchInsert) = match_insert;
      exact16->striped.transition(k, kInsertInsert) = insert_insert;
      exact16->striped.transition(k, kMatchDelete) = match_delete;
      exact16->striped.emission(k, 3)[1] = 100;  // insert
    }
    return lane_model(*exact16).has_value();
  };
  EXPECT_TRUE(accepts(-5000, -5000, -5000));
  EXPECT_TRUE(accepts(-5000, 100, -5000));
  EXPECT_FALSE(accepts(-20'000, 100, -5000));
  EXPECT_FALSE(accepts(32'767, -5000, -5000));
  EXPECT_FALSE(accepts(-5000, -5000, 32'767));
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
            // The mark is up to one bit above the threshold (kAboveThreshold in glocal_bound.cpp).
            EXPECT_LT(found[i], threshold + 1000) << "model " << m << ", sequence " << i;
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
