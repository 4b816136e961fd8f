// Compares re-basing with the plain recurrence, by a scalar sweep in 64 bits: same scores, the selected steps
// free, sums within 32 bits, and upper bounds where scores are raised further.
#include "plan7/rebased_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "plan7/raised_scores.hpp"
#include "plan7/random_models.hpp"
#include "plan7/single_hit_model.hpp"
#include "plan7/viterbi.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::test;

constexpr FreeSteps kAllSteps[] = {FreeSteps::OutOfDeletes, FreeSteps::Ends, FreeSteps::Begins,
                                   FreeSteps::Deletes};

// "No path yet": the kernels' value, or a lower one in 64 bits where potentials add up along the nodes.
std::int64_t floor_of(FreeSteps free) {
  const bool adds_up = free == FreeSteps::Begins || free == FreeSteps::Deletes;
  return adds_up ? -1000 * kImpossible : std::int64_t{kNoPathYet};
}

// Fractions of steps that are impossible: none, some, and nearly all, so that many sequences have no path.
constexpr double kImpossibleShares[] = {0, 0.2, 0.95};

// A model of 1 to 40 nodes in which some steps are impossible and, if `gains`, some have scores above 0.
ScoreModel varied_model(Random& random, double impossible, bool gains) {
  ScoreModel model = random_model(random, random.integer(1, 40), {1, impossible, random.chance(0.5), false});
  if (!gains) return model;
  for (auto* scores : {&model.mm, &model.mi, &model.md, &model.im, &model.ii, &model.dm, &model.dd,
                       &model.begin, &model.end}) {
    for (std::int32_t& score : *scores) {
      if (score > kMinusInfinity && random.chance(0.2)) score += random.integer(0, 8000);
    }
  }
  return model;
}

// Sweeps one sequence in re-based scores.
class Sweep {
 public:
  Sweep(const ScoreModel& model, FreeSteps free, std::int64_t lowest)
      : model_(model), rebased_(model, free, lowest), lowest_(lowest), floor_(floor_of(free)) {
    match_.assign(static_cast<std::size_t>(model.nodes) + 1, floor_);
    insert_ = onward_ = match_;
  }

  // Computes the row of residue x, with `loop` subtracted from emissions; returns E.
  std::int64_t row(int x, std::int64_t b, std::int64_t loop) {
    const std::vector<std::int64_t> match = match_, onward = onward_;
    std::int64_t e = std::numeric_limits<std::int64_t>::min();
    std::int64_t del = floor_;
    for (int k = 1; k <= model_.nodes; ++k) {
      match_[k] = sum(std::max(onward[k - 1], sum(b, rebased_.begin[k])),
                      raised(model_.match_row(x)[k], lowest_) - loop + rebased_.match_shift[k]);
      e = std::max(e, sum(match_[k], rebased_.end[k]));
      if (k == model_.nodes) break;
      insert_[k] = sum(std::max(sum(match[k], rebased_.mi[k]), sum(insert_[k], rebased_.ii[k])),
                       raised(model_.insert_row(x)[k], lowest_) - loop);
      onward_[k] = std::max({match_[k], insert_[k], sum(del, rebased_.dm[k])});
      del = std::max(sum(match_[k], rebased_.md[k]), sum(del, rebased_.dd[k]));
    }
    return e;
  }

  std::int64_t lowest_sum() const { return lowest_sum_; }
  std::int64_t highest_sum() const { return highest_sum_; }

 private:
  std::int64_t sum(std::int64_t a, std::int64_t b) {
    lowest_sum_ = std::min(lowest_sum_, a + b);
    highest_sum_ = std::max(highest_sum_, a + b);
    return a + b;
  }

  const ScoreModel& model_;
  RebasedModel rebased_;
  std::int64_t lowest_, floor_;
  std::vector<std::int64_t> match_, insert_, onward_;  // of the last row
  std::int64_t lowest_sum_ = 0, highest_sum_ = 0;
};

// The score of a sequence, with N, B, J and C in every row.
std::int64_t score_of(const ScoreModel& model, Sweep sweep, std::span<const std::uint8_t> residues) {
  const auto floored = [](std::int64_t score) { return std::max(score, std::int64_t{kMinusInfinity}); };
  std::int64_t n = 0, b = model.n_begin, j = kMinusInfinity, c = kMinusInfinity;
  for (const std::uint8_t x : residues) {
    const std::int64_t e = sweep.row(x, std::max(b, std::int64_t{kLowestBegin}), 0);
    n = floored(n + model.n_loop);
    j = floored(std::max(j + model.j_loop, e + model.e_to_j));
    b = floored(std::max(n + model.n_begin, j + model.j_begin));
    c = floored(std::max(c + model.c_loop, e + model.e_to_c));
  }
  return c + model.c_end;
}

