// The engine for CPU devices gives exact scores without a threshold and upper bounds with one, for all kinds
// of models, sequences, vector shapes and slice sizes, and leaves few sequences to the general engine.
#include "filter/opencl/cpu_engine.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>

#include "filter/engine_comparison.hpp"
#include "filter/sequence_set.hpp"
#include "filter/simd_groups.hpp"
#include "gpuhmm/profile_file.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;

constexpr std::size_t kAnyRow = std::numeric_limits<std::size_t>::max();

// Vectors of 16 and 32 bytes, of one and of two sequences.
struct Shape {
  const char* name;
  std::size_t vector_bytes, smallest_whole_row, largest_whole_row;
};
constexpr Shape kShapes[] = {
    {"32 bytes, one sequence", 32, 0, kAnyRow}, {"32 bytes, two", 32, kAnyRow, 0}, {"16 bytes", 16, 0, 0}};

CpuEngineOptions shaped(const Shape& shape) {
  CpuEngineOptions options;
  options.variant = StripedVariant{shape.vector_bytes, shape.smallest_whole_row, shape.largest_whole_row, 3};
  return options;
}

std::unique_ptr<ScoreEngine> engine_with(CpuEngineOptions options = {}) {
  return make_cpu_engine(cpu_device(), std::move(options));
}

// An engine that records the lengths of the sequences that it leaves to the general one.
std::unique_ptr<ScoreEngine> counting_engine(std::vector<std::size_t>& lengths,
                                             CpuEngineOptions options = {}) {
  options.make_general_engine = [&lengths] { return std::make_unique<CountingEngine>(lengths); };
  return engine_with(std::move(options));
}

void expect_bounds(ScoreEngine& engine, PreparedBatch& prepared, const RandomCase& random,
                   std::int32_t threshold) {
  SCOPED_TRACE(random.name + ", threshold " + std::to_string(threshold));
  std::vector<std::int32_t> scores(random.batch.size(), kUntouched);
  engine.score(random.model, prepared, threshold, scores);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const std::int32_t exact = viterbi_score(random.model, random.batch.residues(i));
    if (exact < kMinusInfinity / 2 && scores[i] < kMinusInfinity / 2) continue;
    ASSERT_GE(scores[i], exact) << "sequence " << i << " of " << random.batch.length(i);
  }
}

