// The exact SIMD kernels, called directly in each packing and with each lazy-F rule, give correct scores up
// to the mark of their parameters.
#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "filter/simd_groups.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm::simd {
namespace {

using namespace gpuhmm::simd::testing;

template <class T>
Tally expect_exact(const ScoreModel& model, const SingleHitModel& single, const LevelledModel<T>& levelled,
                   LazyFRule rule, const SequenceBatch& batch, Packing packing) {
  return check_groups(
      model, levelled, batch, packing,
      [&](SequenceGroup group, Workspace<T>& workspace, std::span<T> best) {
        sweep_single_hit(levelled.striped, packing, rule, group, workspace, best);
      },
      [&](std::int64_t e, std::int32_t exact, std::size_t length) {
        if (e <= single.gain(length) - kImpossible) return;
        EXPECT_EQ(e + single.exit + static_cast<std::int64_t>(length) * single.loop, exact)
            << length << " residues, packing " << static_cast<int>(packing) << ", rule "
            << static_cast<int>(rule);
      });
}

TEST(SimdKernels, AreExactWith32BitsInAllPackings) {
  Generator rng(21);
  Tally tally;
  for (int m = 0; m < 60; ++m) {
    RandomModelOptions options{.nodes = detail::between(rng, 1, m % 6 == 5 ? 300 : 40),
                               .style = kAllStyles[m % 4]};
    options.impossible = m % 3 == 2 ? 0.05 : 0;
    options.coarse = m % 5 == 4;
    const ScoreModel model = random_model(rng, options);
    const auto single = reduce_to_single_hit(model);
    if (!single) continue;  // a special transition happens to be impossible
    const SequenceBatch batch = random_batch(rng, model, 20, 1, 120);
    SCOPED_TRACE("model " + std::to_string(m) + ", " + std::to_string(model.nodes) + " nodes");
    for_each_target([&] {
      for (const Packing packing : kPackings) {
        for (const LazyFRule rule : kRules) {
          const auto levelled = stripe_exact32(model, *single, rule, shape_of<std::int32_t>(model, packing));
          const Tally t = expect_exact(model, *single, levelled, rule, batch, packing);
          tally.proven += t.proven;
          tally.open += t.open;
        }
      }
    });
    if (HasFailure()) return;
  }
  EXPECT_GT(tally.proven, 1000);
  EXPECT_GT(tally.open, 100);
}

// Models with all scores multiplied by random factors: 16 bits are enough for some and not for others, and
// the check must distinguish them.
void expect_range_is_checked(int seed, std::pair<ModelStyle, ModelStyle> styles, int most_nodes,
                             bool low_marks) {
  Generator rng(seed);
  Tally tally;
  int accepted = 0;
  int refused = 0;
  int fitting = 0;
  for (int m = 0; m < 800; ++m) {
    const ModelStyle style = m % 2 == 0 ? styles.first : styles.second;
    ScoreModel model = random_model(
        rng,
        {.nodes = detail::between(rng, 1, most_nodes), .style = style, .impossible = m % 10 == 9 ? 0.01 : 0});
    const double stretch = std::uniform_real_distribution<double>(0.3, 2.0)(rng);
    const double gaps = std::uniform_real_distribution<double>(0.1, 6.0)(rng);
    const std::int32_t insert_gain = m % 4 == 3 ? detail::between(rng, 0, 3000) : 0;
    for (auto* table : {&model.match, &model.insert, &model.begin, &model.end}) {
      for (std::int32_t& s : *table) {
        if (s != kMinusInfinity) s = static_cast<std::int32_t>(s * stretch);
      }
    }
    for (auto* table : {&model.mi, &model.md, &model.im, &model.dm, &model.dd, &model.ii}) {
      for (std::int32_t& s : *table) {
        if (s != kMinusInfinity) s = static_cast<std::int32_t>(s * gaps);
      }
    }
    for (std::int32_t& s : model.insert) {
      if (s != kMinusInfinity) s += insert_gain;
    }
    if (m % 5 < 2) even_inserts(rng, model, 0);
    const auto single = reduce_to_single_hit(model);
    ASSERT_TRUE(single);
    SequenceBatch batch = random_batch(rng, model, 12, 1, 150);
    add_insertions(rng, model, batch, detail::between(rng, 1, model.nodes), 4);
    const std::int64_t least_mark =
        low_marks ? std::numeric_limits<std::int64_t>::min() : useful_mark(*single);
    SCOPED_TRACE("model " + std::to_string(m) + ", " + std::to_string(model.nodes) + " nodes");
    for_each_target([&] {
      for (const Packing packing : kPackings) {
        for (const LazyFRule rule : kRules) {
          for (const DeleteSums sums : {DeleteSums::Saturate, DeleteSums::Fit}) {
            const auto levelled = stripe_exact16(model, *single, rule, shape_of<std::int16_t>(model, packing),
                                                 least_mark, sums);
            ++(levelled ? accepted : refused);
            if (!levelled) continue;
            fitting += levelled->striped.deletes_fit;
            const Tally t = expect_exact(model, *single, *levelled, rule, batch, packing);
            tally.proven += t.proven;
            tally.open += t.open;
          }
        }
      }
    });
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(accepted, 500);
  EXPECT_GT(refused, 500);
  EXPECT_GT(fitting, 500);
  EXPECT_GT(tally.proven, 1000);
  EXPECT_GT(tally.open, 100);
}

TEST(SimdKernels, AreExactWith16BitsUpToTheMark) {
  expect_range_is_checked(22, {ModelStyle::MultihitLocal, ModelStyle::SingleLocal}, 60, false);
}

TEST(SimdKernels, AreExactWith16BitsForShortGlocalModels) {
  expect_range_is_checked(23, {ModelStyle::MultihitGlocal, ModelStyle::SingleGlocal}, 30, true);
}

// An insertion with a cost beyond 16 bits, between two halves that score well: if its score were raised to 16
// bits, it would join them.
TEST(SimdKernels, DoNotUseInsertionsThatCostMoreThan16Bits) {
  Generator rng(26);
  for (const std::int32_t opening : {-20'000, -40'000, -60'000, kMinusInfinity}) {
    ScoreModel model = random_model(rng, {.nodes = 20, .style = ModelStyle::SingleLocal});
    for (int k = 1; k <= model.nodes; ++k) {
      for (int x = 0; x < model.code_count(); ++x) {
        model.match[static_cast<std::size_t>(x) * (model.nodes + 1) + k] = x == k - 1 ? 4000 : -3000;
      }
      if (k < model.nodes) model.mi[k] = opening;
    }
    SequenceBatch batch;
    std::vector<std::uint8_t> residues = consensus(model, 1, 10);
    residues.push_back(0);
    const std::vector<std::uint8_t> rest = consensus(model, 11, 20);
    residues.insert(residues.end(), rest.begin(), rest.end());
    add_sequence(batch, residues);
    const auto single = reduce_to_single_hit(model);
    ASSERT_TRUE(single);
    for (const LazyFRule rule : kRules) {
      const auto levelled = stripe_exact16(
          model, *single, rule, shape_of<std::int16_t>(model, Packing::Whole), useful_mark(*single));
      EXPECT_EQ(levelled.has_value(), opening == -20'000);
      if (levelled) expect_exact(model, *single, *levelled, rule, batch, Packing::Whole);
    }
  }
}

// A local model that has one very good residue at each node, begins and skips nodes cheaply. Its first eight
// nodes are in one lane.
ScoreModel skipping_model(Generator& rng) {
  ScoreModel model = random_model(rng, {.nodes = 128, .style = ModelStyle::MultihitLocal});
  for (int k = 1; k <= model.nodes; ++k) {
    for (int x = 0; x < model.code_count(); ++x) {
      model.match[static_cast<std::size_t>(x) * (model.nodes + 1) + k] = x == (k - 1) % 20 ? 24'500 : -2000;
    }
    model.begin[k] = -500;
    model.end[k] = 0;
    if (k == model.nodes) break;
    model.mm[k] = model.im[k] = model.dm[k] = 0;
    model.md[k] = -500;
    model.dd[k] = -100;
  }
  return model;
}

// Scores the batch with sums of deletes that shall fit; nothing if they do not.
std::optional<Tally> expect_exact_if_deletes_fit(const ScoreModel& model, const SequenceBatch& batch) {
  const auto single = reduce_to_single_hit(model);
  EXPECT_TRUE(single);
  const auto levelled =
      stripe_exact16(model, *single, LazyFRule::WhenUseful, shape_of<std::int16_t>(model, Packing::Whole),
                     std::numeric_limits<std::int64_t>::min(), DeleteSums::Fit);
  if (!levelled || !levelled->striped.deletes_fit) return std::nullopt;
  return expect_exact(model, *single, *levelled, LazyFRule::WhenUseful, batch, Packing::Whole);
}

// A path that cannot end early gains by deletes (FreeSteps::Ends). Models must be refused where D~ could then
// exceed 16 bits though no M~ is above the mark.
TEST(SimdKernels, DoNotLetDeletesGainMoreThan16Bits) {
  Generator rng(28);
  int fitting = 0, refused = 0;
  for (int gain = 0; gain < 32'000; gain += 500) {
    SCOPED_TRACE(gain);
    ScoreModel model = skipping_model(rng);
    for (int k = 1; k <= 5; ++k) model.end[k] = -gain / 5 * (6 - k);
    model.dd[60] = -20'000;  // makes room above the mark scarce
    SequenceBatch batch;
    for (int last = 1; last <= 6; ++last) {
      for (int next = last + 2; next <= 8; ++next) {
        std::vector<std::uint8_t> residues = consensus(model, 1, last);
        const std::vector<std::uint8_t> rest = consensus(model, next, 8);
        residues.insert(residues.end(), rest.begin(), rest.end());
        add_sequence(batch, residues);
      }
    }
    ++(expect_exact_if_deletes_fit(model, batch) ? fitting : refused);
  }
  EXPECT_GT(fitting, 10);
  EXPECT_GT(refused, 10);
}

// A sum that is too low would become a high one, and the sequence would have to be scored again.
TEST(SimdKernels, DoNotLetDeletesFallBelow16Bits) {
  Generator rng(29);
  for (int loss = 0; loss < 40'000; loss += 500) {
    SCOPED_TRACE(loss);
    ScoreModel model = skipping_model(rng);
    model.dd[4] = -loss;
    SequenceBatch batch;
    const auto x = static_cast<std::uint8_t>(model.code_count() - 1);  // bad at all nodes
    add_sequence(batch, std::vector<std::uint8_t>(20, x));
    const std::optional<Tally> tally = expect_exact_if_deletes_fit(model, batch);
    ASSERT_TRUE(tally);
    EXPECT_EQ(tally->open, 0);
  }
}

// Row 0 has the lowest value in all cells. An insert loop must not gain from there.
TEST(SimdKernels, DoNotLetInsertsGainFromTheLowestValue) {
  Generator rng(27);
  const ScoreModel model = model_with_gaining_insert(rng, ModelStyle::SingleLocal);
  const auto single = reduce_to_single_hit(model);
  ASSERT_TRUE(single);
  SequenceBatch batch;
  for (std::size_t gaining = 1; gaining < 16; ++gaining) {
    std::vector<std::uint8_t> residues(gaining, 0);
    const std::vector<std::uint8_t> rest = consensus(model, 11, 16);
    residues.insert(residues.end(), rest.begin(), rest.end());
    add_sequence(batch, residues);
  }
  Tally tally;
  for (const LazyFRule rule : kRules) {
    const auto levelled = stripe_exact16(model, *single, rule, shape_of<std::int16_t>(model, Packing::Whole),
                                         useful_mark(*single));
    ASSERT_TRUE(levelled);
    tally = expect_exact(model, *single, *levelled, rule, batch, Packing::Whole);
  }
  EXPECT_GT(tally.proven, 8);
}

TEST(SimdKernels, EqualReferenceForMultihitModels) {
  Generator rng(25);
  for (int m = 0; m < 40; ++m) {
    const RandomModelOptions options{.nodes = detail::between(rng, 1, 80),
                                     .style = kAllStyles[m % 4],
                                     .impossible = m % 2 == 0 ? 0 : 0.05,
                                     .odd_specials = m % 3 == 0};
    const ScoreModel model = random_model(rng, options);
    const SequenceBatch batch = random_batch(rng, model, 10, 1, 300);
    for_each_target([&] {
      const MultihitModel multihit =
          stripe_multihit(model, reduce_to_single_hit(model), vector_bytes() / sizeof(std::int32_t));
      SweepState<std::int32_t> state;
      for (std::size_t i = 0; i < batch.size(); ++i) {
        const auto residues = batch.residues(i);
        ASSERT_TRUE(multihit.fits(residues.size()));
        const std::int64_t score = sweep_multihit(multihit, residues, state).value();
        if (score > multihit.exact_above(residues.size())) {
          EXPECT_EQ(score, viterbi_score(model, residues)) << "model " << m << ", sequence " << i;
        } else {
          EXPECT_LT(viterbi_score(model, residues), kMinusInfinity / 8)
              << "model " << m << ", sequence " << i;
        }
      }
    });
    if (HasFailure()) return;
  }
}

// A sequence longer than multihit.longest gets a score only if its scores stay in range.
TEST(SimdKernels, DetectMultihitScoresOutOfRange) {
  Generator rng(26);
  const ScoreModel model = random_model(rng, {.nodes = 30});
  const auto residues = repeat_residues(rng, model, 2000);
  for_each_target([&] {
    MultihitModel multihit =
        stripe_multihit(model, reduce_to_single_hit(model), vector_bytes() / sizeof(std::int32_t));
    SweepState<std::int32_t> state;
    multihit.longest = 0;
    ASSERT_FALSE(multihit.fits(residues.size()));
    ASSERT_TRUE(multihit.fits_watched(residues.size()));
    multihit.stretch = 7;
    EXPECT_EQ(sweep_multihit(multihit, residues, state), viterbi_score(model, residues));
    multihit.n_begin = kHighestBetween + 1'000'000;
    EXPECT_FALSE(sweep_multihit(multihit, residues, state).has_value());
    multihit.n_begin = 0;
    multihit.e_to_j = 400'000'000;
    EXPECT_FALSE(sweep_multihit(multihit, residues, state).has_value());
  });
}

}  // namespace
}  // namespace gpuhmm::simd
