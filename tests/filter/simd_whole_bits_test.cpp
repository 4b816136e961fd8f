// Scores for histograms: close scores are within their slack of the exact ones, and the whole bits and the
// largest score of the engine are exact.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "filter/sequence_set.hpp"
#include "filter/simd/glocal_close.hpp"
#include "filter/simd_groups.hpp"
#include "gpuhmm/engine.hpp"
#include "gpuhmm/histogram.hpp"
#include "plan7/arithmetic.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm::simd {
namespace {

using namespace gpuhmm::simd::testing;

struct Count {
  int accepted = 0, refused = 0;
  Tally tally;
};

template <class T>
void expect_close(const ScoreModel& model, const SequenceBatch& batch, Count& count) {
  const auto single = reduce_to_single_hit(model);
  ASSERT_TRUE(single);
  for (const Packing packing : kPackings) {
    const auto close = stripe_glocal_close<T>(model, *single, shape_of<T>(model, packing));
    ++(close ? count.accepted : count.refused);
    if (!close) continue;
    const Tally t = check_groups(
        model, close->levelled, batch, packing,
        [&](SequenceGroup group, Workspace<T>& workspace, std::span<T> best) {
          sweep_glocal_bound(close->levelled.striped, packing, group, workspace, best);
        },
        [&](std::int64_t e, std::int32_t exact, std::size_t length) {
          EXPECT_GE(e + single->exit, exact) << length << " residues";
          EXPECT_LE(e + single->exit - close->slack, exact) << length << " residues";
        });
    count.tally.proven += t.proven;
    count.tally.open += t.open;
  }
}

TEST(SimdWholeBits, ComeFromScoresWithinTheirSlack) {
  Generator rng(31);
  Count in16, in32;
  for (int m = 0; m < 400; ++m) {
    ScoreModel model = stretched_model(rng, detail::between(rng, 2, m % 8 == 0 ? 160 : 40), m % 2 == 0);
    // Insert loops that gain, and begins and ends that differ slightly from the delete paths.
    if (m % 4 == 3) {
      for (std::int32_t& s : model.insert) s += detail::between(rng, 0, 800);
    }
    for (int k = 2; m % 3 != 0 && k <= model.nodes; ++k) model.begin[k] += detail::between(rng, -20, 20);
    for (int k = 1; m % 3 != 0 && k < model.nodes; ++k) model.end[k] += detail::between(rng, -20, 20);
    SequenceBatch batch = random_batch(rng, model, 12, 1, 150);
    make_harder(rng, model, batch, m / 4 % 5);
    SCOPED_TRACE("model " + std::to_string(m) + ", " + std::to_string(model.nodes) + " nodes");
    for_each_target([&] {
      expect_close<std::int16_t>(model, batch, in16);
      expect_close<std::int32_t>(model, batch, in32);
    });
    if (HasFailure()) return;
  }
  EXPECT_GT(in16.accepted, 100);
  EXPECT_GT(in16.refused, 50);
  EXPECT_GT(in16.tally.proven, 1000);
  EXPECT_GT(in16.tally.open, 100);
  EXPECT_GT(in32.accepted, 500);
  EXPECT_GT(in32.tally.proven, 1000);
}

// A transition that the kernel would raise, or a begin or end that differs from the delete paths.
TEST(SimdWholeBits, AreRefusedForModelsWithRaisedScores) {
  Generator rng(32);
  const ScoreModel sound = stretched_model(rng, 20, true);
  const auto accepts = [](const ScoreModel& model) {
    const auto single = reduce_to_single_hit(model);
    return single && stripe_glocal_close<std::int32_t>(model, *single, {model.nodes, 8}).has_value();
  };
  ASSERT_TRUE(accepts(sound));
  for (const std::int32_t score : {-60'000, kMinusInfinity}) {
    for (const auto table :
         {&ScoreModel::mm, &ScoreModel::mi, &ScoreModel::md, &ScoreModel::im, &ScoreModel::ii,
          &ScoreModel::dm, &ScoreModel::dd, &ScoreModel::begin, &ScoreModel::end}) {
      ScoreModel model = sound;
      (model.*table)[7] = score;
      EXPECT_FALSE(accepts(model)) << score;
    }
  }
}

/// `enough`: of the sequences that score so much the engine may write any score from there on.
void expect_whole_bits(const ScoreModel& model, const SequenceBatch& batch,
                       std::span<const std::int32_t> exact, std::int32_t enough) {
  std::vector<std::int32_t> scores(batch.size());
  const auto engine = make_simd_engine(2);
  engine->score_whole_bits(model, *engine->prepare(batch), enough, scores);
  if (enough == std::numeric_limits<std::int32_t>::max()) {
    EXPECT_EQ(*std::ranges::max_element(scores), *std::ranges::max_element(exact));
  }
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (scores[i] >= enough && exact[i] >= enough) continue;
    ASSERT_GE(scores[i], exact[i]) << "sequence " << i;
    ASSERT_EQ(ScoreHistogram::bin_of(bits_of(scores[i])), ScoreHistogram::bin_of(bits_of(exact[i])))
        << "sequence " << i << ": " << scores[i] << " for " << exact[i];
  }
}

// Batches that are large enough for close scores, half of them for lanes, mostly with random sequences as in
// a calibration.
TEST(SimdWholeBits, OfTheEngineAreCertain) {
  Generator rng(33);
  for (int m = 0; m < 32; ++m) {
    const int nodes = detail::between(rng, 1, m % 2 == 0 ? 25 : 60);
    ScoreModel model = m % 6 == 5 ? random_model(rng, {.nodes = nodes, .style = kAllStyles[m / 6 % 4]})
                                  : stretched_model(rng, nodes, m % 3 == 0);
    if (m % 5 == 4) even_inserts(rng, model, 0);
    const int longest = m % 4 < 2 ? 80 : 250;
    SequenceBatch batch = random_batch(rng, model, 60, 1, longest);
    if (m % 8 == 7) add_sequence(batch, random_residues(rng, model.alphabet, 5000));
    while (batch.size() < 1200) {
      const auto length = static_cast<std::size_t>(detail::between(rng, 1, longest));
      add_sequence(batch, random_residues(rng, model.alphabet, length));
    }
    SCOPED_TRACE("model " + std::to_string(m) + ", " + std::to_string(nodes) + " nodes");
    std::vector<std::int32_t> exact(batch.size());
    const auto reference = make_reference_engine(2);
    reference->score(model, *reference->prepare(batch), std::nullopt, exact);
    const std::int32_t some = exact[static_cast<std::size_t>(detail::between(rng, 0, 1199))];
    for_each_target([&] {
      for (const std::int32_t enough : {some, std::numeric_limits<std::int32_t>::max()}) {
        expect_whole_bits(model, batch, exact, enough);
      }
    });
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace gpuhmm::simd
