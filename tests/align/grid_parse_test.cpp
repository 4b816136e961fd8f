// Compares parsing by sweeps with the plain two-row pass: same scores and same domains, ties included, for
// all kinds of models, on every instruction set, with any amount of memory.
#include "align/grid_parse.hpp"

#include <gtest/gtest.h>

#include "align/batch_aligner.hpp"
#include "align/grid_aligner.hpp"
#include "align/random_cases.hpp"
#include "align/vector_sets.hpp"
#include "filter/random_models.hpp"
#include "plan7/random_models.hpp"
#include "plan7/score_model.hpp"
#include "plan7/small_memory.hpp"
#include "plan7/viterbi.hpp"
#include "simd/instruction_set.hpp"

namespace gpuhmm {
namespace {

using test::Random;
using testing::Generator;

constexpr std::int32_t kAnyScore = std::numeric_limits<std::int32_t>::min();
// Blocks of 16 rows, and a checkpoint or two.
constexpr grid::ParseMemory kLeast{1, 1};

class GridParse : public test::WithInstructionSet {};

INSTANTIATE_TEST_SUITE_P(Vectors, GridParse, ::testing::ValuesIn(test::vector_sets()), test::name_of_set);

// Counts of the comparisons.
struct Seen {
  int proven = 0, several_domains = 0, without_path = 0;
};

void compare(const ScoreModel& model, std::span<const std::uint8_t> residues, grid::ParseMemory memory,
             Seen& seen) {
  const grid::GridModel grid_model(model);
  grid::Track track;
  grid::TileSpace space;
  const auto parse = grid::GridParser(grid_model, track, space, memory).parse(residues, kAnyScore);
  const SegmentParse expected = parse_segments(model, residues);
  seen.several_domains += expected.segments.size() > 1;
  seen.without_path += expected.segments.empty();
  if (!parse) return;
  ++seen.proven;
  EXPECT_EQ(parse->score, expected.score);
  EXPECT_EQ(parse->segments, expected.segments);
}

// Random emissions, transitions, begins and ends; many ties with a step of 1000 and more.
TEST_P(GridParse, GivesTheDomainsOfThePlainPass) {
  Random random(41);
  Seen seen;
  for (int trial = 0; trial < 6000; ++trial) {
    const auto [model, residues] = test::tied_case(random, trial);
    compare(model, residues, trial % 2 == 0 ? kLeast : grid::ParseMemory{}, seen);
    ASSERT_FALSE(HasFailure()) << "trial " << trial << ", nodes " << model.nodes << ", length "
                               << residues.size();
  }
  EXPECT_GT(seen.proven, 3500);
  EXPECT_GT(seen.several_domains, 2000);
  EXPECT_GT(seen.without_path, 50);
}

// Models of HMMER's four styles, and sequences with many domains, some longer than several blocks of rows.
TEST_P(GridParse, FindsManyDomains) {
  Generator rng(42);
  Seen seen;
  int tried = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const ScoreModel model = test::model_of_any_style(rng, trial);
    for (std::size_t i = 0; i < 8; ++i, ++tried) {
      const auto length = static_cast<std::size_t>(testing::detail::between(rng, 1, 900));
      compare(model, testing::repeat_residues(rng, model, length),
              trial % 2 == 0 ? kLeast : grid::ParseMemory{40'000, 30'000}, seen);
      ASSERT_FALSE(HasFailure()) << "trial " << trial << ", nodes " << model.nodes << ", sequence " << i;
    }
  }
  EXPECT_GT(seen.proven, tried / 2);
  EXPECT_GT(seen.several_domains, tried / 4);
}

// Different amounts of memory for the record and the checkpoints of one long sequence.
TEST_P(GridParse, GivesTheSameDomainsWithAnyMemory) {
  Generator rng(43);
  testing::RandomModelOptions options;
  options.nodes = 30;
  options.coarse = true;
  const ScoreModel model = testing::random_model(rng, options);
  const auto residues = testing::repeat_residues(rng, model, 6000);
  Seen seen;
  for (const std::size_t record : {1, 5'000, 50'000, 1 << 20}) {
    for (const std::size_t checkpoints : {1, 2'000, 10'000, 100'000}) {
      compare(model, residues, {record, checkpoints}, seen);
      ASSERT_FALSE(HasFailure()) << record << ' ' << checkpoints;
    }
  }
  EXPECT_EQ(seen.proven, 16);
  EXPECT_EQ(seen.several_domains, 16);
}

// A score that is too low gets no segments; a score that cannot be proven comes from the plain pass.
TEST_P(GridParse, OmitsSegmentsOfLowScoresAndLeavesUnprovenOnesToThePlainPass) {
  Random random(44);
  ScoreModel model = random_model(random, 9, {1, 0, true, true});
  const auto residues = random.sequence(model.alphabet, 200);
  const std::int32_t score = viterbi_score(model, residues);
  const auto parse_above = [&](std::int32_t lowest) {
    const grid::GridModel grid_model(model);
    const Profile profile = test::wingless_profile(model);
    return grid::GridAligner(grid_model, profile).parse(residues, lowest);
  };
  EXPECT_EQ(parse_above(score).score, score);
  EXPECT_FALSE(parse_above(score).segments.empty());
  EXPECT_EQ(parse_above(score + 1).score, score);
  EXPECT_TRUE(parse_above(score + 1).segments.empty());
  model.n_begin = -300'000'000;
  EXPECT_EQ(parse_above(kAnyScore).segments, parse_segments(model, residues).segments);
  EXPECT_EQ(parse_above(kAnyScore).score, viterbi_score(model, residues));
}

// Scores that grow beyond the safe range of 32 bits are noticed, even if the sequence is not too long for its
// model.
TEST_P(GridParse, NoticesScoresOutOfRange) {
  ScoreModel model(AlphabetKind::Amino, 1);
  std::fill(model.match.begin(), model.match.end(), 1'000'000);
  model.begin[1] = model.n_begin = model.e_to_c = model.e_to_j = model.j_begin = model.c_end = 0;
  model.n_loop = model.j_loop = model.c_loop = 0;
  const grid::GridModel grid_model(model);
  grid::Track track;
  grid::TileSpace space;
  grid::GridParser parser(grid_model, track, space);
  const auto parse = [&](std::size_t length) {
    return parser.parse(std::vector<std::uint8_t>(length, 0), kAnyScore);
  };
  ASSERT_FALSE(grid_model.fits(2000));
  const auto within = parse(300);
  ASSERT_TRUE(within.has_value());
  EXPECT_EQ(within->score, 300'000'000);
  EXPECT_EQ(within->segments.size(), 300U);
  EXPECT_FALSE(parse(2000).has_value());
}

}  // namespace
}  // namespace gpuhmm
