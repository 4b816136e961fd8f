// The local upper bound: its parameters, its kernel against a plain recurrence, and bounds against exact
// scores.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "filter/simd/lane_scoring.hpp"
#include "filter/simd/local_bound.hpp"
#include "filter/simd/same_inserts.hpp"
#include "filter/simd_groups.hpp"
#include "plan7/rebased_model.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm::simd {
namespace {

using namespace gpuhmm::simd::testing;

constexpr int kLowest = std::numeric_limits<std::int8_t>::min();
constexpr int kHighest = std::numeric_limits<std::int8_t>::max();

int sum(int a, int b) { return std::clamp(a + b, kLowest, kHighest); }

/// The recurrence of local_bound_kernel.cpp, cell by cell.
int plain_bound(const LocalBound& bound, std::span<const std::uint8_t> residues) {
  std::vector<int> q(bound.nodes, kLowest), stored_insert(bound.nodes, kLowest);
  int best = kLowest;
  int fractions = 0;
  std::vector<std::uint8_t> rows(LocalBound::kSpacing.rows_at_once, kSeparator);
  rows.insert(rows.end(), residues.begin(), residues.end());
  for (const std::uint8_t x : rows) {
    fractions += bound.insert_fraction[x];
    const int insert_emission = bound.insert_whole[x] + fractions / 256;
    fractions %= 256;
    int before = kLowest, del = kLowest;
    for (std::size_t k = 0; k < bound.nodes; ++k) {
      const int match =
          sum(std::max<int>(before, bound.step(k, kLocalEntry)), bound.emissions[k * kTableCodes + x]);
      const int insert = sum(stored_insert[k], insert_emission);
      before = q[k];
      stored_insert[k] = std::max(sum(match, bound.step(k, kLocalMatchInsert)),
                                  sum(insert, bound.step(k, kLocalInsertInsert)));
      q[k] = std::max({match, insert, del});
      best = std::max(best, q[k]);
      del =
          std::max(sum(del, bound.step(k, kLocalDeleteDelete)), sum(match, bound.step(k, kLocalMatchDelete)));
    }
  }
  return best;
}

std::vector<std::int8_t> swept(const LocalBound& bound, const SequenceBatch& batch) {
  LaneSequences dealt;
  LocalBoundState state;
  std::vector<std::int8_t> best(batch.size());
  dealt.deal(batch, longest_first(batch), LocalBound::kSpacing);
  sweep_local_bound(bound, dealt, state, best);
  return best;
}

/// A local model with the same inserts at all nodes, and sequences with and without hits.
struct Case {
  ScoreModel model;
  SequenceBatch batch;
};

Case random_case(Generator& rng, int number) {
  const bool multihit = number % 3 != 0;
  Case made{random_model(rng, {.nodes = detail::between(rng, 2, number % 8 == 0 ? 300 : 60),
                               .style = multihit ? ModelStyle::MultihitLocal : ModelStyle::SingleLocal,
                               .coarse = number % 7 == 5}),
            {}};
  ScoreModel& model = made.model;
  even_inserts(rng, model, 0);
  const int middle = detail::between(rng, 1, model.nodes - 1);
  if (number % 5 == 1) {  // inserts that gain
    for (std::int32_t& score : model.insert) score += detail::between(rng, 1000, 1500) / 1000 * 1000;
  } else if (number % 5 == 2) {  // long inserts that cost next to nothing
    for (int k = 1; k < model.nodes; ++k) {
      model.ii[k] = -detail::between(rng, 0, 200);
      model.mi[k] = -detail::between(rng, 500, 2000);
    }
  } else if (number % 5 == 3) {  // deletes that gain after re-basing
    for (int k = 1; k < model.nodes; ++k) model.dm[k] = -detail::between(rng, 0, 9000);
  }
  made.batch = random_batch(rng, model, 70, 1, 200);
  add_insertions(rng, model, made.batch, middle, 30);
  for (int i = 0; i < 20; ++i) {
    add_sequence(made.batch,
                 repeat_residues(rng, model, static_cast<std::size_t>(detail::between(rng, 1, 300))));
  }
  return made;
}

/// A threshold between 2 bits below and 12 bits above the score that few random sequences reach.
std::int32_t some_threshold(Generator& rng) { return detail::between(rng, -2000, 12'000); }

TEST(SimdLocalBound, EqualsThePlainRecurrence) {
  Generator rng(61);
  int models = 0;
  for (int m = 0; m < 100; ++m) {
    const Case tried = random_case(rng, m);
    const auto single = reduce_to_single_hit(tried.model);
    ASSERT_TRUE(single);
    const auto bound = local_bound(tried.model, *single, some_threshold(rng));
    if (!bound) continue;
    ++models;
    for_each_target([&] {
      const std::vector<std::int8_t> best = swept(*bound, tried.batch);
      for (std::size_t i = 0; i < best.size(); ++i) {
        EXPECT_EQ(best[i], plain_bound(*bound, tried.batch.residues(i)))
            << "model " << m << ", sequence " << i;
      }
    });
    if (HasFailure()) return;
  }
  EXPECT_GT(models, 50);
}

TEST(SimdLocalBound, IsNeverBelowTheExactScore) {
  Generator rng(62);
  Tally tally;
  std::int64_t slack = 0;
  for (int m = 0; m < 400; ++m) {
    const Case tried = random_case(rng, m);
    const auto single = reduce_to_single_hit(tried.model);
    ASSERT_TRUE(single);
    const std::int32_t threshold = some_threshold(rng);
    const auto bound = local_bound(tried.model, *single, threshold);
    if (!bound) continue;
    const std::vector<std::int8_t> best = swept(*bound, tried.batch);
    for (std::size_t i = 0; i < best.size(); ++i) {
      if (best[i] > bound->levels.mark) {
        ++tally.open;
        continue;
      }
      ++tally.proven;
      const std::int64_t score = bound->levels.score(best[i]) + single->exit;
      const std::int32_t exact = viterbi_score(tried.model, tried.batch.residues(i));
      ASSERT_GE(score, exact) << "model " << m << ", sequence " << i;
      EXPECT_LT(score, threshold);
      slack += score - exact;
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(tally.proven, 10'000);
  EXPECT_GT(tally.open, 5000);
  EXPECT_LT(slack / tally.proven, 4000) << "1/1000 bit";
}

// Only insert emissions are rounded: all other scores are whole units, of 128. Their fractions are rounded
// down at both ends of an insertion.
TEST(SimdLocalBound, RoundsLongInsertionsUp) {
  constexpr std::int32_t kUnit = 128;
  Generator rng(63);
  int tight = 0;
  for (int m = 0; m < 100; ++m) {
    ScoreModel model = random_model(rng, {.nodes = 4, .style = ModelStyle::SingleLocal});
    for (auto* table : {&model.match, &model.mm, &model.md, &model.dm, &model.dd, &model.begin, &model.end}) {
      for (std::int32_t& score : *table) score = score / kUnit * kUnit;
    }
    model.n_begin = -66 * kUnit;
    for (int x = 0; x < model.code_count(); ++x) {
      for (int k = 1; k <= 4; ++k) {
        model.match[x * 5 + k] = (x == k ? 47 : -70) * kUnit;
        model.insert[x * 5 + k] = x == 0 ? -detail::between(rng, 1, 90) : -3000;
      }
    }
    even_inserts(rng, model, 0);
    for (int k = 1; k < 4; ++k) {
      model.mi[k] = -8 * kUnit;
      model.im[k] = model.ii[k] = 0;
    }
    const auto single = reduce_to_single_hit(model);
    ASSERT_TRUE(single);
    const std::vector<std::int64_t> begins = RebasedModel(model, FreeSteps::Ends).begin;
    const std::int64_t low = single->begin + *std::min_element(begins.begin() + 1, begins.end());
    const auto threshold = static_cast<std::int32_t>(low + 254 * kUnit + single->exit);
    const auto bound = local_bound(model, *single, threshold);
    ASSERT_TRUE(bound);
    ASSERT_EQ(bound->levels.scale, kScaleOne / kUnit);
    SequenceBatch batch;
    for (int i = 1; i < 64; ++i) {
      std::vector<std::uint8_t> residues(static_cast<std::size_t>(i % 7), 0);
      residues.insert(residues.end(), {1, 2});
      residues.insert(residues.end(), static_cast<std::size_t>(i), 0);
      residues.insert(residues.end(), {3, 4});
      add_sequence(batch, residues);
    }
    const std::vector<std::int8_t> best = swept(*bound, batch);
    for (std::size_t i = 0; i < best.size(); ++i) {
      ASSERT_LE(best[i], bound->levels.mark);
      const std::int64_t over =
          bound->levels.score(best[i]) + single->exit - viterbi_score(model, batch.residues(i));
      EXPECT_GE(over, 0) << "model " << m << ", " << i << " residues inserted";
      tight += over < kUnit;
    }
  }
  EXPECT_GT(tight, 1000) << "bounds within a unit";
}

// An insertion that saturates at the highest value, and is followed by a match that costs more than any
// other.
TEST(SimdLocalBound, MarksInsertsThatSaturate) {
  Generator rng(64);
  ScoreModel model = model_with_gaining_insert(rng, ModelStyle::SingleLocal);
  even_inserts(rng, model, 0);
  for (int x = 0; x < model.code_count(); ++x) {
    for (int k = 1; k < model.nodes; ++k) model.insert[x * 21 + k] = x == 0 ? 2500 : -2000;
  }
  const auto single = reduce_to_single_hit(model);
  ASSERT_TRUE(single);
  const auto bound = local_bound(model, *single, 9000);
  ASSERT_TRUE(bound);
  SequenceBatch batch;
  for (std::size_t inserted = 0; inserted < 60; ++inserted) {
    std::vector<std::uint8_t> residues{8, 9};
    residues.insert(residues.end(), inserted, 0);
    residues.insert(residues.end(), inserted % 5, 15);
    add_sequence(batch, residues);
  }
  const std::vector<std::int8_t> best = swept(*bound, batch);
  int open = 0;
  for (std::size_t i = 0; i < best.size(); ++i) {
    open += best[i] > bound->levels.mark;
    if (best[i] > bound->levels.mark) continue;
    EXPECT_GE(bound->levels.score(best[i]) + single->exit, viterbi_score(model, batch.residues(i))) << i;
  }
  EXPECT_GT(open, 10);
  EXPECT_LT(open, 60);
}

// A step into an insert state that saturates: after re-basing it gains 8 bits, as a match to the next node
// costs 9.
TEST(SimdLocalBound, MarksInsertsThatSaturateWhenEntered) {
  Generator rng(68);
  ScoreModel model = model_with_gaining_insert(rng, ModelStyle::SingleLocal);
  for (int x = 0; x < model.code_count(); ++x) {
    for (int k = 1; k < model.nodes; ++k) model.insert[x * 21 + k] = -2000;
  }
  model.mm[10] = -9000;
  model.mi[10] = model.im[10] = -100;
  const auto single = reduce_to_single_hit(model);
  ASSERT_TRUE(single);
  int open = 0, proven = 0;
  for (std::int32_t threshold = 4000; threshold < 40'000; threshold += 500) {
    const auto bound = local_bound(model, *single, threshold);
    ASSERT_TRUE(bound);
    SequenceBatch batch;
    for (std::uint8_t first = 0; first < 10; ++first) {
      std::vector<std::uint8_t> residues;
      for (std::uint8_t x = first; x < 10; ++x) residues.push_back(x);
      residues.insert(residues.end(), {0, 10, 11});  // an insertion, and two matches
      add_sequence(batch, residues);
    }
    const std::vector<std::int8_t> best = swept(*bound, batch);
    for (std::size_t i = 0; i < best.size(); ++i) {
      ++(best[i] > bound->levels.mark ? open : proven);
      if (best[i] > bound->levels.mark) continue;
      EXPECT_GE(bound->levels.score(best[i]) + single->exit, viterbi_score(model, batch.residues(i)))
          << "threshold " << threshold << ", sequence " << i;
    }
  }
  EXPECT_GT(open, 20);
  EXPECT_GT(proven, 20);
}

TEST(SimdLocalBound, IsRefusedWhereItWouldNotHelp) {
  Generator rng(65);
  ScoreModel model = random_model(rng, {.nodes = 30, .style = ModelStyle::MultihitLocal});
  auto single = reduce_to_single_hit(model);
  ASSERT_TRUE(single);
  EXPECT_FALSE(local_bound(model, *single, 5000)) << "different inserts";
  even_inserts(rng, model, 0);
  single = reduce_to_single_hit(model);
  ASSERT_TRUE(single);
  EXPECT_TRUE(local_bound(model, *single, 5000));
  const std::vector<std::int64_t> begins = RebasedModel(model, FreeSteps::Ends).begin;
  const std::int64_t low = single->begin + *std::min_element(begins.begin() + 1, begins.end());
  const auto lowest = static_cast<std::int32_t>(low + single->exit);
  for (const std::int32_t threshold : {lowest - 1000, lowest}) {
    EXPECT_FALSE(local_bound(model, *single, threshold)) << "every entry reaches it";
  }
  model.begin[7] = kMinusInfinity;
  single = reduce_to_single_hit(model);
  ASSERT_TRUE(single);
  EXPECT_FALSE(local_bound(model, *single, 5000)) << "too wide a range";
  model.begin[7] = model.begin[8];
  for (std::int32_t* loop : {&model.n_loop, &model.j_loop, &model.c_loop}) *loop = -10;
  single = reduce_to_single_hit(model);
  ASSERT_TRUE(single);
  EXPECT_FALSE(local_bound(model, *single, 5000)) << "loops that cost something";
}

TEST(SimdLocalBound, LeavesSequencesOpenForWhichOtherLanesWouldWait) {
  Generator rng(66);
  ScoreModel model = random_model(rng, {.nodes = 30, .style = ModelStyle::MultihitLocal});
  even_inserts(rng, model, 0);
  const auto single = reduce_to_single_hit(model);
  ASSERT_TRUE(single);
  const auto bound = local_bound(model, *single, 9000);
  ASSERT_TRUE(bound);
  SequenceBatch batch = random_sequences(rng, model, 600, 100, 300);
  const std::size_t usual = batch.size();
  add_sequence(batch, random_residues(rng, model.alphabet, 30'000));
  if (vector_bytes() == 0) GTEST_SKIP() << "this machine has no vectors";
  for (const unsigned threads : {1U, 3U}) {
    SharedThreads shared(threads, threads);
    const auto best = bounds_in_lanes(*bound, batch, longest_first(batch), shared);
    ASSERT_TRUE(best);
    EXPECT_EQ((*best)[usual], kHighest);
    EXPECT_LT(std::ranges::count(*best, kHighest), 100);
  }
  SharedThreads one(1, 1);
  EXPECT_FALSE(bounds_in_lanes(*bound, batch, std::vector<std::size_t>{0, 1, 2}, one));
}

}  // namespace
}  // namespace gpuhmm::simd
