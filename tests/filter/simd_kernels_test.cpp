// Each SIMD kernel in each packing and with each rule, below the engine's choice among them: exact up to the
// mark that its parameters come with, or an upper bound.
#include <gtest/gtest.h>

#include <string>

#include "filter/random_models.hpp"
#include "filter/simd/glocal_bound.hpp"
#include "filter/simd/instruction_set.hpp"
#include "filter/simd/kernels.hpp"
#include "plan7/viterbi.hpp"

namespace gpuhmm::simd {
namespace {

using namespace gpuhmm::testing;

constexpr Packing kPackings[] = {Packing::Whole, Packing::Chunks};
constexpr CarryRule kRules[] = {CarryRule::Always, CarryRule::WhenUseful};

template <class T>
StripedShape shape_of(const ScoreModel& model, Packing packing) {
  return {model.nodes, (packing == Packing::Chunks ? 16 : vector_bytes()) / sizeof(T)};
}

// Groups of 1, 2, ... sequences, longest first, again and again until all are taken.
std::vector<std::vector<std::span<const std::uint8_t>>> groups_of(const SequenceBatch& batch,
                                                                  Packing packing) {
  std::vector<std::span<const std::uint8_t>> sorted;
  for (std::size_t i = 0; i < batch.size(); ++i) sorted.push_back(batch.residues(i));
  std::ranges::stable_sort(sorted, std::ranges::greater(), [](const auto& s) { return s.size(); });
  const std::size_t most = packing == Packing::Chunks ? kVectorsAtOnce * vector_bytes() / 16 : kVectorsAtOnce;
  std::vector<std::vector<std::span<const std::uint8_t>>> groups;
  std::size_t size = most;
  for (std::size_t first = 0; first < sorted.size(); first += size) {
    size = std::min(groups.size() % most + 1, sorted.size() - first);
    groups.emplace_back(sorted.begin() + first, sorted.begin() + first + size);
  }
  return groups;
}

// How many results were proven by the parameters' mark, and how many not.
struct Tally {
  int proven = 0;
  int open = 0;
};

// Calls check(E found, exact score, length) for all sequences whose E is below the mark.
template <class T, class RunSweep, class Check>
Tally check_groups(const ScoreModel& model, const LevelledModel<T>& levelled, const SequenceBatch& batch,
                   Packing packing, const RunSweep& sweep, const Check& check) {
  Tally tally;
  Workspace<T> workspace;
  for (const auto& group : groups_of(batch, packing)) {
    std::vector<T> best(group.size());
    sweep(SequenceGroup(group), workspace, std::span<T>(best));
    for (std::size_t g = 0; g < group.size(); ++g) {
      if (best[g] > levelled.mark) {
        ++tally.open;
        continue;
      }
      ++tally.proven;
      check(levelled.score(best[g]), viterbi_score(model, group[g]), group[g].size());
    }
  }
  return tally;
}

template <class T>
Tally expect_exact(const ScoreModel& model, const SingleHitModel& single, const LevelledModel<T>& levelled,
                   CarryRule rule, const SequenceBatch& batch, Packing packing) {
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

void for_each_target(const auto& body) {
  for (const std::string& name : instruction_sets()) {
    SCOPED_TRACE(name);
    use_instruction_set(name);
    if (vector_bytes() > 0) body();
  }
  use_instruction_set("");
}

// Moves the begin and end scores to what the spelled-out delete paths give, a few units off as rounding does.
void make_glocal(Generator& rng, ScoreModel& model) {
  const int nodes = model.nodes;
  model.begin[1] = -detail::between(rng, 0, 500);
  std::int32_t deletes = -detail::between(rng, 1000, 4000);
  for (int k = 1; k < nodes; ++k) {
    model.begin[k + 1] = deletes + model.dm[k] + detail::between(rng, -2, 2);
    deletes += model.dd[k];
  }
  deletes = 0;
  for (int k = nodes - 1; k >= 1; --k) {
    model.end[k] = model.md[k] + deletes + detail::between(rng, -2, 2);
    deletes += model.dd[k];
  }
}

TEST(SimdKernels, Exact32InAllPackings) {
  Generator rng(21);
  Tally tally;
  for (int m = 0; m < 60; ++m) {
    RandomModelOptions options{.nodes = detail::between(rng, 1, m % 6 == 5 ? 300 : 40),
                               .style = kAllStyles[m % 4]};
    options.impossible = m % 3 == 2 ? 0.05 : 0;
    options.coarse = m % 5 == 4;
    const ScoreModel model = random_model(rng, options);
    const auto single = reduce_to_single_hit(model);
    if (!single) continue;  // a special transition came out impossible
    const SequenceBatch batch = random_batch(rng, model, 20, 1, 120);
    SCOPED_TRACE("model " + std::to_string(m) + ", " + std::to_string(model.nodes) + " nodes");
    for_each_target([&] {
      for (const Packing packing : kPackings) {
        for (const CarryRule rule : kRules) {
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

// Local models with all scores stretched by a random factor: 16 bits are enough for some and not for others,
// and the check must tell them apart.
TEST(SimdKernels, Local16UpToTheLimitsOfItsRange) {
  Generator rng(22);
  Tally tally;
  int accepted = 0;
  int refused = 0;
  for (int m = 0; m < 400; ++m) {
    const ModelStyle style = m % 2 == 0 ? ModelStyle::MultihitLocal : ModelStyle::SingleLocal;
    ScoreModel model = random_model(rng, {.nodes = detail::between(rng, 1, 60), .style = style});
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
    const auto single = reduce_to_single_hit(model);
    ASSERT_TRUE(single);
    const SequenceBatch batch = random_batch(rng, model, 12, 1, 150);
    SCOPED_TRACE("model " + std::to_string(m) + ", " + std::to_string(model.nodes) + " nodes");
    for_each_target([&] {
      for (const Packing packing : kPackings) {
        for (const CarryRule rule : kRules) {
          const auto levelled = stripe_local16(model, *single, rule, shape_of<std::int16_t>(model, packing));
          ++(levelled ? accepted : refused);
          if (!levelled) continue;
          const Tally t = expect_exact(model, *single, *levelled, rule, batch, packing);
          tally.proven += t.proven;
          tally.open += t.open;
        }
      }
    });
    if (HasFailure()) return;
  }
  EXPECT_GT(accepted, 500);
  EXPECT_GT(refused, 500);
  EXPECT_GT(tally.proven, 1000);
  EXPECT_GT(tally.open, 100);
}

TEST(SimdKernels, GlocalBoundIsNeverBelow) {
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
    const auto single = reduce_to_single_hit(model);
    ASSERT_TRUE(single);
    const SequenceBatch batch = random_batch(rng, model, 16, 1, 300);
    const std::int32_t threshold = viterbi_score(model, batch.residues(detail::between(rng, 0, 15)));
    SCOPED_TRACE("model " + std::to_string(m) + ", " + std::to_string(model.nodes) + " nodes, threshold " +
                 std::to_string(threshold));
    for_each_target([&] {
      for (const Packing packing : kPackings) {
        const auto levelled =
            stripe_glocal_bound(model, *single, threshold, shape_of<std::int16_t>(model, packing));
        ASSERT_TRUE(levelled);
        const Tally t = check_groups(
            model, *levelled, batch, packing,
            [&](SequenceGroup group, Workspace<std::int16_t>& workspace, std::span<std::int16_t> best) {
              sweep_glocal_bound(levelled->striped, packing, group, workspace, best);
            },
            [&](std::int64_t e, std::int32_t exact, std::size_t length) {
              EXPECT_GE(e + single->exit, exact) << length << " residues";
              if (m % 7 != 6) slack += e + single->exit - exact;
            });
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

TEST(SimdKernels, LocalModelsAreNotTakenForGlocal) {
  Generator rng(24);
  const ScoreModel model = random_model(rng, {.nodes = 50, .style = ModelStyle::MultihitLocal});
  const auto single = reduce_to_single_hit(model);
  ASSERT_TRUE(single);
  EXPECT_FALSE(is_glocal(model, *single));
  EXPECT_FALSE(stripe_glocal_bound(model, *single, 0, shape_of<std::int16_t>(model, Packing::Whole)));
}

TEST(SimdKernels, MultihitEqualsReference) {
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
        const std::int64_t score = sweep_multihit(multihit, residues, state);
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

TEST(SimdInstructionSet, UnknownNamesAreRefused) {
  EXPECT_THROW(use_instruction_set("MMX"), std::invalid_argument);
  EXPECT_NO_THROW(use_instruction_set(""));
  EXPECT_EQ(instruction_set(), instruction_sets().front());
}

}  // namespace
}  // namespace gpuhmm::simd