TEST(RebasedModel, ScoresAsThePlainRecurrence) {
  Random random(31);
  int compared = 0, impossible = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const ScoreModel model = varied_model(random, kImpossibleShares[trial % 3], trial % 2 == 0);
    const auto residues = random.sequence(model.alphabet, random.integer(1, 61));
    const std::int32_t exact = viterbi_score(model, residues);
    const std::int64_t limit = gain_of_any_path(model)(residues.size()) - kImpossible;
    for (const FreeSteps free : kAllSteps) {
      const std::int64_t score = score_of(model, Sweep(model, free, -kImpossible), residues);
      if (score > limit) {
        ++compared;
        EXPECT_EQ(score, exact) << "trial " << trial << ", steps " << static_cast<int>(free);
      } else {
        ++impossible;
        EXPECT_LE(exact, limit) << "trial " << trial << ", steps " << static_cast<int>(free);
      }
    }
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(compared, 700);
  EXPECT_GT(impossible, 10);
}

TEST(RebasedModel, FreeStepsCostNothing) {
  Random random(32);
  for (int trial = 0; trial < 40; ++trial) {
    const ScoreModel model = varied_model(random, trial % 2 == 0 ? 0.2 : 0, true);
    const std::vector<std::int64_t> zeros(static_cast<std::size_t>(model.nodes) + 1, 0);
    const auto inner = [](const std::vector<std::int64_t>& scores) {
      return std::span(scores).subspan(1, scores.size() - 2);
    };
    const auto free = [&](const std::vector<std::int64_t>& scores) {
      return std::ranges::all_of(inner(scores), [](std::int64_t score) { return score == 0; });
    };
    const RebasedModel out_of_deletes(model, FreeSteps::OutOfDeletes);
    EXPECT_TRUE(free(out_of_deletes.dm));
    EXPECT_EQ(out_of_deletes.onward_potential, zeros);
    const RebasedModel ends(model, FreeSteps::Ends);
    EXPECT_TRUE(free(ends.dm));
    EXPECT_EQ(ends.end, zeros);
    EXPECT_EQ(ends.match_shift[1], 0);
    const RebasedModel begins(model, FreeSteps::Begins, -30'000);
    EXPECT_TRUE(free(begins.dm));
    EXPECT_EQ(begins.begin, zeros);
    const RebasedModel deletes(model, FreeSteps::Deletes, -30'000);
    EXPECT_TRUE(free(deletes.dd));
    EXPECT_TRUE(free(deletes.md));
    EXPECT_EQ(deletes.match_shift[1], 0);
    for (const auto* steps : {&deletes.mi, &deletes.ii, &deletes.md, &deletes.dd, &deletes.dm}) {
      EXPECT_EQ(steps->back(), -30'000) << "there is none at the last node";
    }
  }
}

TEST(RebasedModel, RaisesFreeBeginsAgainstTheNodeBefore) {
  ScoreModel model(AlphabetKind::Amino, 4);
  model.begin = {0, -20'000, -45'000, kMinusInfinity, -50'000};
  const RebasedModel rebased(model, FreeSteps::Begins, -30'000);
  EXPECT_EQ(rebased.onward_potential, (std::vector<std::int64_t>{20'000, 45'000, 75'000, 50'000, 50'000}));
}

TEST(RebasedModel, BoundsScoresWhereLowOnesAreRaised) {
  Random random(33);
  int above = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const ScoreModel model = varied_model(random, 0.2, trial % 2 == 0);
    const auto residues = random.sequence(model.alphabet, random.integer(1, 61));
    const std::int32_t exact = viterbi_score(model, residues);
    for (const FreeSteps free : kAllSteps) {
      constexpr std::int64_t kLowest = -3000;
      const std::int64_t bound = score_of(model, Sweep(model, free, kLowest), residues);
      EXPECT_GE(bound, exact) << "trial " << trial << ", steps " << static_cast<int>(free);
      above += bound > exact;
    }
  }
  EXPECT_GT(above, 100) << "raising changes scores";
}

// Random scores from minus infinity to P / 4, so that paths lose as much as possible or gain 10^9.
TEST(RebasedModel, SumsFitIn32Bits) {
  Random random(34);
  std::int64_t lowest = 0;
  for (int trial = 0; trial < 300; ++trial) {
    ScoreModel model(AlphabetKind::Amino, random.integer(1, 9));
    const auto extreme = [&] {
      if (random.chance(0.5)) return kMinusInfinity;
      return random.chance(0.1) ? static_cast<std::int32_t>(kImpossible / 4) : 0;
    };
    for (auto* scores : {&model.mm, &model.mi, &model.md, &model.im, &model.ii, &model.dm, &model.dd,
                         &model.begin, &model.end, &model.match, &model.insert}) {
      std::ranges::generate(*scores, extreme);
    }
    const auto residues = random.sequence(model.alphabet, 4);
    for (const FreeSteps free : {FreeSteps::OutOfDeletes, FreeSteps::Ends}) {
      Sweep sweep(model, free, -kImpossible);
      for (const std::uint8_t x : residues) sweep.row(x, kLowestBegin, 0);
      EXPECT_GE(sweep.lowest_sum(), std::numeric_limits<std::int32_t>::min());
      EXPECT_LE(sweep.highest_sum(), std::numeric_limits<std::int32_t>::max());
      lowest = std::min(lowest, sweep.lowest_sum());
    }
  }
  EXPECT_LT(lowest, -8 * kImpossible) << "the models are extreme";
}

TEST(SingleHitModel, ScoresAsThePlainRecurrenceBelowItsMark) {
  Random random(35);
  int compared = 0, above = 0, unproven = 0;
  for (int trial = 0; trial < 600; ++trial) {
    ScoreModel model = varied_model(random, kImpossibleShares[trial % 3], trial % 2 == 0);
    model.c_loop = model.j_loop = model.n_loop;
    const auto single = reduce_to_single_hit(model);
    ASSERT_TRUE(single);
    const auto residues = random.sequence(model.alphabet, random.integer(1, 31));
    const std::int32_t exact = viterbi_score(model, residues);
    for (const FreeSteps free : kAllSteps) {
      Sweep sweep(model, free, -kImpossible);
      std::int64_t e = floor_of(free);
      for (const std::uint8_t x : residues) e = std::max(e, sweep.row(x, single->begin, single->loop));
      EXPECT_LE(e, single->gain(residues.size()));
      const auto score = single->score(e, residues.size());
      if (!score) {
        ++unproven;
      } else if (e > single->multihit_mark) {
        ++above;
        EXPECT_LE(*score, exact) << "trial " << trial;
      } else {
        ++compared;
        EXPECT_EQ(*score, exact) << "trial " << trial << ", steps " << static_cast<int>(free);
      }
    }
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(compared, 500);
  EXPECT_GT(above, 500);
  EXPECT_GT(unproven, 10);
}

TEST(SingleHitModel, NeedsEqualLoopsAndPossibleSpecials) {
  Random random(36);
  const ScoreModel model = random_model(random, 5, {1, 0, true, true});
  EXPECT_TRUE(reduce_to_single_hit(model));
  ScoreModel changed = model;
  changed.c_loop = model.n_loop - 1;
  EXPECT_FALSE(reduce_to_single_hit(changed));
  changed = model;
  changed.j_loop = model.n_loop + 1;
  EXPECT_FALSE(reduce_to_single_hit(changed)) << "J is cheaper than N";
  changed.j_loop = model.n_loop - 1;
  EXPECT_TRUE(reduce_to_single_hit(changed));
  changed = model;
  changed.n_begin = kMinusInfinity;
  EXPECT_FALSE(reduce_to_single_hit(changed));
  changed = model;
  changed.mm[2] = kImpossible / 4 + 1;
  EXPECT_FALSE(reduce_to_single_hit(changed)) << "a score too high for 32-bit sums";
}

TEST(RaisedScores, NoPathGainsMoreThanTheBound) {
  Random random(37);
  int close = 0;
  for (int trial = 0; trial < 300; ++trial) {
    ScoreModel model = varied_model(random, 0, true);
    for (auto* special : {&model.n_loop, &model.j_loop, &model.c_loop, &model.n_begin, &model.j_begin,
                          &model.e_to_c, &model.c_end}) {
      if (random.chance(0.5)) *special = random.integer(0, 5000);
    }
    const PathGain gain = gain_of_any_path(model);
    const auto residues = random.sequence(model.alphabet, random.integer(1, 40));
    const std::int32_t score = viterbi_score(model, residues);
    EXPECT_LE(score, gain(residues.size()));
    close += score > gain(residues.size()) / 8;
    EXPECT_LE(gain(gain.longest(1'000'000)), std::max<std::int64_t>(1'000'000, gain.fixed));
  }
  EXPECT_GT(close, 10);
}

}  // namespace
}  // namespace gpuhmm
