// Upper bounds with one sequence in each SIMD lane whose sums with inserts do not saturate, against the plain
// recurrence.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "filter/simd/glocal_bound.hpp"
#include "filter/simd/lane_model.hpp"
#include "filter/simd/lane_sequences.hpp"
#include "filter/simd_groups.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm::simd {
namespace {

using namespace gpuhmm::simd::testing;

int insert_emission(const LaneModel<std::int16_t>& model, std::size_t k, std::size_t x) {
  return model.emissions[(model.same_inserts ? 1 : 2 * k + 1) * kTableCodes + x];
}

/// E of a sequence that begins at row `first`, by the recurrence of a model whose sums fit: but those for M
/// they must not leave the 16 bits as long as no M is above the mark.
int plain_fitting_bound(const LaneModel<std::int16_t>& model, std::int64_t mark, std::size_t first,
                        std::span<const std::uint8_t> residues) {
  constexpr int kLowest = std::numeric_limits<std::int16_t>::min();
  constexpr int kHighest = std::numeric_limits<std::int16_t>::max();
  std::vector<int> q(model.nodes, model.fresh_q), inserts(model.nodes, model.fresh_insert);
  std::vector<std::uint8_t> codes(first % kLaneRows == 0 ? kLaneRows : first % kLaneRows, kSeparator);
  codes.insert(codes.end(), residues.begin(), residues.end());
  int best = kLowest;
  const auto fitting = [&](int value) {
    EXPECT_GE(value, kLowest);
    EXPECT_LE(value, kHighest);
    return value;
  };
  for (const std::uint8_t x : codes) {
    int before = model.first_q, del = model.first_d;
    for (std::size_t k = 0; k < model.nodes; ++k) {
      const LaneSteps<std::int16_t>& steps = model.steps[k];
      const int match = std::clamp(before + model.emissions[2 * k * kTableCodes + x], kLowest, kHighest);
      if (match > mark) return kHighest;
      const int insert = fitting(inserts[k] + insert_emission(model, k, x));
      inserts[k] = std::max(fitting(match + steps.match_insert.score()),
                            fitting(insert + steps.insert_insert.score()));
      before = q[k];
      q[k] = std::max({match, insert, fitting(del + steps.delete_match.score())});
      del = std::max(del, match);
    }
    if (x != kSeparator) best = std::max(best, del);
  }
  return best;
}

/// The highest mark with which the sums of a model fit.
std::int64_t highest_fitting_mark(const LaneModel<std::int16_t>& model) {
  int lowest_match = 0, highest_insert = 0, highest_step = 0, highest_delete_match = 0;
  for (std::size_t k = 0; k < model.nodes; ++k) {
    for (std::size_t x = 0; x < model.codes; ++x) {
      lowest_match = std::min<int>(lowest_match, model.emissions[2 * k * kTableCodes + x]);
      if (k + 1 < model.nodes) highest_insert = std::max(highest_insert, insert_emission(model, k, x));
    }
    const LaneSteps<std::int16_t>& steps = model.steps[k];
    highest_step =
        std::max({highest_step, int{steps.match_insert.score()}, int{steps.insert_insert.score()}});
    highest_delete_match = std::max<int>(highest_delete_match, steps.delete_match.score());
  }
  return std::numeric_limits<std::int16_t>::max() -
         std::max(highest_delete_match, highest_step + highest_insert - lowest_match);
}

TEST(SimdFittingSums, GiveTheBoundsOfThePlainRecurrence) {
  Generator rng(56);
  int fitting = 0, own_inserts = 0, proven = 0, open = 0;
  for (int m = 0; m < 300; ++m) {
    ScoreModel model = stretched_model(rng, detail::between(rng, 2, 60), m % 2 == 0);
    SequenceBatch batch = random_batch(rng, model, 30, 1, 150);
    make_harder(rng, model, batch, m % 5);
    if (m % 4 > 0) even_inserts(rng, model, m % 3 == 0 ? 0 : detail::between(rng, 0, 2000));
    const auto single = reduce_to_single_hit(model);
    if (!single) continue;
    // Insertions of residue 0 of all lengths, which may gain up to the mark and beyond.
    const int middle = detail::between(rng, 1, model.nodes - 1);
    for (int length = 1; length < 60; ++length) {
      std::vector<std::uint8_t> residues = consensus(model, 1, middle);
      residues.insert(residues.end(), static_cast<std::size_t>(length), 0);
      const std::vector<std::uint8_t> rest = consensus(model, middle + 1, model.nodes);
      residues.insert(residues.end(), rest.begin(), rest.end());
      add_sequence(batch, residues);
    }
    const std::int32_t threshold = viterbi_score(model, batch.residues(detail::between(rng, 0, 80)));
    SCOPED_TRACE("model " + std::to_string(m) + ", " + std::to_string(model.nodes) + " nodes");
    for_each_target([&] {
      if (!has_lane_kernel()) return;
      for (const InsertSums sums : {InsertSums::Saturate, InsertSums::Fit}) {
        auto bound = stripe_glocal_bound(model, *single, threshold, {model.nodes, 1}, sums);
        const auto lanes = bound ? bound_lane_model(*bound) : std::nullopt;
        if (!lanes || !lanes->sums_fit) continue;
        ++fitting;
        own_inserts += !lanes->same_inserts;
        LaneSequences dealt;
        LaneState<std::int16_t> state;
        std::vector<std::int16_t> best(batch.size());
        dealt.deal(batch, longest_first(batch), lanes->spacing());
        sweep_lanes<std::int16_t>(*lanes, dealt, state, best);
        for (const LaneSequences::End& end : dealt.ends()) {
          const std::size_t i = end.sequence;
          std::size_t row = end.row;
          while (dealt.row(row - 1)[end.lane] == kSeparator) --row;
          const int expected =
              plain_fitting_bound(*lanes, bound->mark, row - batch.length(i), batch.residues(i));
          ++(expected > bound->mark ? open : proven);
          if (expected > bound->mark) {
            EXPECT_GT(best[i], bound->mark) << "sequence " << i;
          } else {
            EXPECT_EQ(best[i], expected) << "sequence " << i;
          }
        }
        const std::int64_t limit = highest_fitting_mark(*lanes);
        EXPECT_LE(bound->mark, limit);
        bound->mark = limit;
        EXPECT_TRUE(bound_lane_model(*bound)->sums_fit);
        bound->mark = limit + 1;
        const auto refused = bound_lane_model(*bound);
        EXPECT_FALSE(refused && refused->sums_fit);
      }
    });
    if (HasFailure()) return;
  }
  if (fitting == 0) GTEST_SKIP() << "this machine has no vectors of 64 bytes";
  EXPECT_GT(fitting, 150);
  EXPECT_GT(own_inserts, 50);
  EXPECT_GT(proven, 4000);
  EXPECT_GT(open, 1000);
}

}  // namespace
}  // namespace gpuhmm::simd
