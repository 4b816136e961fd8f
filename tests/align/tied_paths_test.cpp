// Compares segments aligned by the record of the whole sequence with the plain small-memory alignment and
// with the full matrix: same paths, ties included, for all kinds of models, on every instruction set.
#include "align/tied_paths.hpp"

#include <gtest/gtest.h>

#include "align/grid_aligner.hpp"
#include "align/grid_parse.hpp"
#include "align/random_cases.hpp"
#include "align/vector_sets.hpp"
#include "filter/random_models.hpp"
#include "plan7/random_models.hpp"
#include "plan7/score_model.hpp"
#include "plan7/viterbi_matrix.hpp"
#include "simd/instruction_set.hpp"

namespace gpuhmm {
namespace {

using test::Random;
using test::wingless_profile;
using testing::Generator;

constexpr std::int32_t kAnyScore = std::numeric_limits<std::int32_t>::min();

class TiedPaths : public test::WithInstructionSet {};

INSTANTIATE_TEST_SUITE_P(Vectors, TiedPaths, ::testing::ValuesIn(test::vector_sets()), test::name_of_set);

// A profile for which every other node shows deletes before its begin or after its end.
Profile profile_with_wings(const ScoreModel& model) {
  Profile profile = wingless_profile(model);
  for (int k = 1; k <= model.nodes; ++k) (k % 2 == 0 ? profile.begin : profile.end)[k] = 1e-30F;
  return profile;
}

// Counts of the comparisons.
struct Seen {
  int segments = 0, small_memory = 0, full_matrix = 0, different = 0;
};

void compare(const ScoreModel& model, std::span<const std::uint8_t> residues, Seen& seen) {
  const Profile profile = profile_with_wings(model);
  const grid::GridModel grid_model(model);
  if (!grid::GridAligner::records(grid_model, residues.size())) return;
  grid::Track track;
  track.residues = residues;
  sweep(grid_model, std::array{&track});
  grid::TileSpace space;
  const auto parse = grid::GridParser(grid_model, track, space).parse_swept(kAnyScore);
  if (!parse) return;
  const SegmentParse expected = parse_segments(model, residues);
  EXPECT_EQ(parse->score, expected.score);
  EXPECT_EQ(parse->segments, expected.segments);
  for (const DomainSpan& span : expected.segments) {
    ++seen.segments;
    grid::TileCells cells(grid_model, track, space);
    const grid::RecordedSegment segment{model, cells, residues, span};
    const auto by_bisection = align_segment(model, profile, span.of(residues));
    if (const auto emissions = small_memory_emissions(segment)) {
      ++seen.small_memory;
      EXPECT_EQ(segment_trace(model, profile, *emissions, ExitTest::ResidueBefore), by_bisection);
    }
    ViterbiMatrix matrix;
    matrix.fill(model, span.of(residues));
    const auto by_matrix = matrix.traceback(model, profile, span.of(residues));
    if (const auto emissions = full_matrix_emissions(segment)) {
      ++seen.full_matrix;
      EXPECT_EQ(segment_trace(model, profile, *emissions, ExitTest::LastMatch), by_matrix);
    }
    seen.different += by_matrix != by_bisection;
  }
}

// Random emissions, transitions, begins and ends; many ties with a step of 1000 and more.
TEST_P(TiedPaths, GiveThePathsOfPlainAlignment) {
  Random random(61);
  Seen seen;
  for (int trial = 0; trial < 6000; ++trial) {
    const auto [model, residues] = test::tied_case(random, trial);
    compare(model, residues, seen);
    ASSERT_FALSE(HasFailure()) << "trial " << trial << ", nodes " << model.nodes << ", length "
                               << residues.size();
  }
  EXPECT_GT(seen.segments, 60'000);
  EXPECT_GT(seen.small_memory, 35'000);
  EXPECT_GT(seen.full_matrix, 40'000);
  EXPECT_GT(seen.different, 10'000);  // ties that the two methods decide differently
}

// Models of HMMER's four styles, and sequences with many domains.
TEST_P(TiedPaths, GiveThePathsOfManyDomains) {
  Generator rng(62);
  Seen seen;
  for (int trial = 0; trial < 300; ++trial) {
    const ScoreModel model = test::model_of_any_style(rng, trial);
    for (std::size_t i = 0; i < 5; ++i) {
      const auto length = static_cast<std::size_t>(testing::detail::between(rng, 1, 600));
      compare(model, testing::repeat_residues(rng, model, length), seen);
      ASSERT_FALSE(HasFailure()) << "trial " << trial << ", nodes " << model.nodes << ", sequence " << i;
    }
  }
  EXPECT_GT(seen.segments, 5'000);
  EXPECT_GT(seen.small_memory, seen.segments * 3 / 4);
  EXPECT_GT(seen.full_matrix, seen.segments * 3 / 4);
}

// Whole sequences in small memory: several domains, and paths that the record does not prove.
TEST_P(TiedPaths, GiveWholeSequencesThePathsOfPlainAlignment) {
  constexpr std::int64_t kTooManyRows = 100'000'000;  // never the full matrix
  Generator rng(63);
  for (int trial = 0; trial < 200; ++trial) {
    testing::RandomModelOptions options;
    options.nodes = testing::detail::between(rng, 1, 60);
    options.style = testing::kAllStyles[trial % 4];
    options.coarse = trial % 2 == 0;
    options.odd_specials = trial % 5 == 0;
    options.impossible = trial % 7 == 0 ? 0.03 : 0;
    const ScoreModel model = testing::random_model(rng, options);
    const Profile profile = profile_with_wings(model);
    const grid::GridModel grid_model(model);
    grid::GridAligner first(grid_model, profile), second(grid_model, profile);
    ViterbiMatrix matrix;
    MatrixAligner plain(model, profile, matrix);
    const auto longer = testing::repeat_residues(rng, model, 400);
    auto shorter = testing::random_residues(rng, model.alphabet, 150);
    if (trial % 3 == 0) grid::GridAligner::sweep_both(first, longer, second, shorter);
    const auto expect_plain = [&](std::span<const std::uint8_t> residues, grid::GridAligner& aligner) {
      MatrixRule rule(model.nodes, trial % 4 == 0 ? 1 : kTooManyRows);
      MatrixRule plain_rule = rule;
      const AlignedSequence aligned = align(residues, rule, kAnyScore, aligner);
      const AlignedSequence expected = align(residues, plain_rule, kAnyScore, plain);
      EXPECT_EQ(aligned.score, expected.score);
      EXPECT_EQ(aligned.trace, expected.trace);
    };
    expect_plain(longer, first);
    expect_plain(shorter, second);
    std::ranges::reverse(shorter);
    expect_plain(shorter, first);
    expect_plain(shorter, second);
    ASSERT_FALSE(HasFailure()) << "trial " << trial << ", nodes " << model.nodes;
  }
}

}  // namespace
}  // namespace gpuhmm
