// The glocal upper bound is never below the exact score, whatever the threshold it is scaled for.
#include <gtest/gtest.h>

#include "filter/simd/glocal_bound.hpp"
#include "filter/simd_groups.hpp"

namespace gpuhmm::simd {
namespace {

using namespace gpuhmm::simd::testing;

// Adds what the bounds are above the exact scores to *slack.
Tally expect_bound(const ScoreModel& model, const SingleHitModel& single,
                   const LevelledModel<std::int16_t>& levelled, const SequenceBatch& batch, Packing packing,
                   std::int64_t* slack = nullptr) {
  return check_groups(
      model, levelled, batch, packing,
      [&](SequenceGroup group, Workspace<std::int16_t>& workspace, std::span<std::int16_t> best) {
        sweep_glocal_bound(levelled.striped, packing, group, workspace, best);
      },
      [&](std::int64_t e, std::int32_t exact, std::size_t length) {
        EXPECT_GE(e + single.exit, exact) << length << " residues, packing " << static_cast<int>(packing);
        if (slack != nullptr) *slack += e + single.exit - exact;
      });
}

// Lets insertions of residue 0 after one node gain, while a match of it to the next node costs 4 bits.
void let_insert_gain(Generator& rng, ScoreModel& model, int node) {
  if (node >= model.nodes) return;
  model.insert[node] = detail::between(rng, 1500, 3000);
  model.ii[node] = -detail::between(rng, 0, 300);
  model.match[node + 1] = -4000;
}

// An insertion that saturates at the top, and whose way out costs more than any other match.
TEST(SimdGlocalBound, MarksInsertsThatSaturate) {
  Generator rng(28);
  ScoreModel model = model_with_gaining_insert(rng, ModelStyle::SingleGlocal);
  std::ranges::fill(model.md, -5000);
  make_glocal(rng, model);
  model.match[11] = -4000;
  const auto single = reduce_to_single_hit(model);
  ASSERT_TRUE(single);
  SequenceBatch batch;
  for (std::size_t gaining = 10; gaining < 60; ++gaining) {
    add_sequence(batch, std::vector<std::uint8_t>(gaining, 0));
  }
  Tally tally;
  for (std::int32_t threshold = -40'000; threshold < 100'000; threshold += 1000) {
    const auto levelled =
        stripe_glocal_bound(model, *single, threshold, shape_of<std::int16_t>(model, Packing::Whole));
    ASSERT_TRUE(levelled);
    const Tally t = expect_bound(model, *single, *levelled, batch, Packing::Whole);
    tally.proven += t.proven;
    tally.open += t.open;
  }
  EXPECT_GT(tally.proven, 100);
  EXPECT_GT(tally.open, 100);
}

// Few nodes and a coarse scale: hardly a rounding that could hide another one's mistake.
TEST(SimdGlocalBound, RoundsUpEverywhere) {
  Generator rng(29);
  for (int m = 0; m < 1000; ++m) {
    ScoreModel model =
        random_model(rng, {.nodes = detail::between(rng, 1, 3), .style = ModelStyle::SingleGlocal});
    make_glocal(rng, model);
    for (int k = 1; k < model.nodes; ++k) model.mi[k] = -detail::between(rng, 0, 300);
    const auto single = reduce_to_single_hit(model);
    ASSERT_TRUE(single);
    SequenceBatch batch;
    for (int i = 0; i < 10; ++i) {
      const int middle = detail::between(rng, 1, model.nodes);
      std::vector<std::uint8_t> residues = consensus(model, 1, middle);
      for (const std::uint8_t x : random_residues(rng, model.alphabet, i % 3)) residues.push_back(x);
      for (const std::uint8_t x : consensus(model, middle + 1, model.nodes)) residues.push_back(x);
      add_sequence(batch, residues);
    }
    const auto levelled = stripe_glocal_bound(model, *single, detail::between(rng, 100'000, 1'000'000),
                                              shape_of<std::int16_t>(model, Packing::Whole));
    ASSERT_TRUE(levelled);
    expect_bound(model, *single, *levelled, batch, Packing::Whole);
    if (HasFailure()) return;
  }
}

TEST(SimdGlocalBound, IsNeverBelow) {
  Generator rng(23);
  Tally tally;
  std::int64_t slack = 0;
  for (int m = 0; m < 100; ++m) {
    const ModelStyle style = m % 2 == 0 ? ModelStyle::MultihitGlocal : ModelStyle::SingleGlocal;
    RandomModelOptions options{.nodes = detail::between(rng, 1, m % 10 == 9 ? 600 : 60), .style = style};
    options.coarse = m % 5 == 4;
    ScoreModel model = random_model(rng, options);
    make_glocal(rng, model);
    if (m % 7 == 6) {
      for (auto* table : {&model.mi, &model.match, &model.insert, &model.begin}) {
        for (std::int32_t& s : *table) {
          if (detail::chance(rng, 0.05)) s = kMinusInfinity;
        }
      }
    }
    const int middle = detail::between(rng, 1, model.nodes);
    if (m % 4 >= 2) let_insert_gain(rng, model, middle);
    const auto single = reduce_to_single_hit(model);
    ASSERT_TRUE(single);
    SequenceBatch batch = random_batch(rng, model, 16, 1, 300);
    add_insertions(rng, model, batch, middle, 8);
    const std::int32_t threshold = viterbi_score(model, batch.residues(detail::between(rng, 0, 15)));
    SCOPED_TRACE("model " + std::to_string(m) + ", " + std::to_string(model.nodes) + " nodes, threshold " +
                 std::to_string(threshold));
    for_each_target([&] {
      for (const Packing packing : kPackings) {
        const auto levelled =
            stripe_glocal_bound(model, *single, threshold, shape_of<std::int16_t>(model, packing));
        ASSERT_TRUE(levelled);
        const Tally t =
            expect_bound(model, *single, *levelled, batch, packing, m % 7 == 6 ? nullptr : &slack);
        tally.proven += t.proven;
        tally.open += t.open;
      }
    });
    if (HasFailure()) return;
  }
  EXPECT_GT(tally.proven, 1000);
  EXPECT_GT(tally.open, 100);
  // A bound that is always far off would be true and useless: 1 bit in the mean is ample.
  EXPECT_LT(slack / tally.proven, 1000);
}

TEST(SimdGlocalBound, LocalModelsAreNotTakenForGlocal) {
  Generator rng(24);
  const ScoreModel model = random_model(rng, {.nodes = 50, .style = ModelStyle::MultihitLocal});
  const auto single = reduce_to_single_hit(model);
  ASSERT_TRUE(single);
  EXPECT_FALSE(is_glocal(model, *single));
  EXPECT_FALSE(stripe_glocal_bound(model, *single, 0, shape_of<std::int16_t>(model, Packing::Whole)));
}

}  // namespace
}  // namespace gpuhmm::simd
