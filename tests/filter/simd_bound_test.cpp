// The glocal upper bound is never below the exact score, for any threshold that it is scaled for.
#include <gtest/gtest.h>

#include "filter/simd/glocal_bound.hpp"
#include "filter/simd/glocal_form.hpp"
#include "filter/simd/same_inserts.hpp"
#include "filter/simd_groups.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm::simd {
namespace {

using namespace gpuhmm::simd::testing;

// Adds the differences between bounds and exact scores to *slack.
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

// Makes insertions of residue 0 after one node gain, and its match to the next node lose 4 bits.
void let_insert_gain(Generator& rng, ScoreModel& model, int node) {
  if (node >= model.nodes) return;
  model.insert[node] = detail::between(rng, 1500, 3000);
  model.ii[node] = -detail::between(rng, 0, 300);
  model.match[node + 1] = -4000;
}

// An insertion that saturates at the highest value, and is followed by a match that costs more than any
// other.
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

// Few nodes and a coarse scale, so that few roundings can hide the error of another one.
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

constexpr std::int32_t kUnit = 32;  // the score (1/1000 bit) of one unit of the 16-bit values

// Three nodes, all scores multiples of kUnit: node k matches residue k alone, and residue 0 is inserted.
ScoreModel model_in_units() {
  ScoreModel model(AlphabetKind::Amino, 3);
  for (int k = 1; k <= model.nodes; ++k) {
    for (int x = 0; x < model.code_count(); ++x) {
      const std::size_t place = static_cast<std::size_t>(x) * (model.nodes + 1) + k;
      model.match[place] = x == k ? 100 * kUnit : -100 * kUnit;
      model.insert[place] = -2 * kUnit;
    }
    model.mm[k] = model.im[k] = model.dm[k] = model.dd[k] = -kUnit;
    model.mi[k] = model.md[k] = -10 * kUnit;
    model.ii[k] = -3 * kUnit;
  }
  model.n_begin = model.j_begin = -kUnit;
  model.n_loop = model.j_loop = model.c_loop = model.c_end = model.e_to_c = 0;
  model.e_to_j = kMinusInfinity;
  return model;
}

// Sets the begin and end scores to the exact sums of the delete paths.
void fold_deletes(ScoreModel& model) {
  model.begin[1] = -kUnit;
  std::int32_t deletes = -20 * kUnit;
  for (int k = 1; k < model.nodes; ++k) {
    model.begin[k + 1] = deletes + model.dm[k];
    deletes += model.dd[k];
  }
  model.end[model.nodes] = deletes = 0;
  for (int k = model.nodes - 1; k >= 1; --k) {
    model.end[k] = model.md[k] + deletes;
    deletes += model.dd[k];
  }
}

// One score lies between two units and all others are whole units, so no other rounding can hide that this
// score is rounded down.
TEST(SimdGlocalBound, RoundsEachScoreUp) {
  using Change = void (*)(ScoreModel&, std::int32_t);
  struct Case {
    const char* score;
    Change change;
    std::vector<std::uint8_t> residues;  // whose best path has that score
  };
  const Case cases[] = {
      {"match", [](ScoreModel& m, std::int32_t by) { m.match[2 * 4 + 2] += by; }, {1, 2, 3}},
      {"match to match", [](ScoreModel& m, std::int32_t by) { m.mm[1] += by; }, {1, 2, 3}},
      {"insert opening", [](ScoreModel& m, std::int32_t by) { m.mi[1] += by; }, {1, 0, 2, 3}},
      {"insert opening, long insertion",
       [](ScoreModel& m, std::int32_t by) { m.mi[2] += by; },
       {1, 2, 0, 0, 0, 3}},
      {"insert to match", [](ScoreModel& m, std::int32_t by) { m.im[1] += by; }, {1, 0, 0, 2, 3}},
      {"insert loop", [](ScoreModel& m, std::int32_t by) { m.ii[1] += by; }, {1, 0, 0, 2, 3}},
      {"insert", [](ScoreModel& m, std::int32_t by) { m.insert[1] += by; }, {1, 0, 0, 2, 3}},
      {"delete to match", [](ScoreModel& m, std::int32_t by) { m.dm[2] += by; }, {1, 3}},
  };
  for (const Case& c : cases) {
    for (const std::int32_t by : {1, 2, kUnit / 2, kUnit - 1}) {
      SCOPED_TRACE(std::string(c.score) + " " + std::to_string(by) + " above a unit");
      ScoreModel model = model_in_units();
      fold_deletes(model);
      const std::int32_t before = viterbi_score(model, c.residues);
      c.change(model, by);
      ASSERT_GT(viterbi_score(model, c.residues), before) << "the best path does not have this score";
      fold_deletes(model);
      const auto single = reduce_to_single_hit(model);
      ASSERT_TRUE(single);
      // The thresholds that make the scale a power of two, and the zero point a whole number of units.
      int scaled_so = 0;
      for (std::int32_t threshold = 2'060'000; threshold < 2'100'000 && scaled_so < 4; ++threshold) {
        const auto levelled =
            stripe_glocal_bound(model, *single, threshold, shape_of<std::int16_t>(model, Packing::Whole));
        ASSERT_TRUE(levelled);
        if (levelled->scale * kUnit != kScaleOne || levelled->zero % kUnit != 0) continue;
        ++scaled_so;
        SequenceBatch batch;
        add_sequence(batch, c.residues);
        std::int64_t slack = 0;
        expect_bound(model, *single, *levelled, batch, Packing::Whole, &slack);
        EXPECT_LE(slack, 4 * kUnit);
        if (HasFailure()) return;
      }
      EXPECT_GT(scaled_so, 0);
    }
  }
}

TEST(SimdGlocalBound, IsNeverBelowTheExactScore) {
  Generator rng(23);
  Tally tally;
  std::int64_t slack = 0;
  int lean = 0;
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
    if (m % 3 != 0) even_inserts(rng, model, m % 3 == 1 ? 0 : 100);
    const std::optional<ScoreModel> raised = with_same_inserts(model);
    const ScoreModel& swept = raised ? *raised : model;
    const auto single = reduce_to_single_hit(swept);
    ASSERT_TRUE(single);
    SequenceBatch batch = random_batch(rng, model, 16, 1, 300);
    add_insertions(rng, model, batch, middle, 8);
    const std::int32_t threshold = viterbi_score(model, batch.residues(detail::between(rng, 0, 15)));
    SCOPED_TRACE("model " + std::to_string(m) + ", " + std::to_string(model.nodes) + " nodes, threshold " +
                 std::to_string(threshold));
    for_each_target([&] {
      for (const Packing packing : kPackings) {
        const auto levelled =
            stripe_glocal_bound(swept, *single, threshold, shape_of<std::int16_t>(model, packing));
        ASSERT_TRUE(levelled);
        lean += levelled->striped.has_same_inserts() ? 1 : 0;
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
  EXPECT_GT(lean, 50);
  // A bound that is always far above would be valid but useless; the mean difference must be below 1 bit.
  EXPECT_LT(slack / tally.proven, 1000);
}

// The form without saturation of D, for the same inserts at all nodes, and the one that saturates. Only the
// former takes the way from B to E through deletes, without a match, for a path.
TEST(SimdGlocalBound, IsTheSameWhereDeletesNeedNotSaturate) {
  Generator rng(25);
  int compared = 0;
  for (int m = 0; m < 60; ++m) {
    ScoreModel model =
        random_model(rng, {.nodes = detail::between(rng, 2, m % 10 == 9 ? 300 : 70),
                           .style = m % 2 == 0 ? ModelStyle::MultihitGlocal : ModelStyle::SingleGlocal});
    make_glocal(rng, model);
    even_inserts(rng, model, 0);
    const auto single = reduce_to_single_hit(model);
    ASSERT_TRUE(single);
    const SequenceBatch batch = random_batch(rng, model, 16, 1, 300);
    const std::int32_t threshold = viterbi_score(model, batch.residues(detail::between(rng, 0, 15)));
    for_each_target([&] {
      for (const Packing packing : kPackings) {
        const StripedShape shape = shape_of<std::int16_t>(model, packing);
        const auto lean = stripe_glocal_bound(model, *single, threshold, shape);
        auto saturating = stripe_glocal_bound(model, *single, threshold, shape);
        ASSERT_TRUE(lean && saturating && lean->striped.has_same_inserts());
        saturating->striped.forget_same_inserts();
        Workspace<std::int16_t> workspace;
        for (const auto& group : groups_of(batch, packing)) {
          std::vector<std::int16_t> found(group.size()), expected(group.size());
          sweep_glocal_bound(lean->striped, packing, SequenceGroup(group), workspace, found);
          sweep_glocal_bound(saturating->striped, packing, SequenceGroup(group), workspace, expected);
          for (std::size_t g = 0; g < group.size(); ++g) {
            EXPECT_EQ(found[g] > lean->mark, expected[g] > lean->mark);
            if (expected[g] > lean->mark) continue;
            EXPECT_EQ(found[g], std::max(expected[g], lean->striped.first_d));
            ++compared;
          }
        }
      }
    });
    if (HasFailure()) return;
  }
  EXPECT_GT(compared, 1000);
}

TEST(SimdGlocalBound, RefusesLocalModels) {
  Generator rng(24);
  const ScoreModel model = random_model(rng, {.nodes = 50, .style = ModelStyle::MultihitLocal});
  const auto single = reduce_to_single_hit(model);
  ASSERT_TRUE(single);
  EXPECT_FALSE(is_glocal(model, *single));
  EXPECT_FALSE(stripe_glocal_bound(model, *single, 0, shape_of<std::int16_t>(model, Packing::Whole)));
}

}  // namespace
}  // namespace gpuhmm::simd