// Checks with thresholds that all, some and none of the sequences reach.
void expect_bounds(ScoreEngine& engine, const RandomCase& random) {
  const auto prepared = engine.prepare(random.batch);
  const std::int32_t middle = viterbi_score(random.model, random.batch.residues(random.batch.size() / 2));
  for (const std::int32_t threshold : {-900'000'000, middle, 900'000'000}) {
    expect_bounds(engine, *prepared, random, threshold);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(CpuEngine, EqualsReferenceInEveryVectorShape) {
  for (const Shape& shape : kShapes) {
    SCOPED_TRACE(shape.name);
    const auto engine = engine_with(shaped(shape));
    compare_random_models(*engine, 1, 84, 70, 120);
  }
}

TEST(CpuEngine, EqualsReferenceOnMediumRandomModels) {
  const auto engine = engine_with();
  compare_random_models(*engine, 1001, 12, 400, 500);
}

// With enough sequences for the engine to choose the lazy-F rule by a trial.
TEST(CpuEngine, EqualsReferenceUnderEitherLazyFRule) {
  const auto engine = engine_with();
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    Generator rng(seed);
    ScoreModel model =
        random_model(rng, {.nodes = detail::between(rng, 20, 150), .style = kAllStyles[seed % 4]});
    if (seed % 3 == 0) {
      for (int k = 1; k < model.nodes; ++k) model.md[k] = model.dd[k] = -detail::between(rng, 0, 200);
    }
    compare(*engine, model, random_batch(rng, model, 150, 1, 150), "seed " + std::to_string(seed));
  }
}

TEST(CpuEngine, GivesBoundsThatAreNeverBelowExactScores) {
  for (const Shape& shape : kShapes) {
    SCOPED_TRACE(shape.name);
    const auto engine = engine_with(shaped(shape));
    for (std::uint64_t seed = 1; seed <= 42; ++seed) {
      RandomCase random = random_case(seed, 70, 150);
      Generator rng(seed);
      if (seed % 2 == 0) make_glocal(rng, random.model);
      expect_bounds(*engine, random);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(CpuEngine, GivesValidBoundsWhereInsertsSaturate) {
  const auto engine = engine_with();
  Generator rng(28);
  RandomCase random{
      simd::testing::model_with_gaining_insert(rng, ModelStyle::SingleGlocal), {}, "insertions"};
  make_glocal(rng, random.model);
  simd::testing::add_insertions(rng, random.model, random.batch, 10, 60);
  const auto prepared = engine->prepare(random.batch);
  for (std::int32_t threshold = -40'000; threshold < 100'000; threshold += 10'000) {
    expect_bounds(*engine, *prepared, random, threshold);
  }
}

TEST(CpuEngine, EqualsReferenceOnLargeModels) {
  const auto engine = engine_with();
  for (const int nodes : {1000, 2100, 3000}) {
    for (const ModelStyle style : {ModelStyle::MultihitGlocal, ModelStyle::MultihitLocal}) {
      Generator rng(static_cast<std::uint64_t>(nodes));
      const ScoreModel model = random_model(rng, {.nodes = nodes, .style = style});
      compare(*engine, model, random_batch(rng, model, 18, 1, 600), std::to_string(nodes) + " nodes");
    }
  }
}

TEST(CpuEngine, EqualsReferenceOnLongSequences) {
  const auto engine = engine_with();
  for (const ModelStyle style : kAllStyles) {
    Generator rng(77);
    const ScoreModel model = random_model(rng, {.nodes = 30, .style = style});
    SequenceBatch batch = random_batch(rng, model, 20, 1, 300);
    add_sequence(batch, random_residues(rng, AlphabetKind::Amino, 40'000));
    add_sequence(batch, repeat_residues(rng, model, 36'001));
    compare(*engine, model, batch, style_name(style));
  }
}

TEST(CpuEngine, EqualsReferenceWhereScoresLeaveTheProvenRange) {
  const auto engine = engine_with();
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Generator rng(seed);
    ScoreModel model = random_model(rng, {.nodes = 12, .style = kAllStyles[seed % 4], .impossible = 0.1});
    for (int k = 1; k < model.nodes; k += 3) {
      model.mm[k] = -90'000'000 * static_cast<std::int32_t>(seed % 4 + 1);
      model.md[k] = -60'000'000;
    }
    if (seed % 2 == 0) model.c_loop = kMinusInfinity;
    compare(*engine, model, random_batch(rng, model, 30, 1, 60), "seed " + std::to_string(seed));
  }
}

// With the profiles of testdata, and some shared profiles if they are there.
TEST(CpuEngine, EqualsReferenceOnRealProfiles) {
  const auto engine = engine_with();
  int count = 0;
  for (const std::filesystem::path& folder : {std::filesystem::path(GPUHMM_TESTDATA) / "hmm",
                                              std::filesystem::path(GPUHMM_SHARED) / "data/hmm/pfam"}) {
    if (!std::filesystem::exists(folder)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() != ".hmm" || count == 20) continue;
      ++count;
      const ScoreModel model(*ProfileReader(entry.path().string()).next());
      Generator rng(static_cast<std::uint64_t>(count));
      RandomCase random{model, random_batch(rng, model, 80, 1, 300), entry.path().string()};
      compare(*engine, model, random.batch, random.name);
      expect_bounds(*engine, random);
    }
  }
  EXPECT_GT(count, 0);
}

TEST(CpuEngine, LeavesScoresOfEmptySequencesAloneAndAcceptsEmptyBatches) {
  const auto engine = engine_with();
  Generator rng(3);
  const ScoreModel model = random_model(rng, {.nodes = 8});
  SequenceBatch batch;
  compare(*engine, model, batch, "no sequence");
  add_sequence(batch, {});
  compare(*engine, model, batch, "one empty sequence");
  add_sequence(batch, random_residues(rng, AlphabetKind::Amino, 10));
  add_sequence(batch, {});
  compare(*engine, model, batch, "an empty sequence among others");
}

TEST(CpuEngine, ScoresOneBatchInSlicesWithManyModels) {
  std::vector<std::size_t> open;
  CpuEngineOptions options;
  options.slice_bytes = 9'000;
  const auto engine = counting_engine(open, std::move(options));
  Generator rng(8);
  const ScoreModel first = random_model(rng, {.nodes = 25});
  SequenceBatch batch = random_batch(rng, first, 300, 1, 200);
  add_sequence(batch, random_residues(rng, AlphabetKind::Amino, 9'001));
  add_sequence(batch, random_residues(rng, AlphabetKind::Amino, 8'999));
  const auto prepared = engine->prepare(batch);
  std::vector<std::int32_t> scores(batch.size(), kUntouched);
  for (const int nodes : {25, 3, 120, 1, 64}) {
    open.clear();
    const ScoreModel model = random_model(rng, {.nodes = nodes, .style = ModelStyle::SingleLocal});
    engine->score(model, *prepared, std::nullopt, scores);
    expect_reference(scores, model, batch, std::to_string(nodes) + " nodes");
    EXPECT_TRUE(std::ranges::count(open, 9'001U)) << "longer than a slice";
    EXPECT_LE(open.size(), 4U);
  }
}

// The striped kernels prove all usual scores, also with second hits and with any number of sequences above
// the threshold.
TEST(CpuEngine, LeavesNoUsualScoreToTheGeneralEngine) {
  Generator rng(31);
  for (const ModelStyle style : kAllStyles) {
    SCOPED_TRACE(style_name(style));
    ScoreModel model = random_model(rng, {.nodes = 120, .style = style});
    const bool glocal = style == ModelStyle::MultihitGlocal || style == ModelStyle::SingleGlocal;
    if (glocal) make_glocal(rng, model);
    std::vector<std::size_t> open;
    const auto engine = counting_engine(open);
    const SequenceBatch batch = random_batch(rng, model, 200, 50, 400);
    compare(*engine, model, batch, "exact");
    const auto prepared = engine->prepare(batch);
    std::vector<std::int32_t> scores(batch.size());
    for (const std::int32_t threshold : {-900'000'000, 0, 900'000'000}) {
      engine->score(model, *prepared, threshold, scores);
    }
    EXPECT_TRUE(open.empty()) << open.size() << " sequences";
  }
}

TEST(CpuEngine, ReportsABuildFailureAsEngineFailure) {
  const auto engine = engine_with(shaped({"12 lanes", 24, 0, kAnyRow}));
  Generator rng(1);
  const ScoreModel model = random_model(rng, {.nodes = 5});
  const SequenceBatch batch = random_batch(rng, model, 5, 10, 20);
  EXPECT_THROW(scores_of(*engine, model, batch), EngineFailure);
  DeviceInfo gone = cpu_device();
  gone.index = 1000;
  EXPECT_THROW(make_cpu_engine(gone), EngineFailure);
}

TEST(CpuEngine, DescribesItsDevice) {
  EXPECT_NE(engine_with()->description().find(cpu_device().name), std::string::npos);
}

}  // namespace
}  // namespace gpuhmm
