// A model with the same inserts at all nodes scores as much as the model that it is made from, or slightly
// more.
#include <gtest/gtest.h>

#include "filter/random_models.hpp"
#include "filter/simd/same_inserts.hpp"
#include "plan7/viterbi.hpp"

namespace gpuhmm::simd {
namespace {

using namespace gpuhmm::testing;

TEST(SimdSameInserts, ScoreAsMuchOrSlightlyMore) {
  Generator rng(41);
  int more = 0;
  for (int m = 0; m < 200; ++m) {
    ScoreModel model = random_model(rng, {.nodes = detail::between(rng, 2, 40),
                                          .style = kAllStyles[m % 4],
                                          .impossible = m % 5 == 4 ? 0.01 : 0});
    constexpr std::int32_t kSpread = 150;
    even_inserts(rng, model, kSpread);
    const std::optional<ScoreModel> same = with_same_inserts(model);
    ASSERT_TRUE(same) << "model " << m;
    EXPECT_TRUE(has_same_inserts(*same));
    const SequenceBatch batch = random_batch(rng, model, 20, 1, 100);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const std::int32_t exact = viterbi_score(model, batch.residues(i));
      const std::int32_t raised = viterbi_score(*same, batch.residues(i));
      EXPECT_GE(raised, exact) << "model " << m << ", sequence " << i;
      EXPECT_LE(raised, exact + kSpread * static_cast<std::int32_t>(batch.length(i)));
      more += raised > exact ? 1 : 0;
    }
  }
  EXPECT_GT(more, 100);
}

TEST(SimdSameInserts, KeepModelsThatHaveThem) {
  Generator rng(42);
  ScoreModel model = random_model(rng, {.nodes = 30});
  EXPECT_FALSE(has_same_inserts(model));
  even_inserts(rng, model, 0);
  EXPECT_TRUE(has_same_inserts(model));
  const std::optional<ScoreModel> same = with_same_inserts(model);
  ASSERT_TRUE(same);
  EXPECT_EQ(same->insert, model.insert);
  EXPECT_EQ(same->mi, model.mi);
  EXPECT_EQ(same->ii, model.ii);
}

TEST(SimdSameInserts, AreNotMadeOfVeryDifferentOnesOrOfOneNode) {
  Generator rng(43);
  ScoreModel model = random_model(rng, {.nodes = 30});
  even_inserts(rng, model, 0);
  model.insert[7] += 301;
  EXPECT_FALSE(with_same_inserts(model));
  model.insert[7] -= 1;
  EXPECT_TRUE(with_same_inserts(model));
  EXPECT_FALSE(with_same_inserts(random_model(rng, {.nodes = 1})));
  EXPECT_FALSE(has_same_inserts(random_model(rng, {.nodes = 1})));
}

}  // namespace
}  // namespace gpuhmm::simd
