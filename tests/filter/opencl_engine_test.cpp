// The OpenCL engine equals the plain reference for all kinds of models, sequences, kernel shapes and memory
// sizes, and recovers from or reports device failures.
#include "filter/opencl/opencl_engine.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "filter/engine_comparison.hpp"
#include "filter/sequence_set.hpp"
#include "gpuhmm/profile_file.hpp"
#include "opencl/cl.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;

constexpr std::size_t kNeverLong = 1'000'000;
std::unique_ptr<ScoreEngine> engine_with(OpenClOptions options) {
  if (options.long_sequence == 0) options.long_sequence = kNeverLong;
  return make_opencl_engine(cpu_device(), std::move(options));
}

TEST(OpenClEngine, EqualsReferenceOnSmallRandomModels) {
  const auto engine = engine_with({});
  compare_random_models(*engine, 1, 400, 40, 120);
}

TEST(OpenClEngine, EqualsReferenceOnMediumRandomModels) {
  const auto engine = engine_with({});
  compare_random_models(*engine, 1001, 12, 400, 500);
}

TEST(OpenClEngine, EqualsReferenceInEveryKernelShape) {
  for (const auto& [lanes, rows, work_group] :
       {std::tuple{1U, 16U, 32U}, {1U, 4U, 1U}, {8U, 4U, 1U}, {8U, 8U, 4U}, {16U, 8U, 1U}}) {
    OpenClOptions options;
    options.variant = KernelVariant{lanes, rows, work_group, 0, 1};
    const auto engine = engine_with(std::move(options));
    SCOPED_TRACE(std::to_string(lanes) + " lanes, " + std::to_string(rows) + " rows");
    compare_random_models(*engine, 2001, 24, 60, 150);
  }
}

TEST(OpenClEngine, EqualsReferenceOnLargeModels) {
  const auto engine = engine_with({});
  for (const int nodes : {1000, 2100, 3000}) {
    for (const ModelStyle style : {ModelStyle::MultihitGlocal, ModelStyle::MultihitLocal}) {
      Generator rng(static_cast<std::uint64_t>(nodes));
      const ScoreModel model = random_model(rng, {.nodes = nodes, .style = style});
      compare(*engine, model, random_batch(rng, model, 18, 1, 600), std::to_string(nodes) + " nodes");
    }
  }
}

TEST(OpenClEngine, EqualsReferenceOnLongSequences) {
  const auto engine = engine_with({});
  for (const ModelStyle style : kAllStyles) {
    Generator rng(77);
    const ScoreModel model = random_model(rng, {.nodes = 30, .style = style});
    SequenceBatch batch = random_batch(rng, model, 20, 1, 300);
    add_sequence(batch, random_residues(rng, AlphabetKind::Amino, 40'000));
    add_sequence(batch, repeat_residues(rng, model, 36'001));
    compare(*engine, model, batch, style_name(style));
  }
}

TEST(OpenClEngine, EqualsReferenceWhenEveryResidueIsADomain) {
  const auto engine = engine_with({});
  for (const ModelStyle style : kAllStyles) {
    Generator rng(5);
    ScoreModel model = random_model(rng, {.nodes = 1, .style = style});
    model.n_begin = model.j_begin = -100;
    compare(*engine, model, random_batch(rng, model, 40, 1, 200), style_name(style));
  }
}

TEST(OpenClEngine, EqualsReferenceWhereScoresLeaveTheProvenRange) {
  // Finite scores far below any real ones: the device cannot distinguish them from minus infinity.
  const auto engine = engine_with({});
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

TEST(OpenClEngine, EqualsReferenceBelowTheDevicesMinusInfinity) {
  // The only path scores -450,000 bits, less than the device's own minus infinity.
  const auto engine = engine_with({});
  Generator rng(21);
  ScoreModel model = random_model(rng, {.nodes = 5, .style = ModelStyle::SingleGlocal});
  for (int k = 1; k <= model.nodes; ++k) {
    model.md[k] = model.mi[k] = kMinusInfinity;
    if (k > 1) model.begin[k] = kMinusInfinity;
    if (k < model.nodes) model.end[k] = kMinusInfinity;
  }
  model.mm[2] = -200'000'000;
  model.mm[3] = -250'000'000;
  SequenceBatch batch = random_batch(rng, model, 20, 1, 30);
  add_sequence(batch, random_residues(rng, model.alphabet, 20));
  ASSERT_GT(viterbi_score(model, batch.residues(batch.size() - 1)), kMinusInfinity / 2);
  compare(*engine, model, batch, "one deep path");
}

TEST(OpenClEngine, EqualsReferenceOnRealProfiles) {
  const std::filesystem::path folder = std::filesystem::path(GPUHMM_SHARED) / "data" / "hmm" / "pfam";
  if (!std::filesystem::exists(GPUHMM_SHARED)) GTEST_SKIP() << "no shared data";
  const auto engine = engine_with({});
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".hmm" || count == 12) continue;
    ++count;
    ProfileReader reader(entry.path().string());
    const auto profile = reader.next();
    ASSERT_TRUE(profile) << entry.path();
    const ScoreModel model(*profile);
    Generator rng(static_cast<std::uint64_t>(count));
    compare(*engine, model, random_batch(rng, model, 20, 1, 400), entry.path().string());
  }
  EXPECT_GT(count, 0);
}

TEST(OpenClEngine, LeavesScoresOfEmptySequencesAloneAndAcceptsEmptyBatches) {
  const auto engine = engine_with({});
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

TEST(OpenClEngine, ScoresOneBatchWithManyModels) {
  const auto engine = engine_with({});
  Generator rng(8);
  const ScoreModel first = random_model(rng, {.nodes = 25});
  const SequenceBatch batch = random_batch(rng, first, 60, 1, 200);
  const auto prepared = engine->prepare(batch);
  std::vector<std::int32_t> scores(batch.size(), kUntouched);
  for (const int nodes : {25, 3, 120, 1, 64}) {
    const ScoreModel model = random_model(rng, {.nodes = nodes, .style = ModelStyle::MultihitLocal});
    engine->score(model, *prepared, std::nullopt, scores);
    expect_reference(scores, model, batch, std::to_string(nodes) + " nodes");
  }
}

TEST(OpenClEngine, EqualsReferenceWithLittleMemory) {
  Generator rng(9);
  const ScoreModel model = random_model(rng, {.nodes = 50});
  const SequenceBatch batch = random_batch(rng, model, 400, 1, 300);
  for (const std::size_t budget : {std::size_t{60'000}, std::size_t{200'000}, std::size_t{2'000'000}}) {
    OpenClOptions options;
    options.memory_budget = budget;
    compare(*engine_with(std::move(options)), model, batch, std::to_string(budget) + " bytes");
  }
}

TEST(OpenClEngine, SendsEveryBatchOnceIfOneFitsAtATime) {
  Generator rng(12);
  const ScoreModel model = random_model(rng, {.nodes = 20});
  const SequenceBatch batch = random_batch(rng, model, 60, 50, 200);
  std::size_t sent = 0;
  OpenClOptions options;
  options.memory_budget = std::size_t{4} << 20;  // half of it holds less than two of the batches below
  options.sending = [&sent](std::size_t bytes) { sent += bytes; };
  SequenceBatch large;
  while (large.residue_count() < (std::size_t{5} << 18)) {
    for (std::size_t i = 0; i < batch.size(); ++i) add_sequence(large, batch.residues(i));
  }
  const auto engine = engine_with(std::move(options));
  std::vector<std::int32_t> scores(large.size());
  for (int round = 0; round < 3; ++round) {
    sent = 0;
    const auto prepared = engine->prepare(large);
    const std::size_t once = sent;
    EXPECT_GT(once, large.residue_count()) << "batch " << round;
    for (int profile = 0; profile < 2; ++profile) engine->score(model, *prepared, std::nullopt, scores);
    EXPECT_EQ(sent, once) << "batch " << round;
  }
}

TEST(OpenClEngine, GivesLongSequencesToTheHost) {
  Generator rng(10);
  const ScoreModel model = random_model(rng, {.nodes = 20, .style = ModelStyle::MultihitLocal});
  SequenceBatch batch = random_batch(rng, model, 30, 1, 200);
  for (const std::size_t length : {3000U, 201U, 2000U}) {
    add_sequence(batch, repeat_residues(rng, model, length));
  }
  std::vector<std::size_t> given;
  OpenClOptions options;
  options.long_sequence = 200;
  options.host_engine = std::make_unique<CountingEngine>(given);
  compare(*make_opencl_engine(cpu_device(), std::move(options)), model, batch, "long ones on the host");
  EXPECT_EQ(given, (std::vector<std::size_t>{3000, 2000, 201}));
}

TEST(OpenClEngine, GivesAtMostOneResidueInAHundredToTheHost) {
  Generator rng(11);
  const ScoreModel model = random_model(rng, {.nodes = 5});
  SequenceBatch batch;
  for (int i = 0; i < 2000; ++i) add_sequence(batch, random_residues(rng, AlphabetKind::Amino, 100));
  std::vector<std::size_t> given;
  for (const std::size_t length : {1500U, 90'000U}) {
    add_sequence(batch, random_residues(rng, AlphabetKind::Amino, length));
    given.clear();
    OpenClOptions options;
    options.variant = choose_variant(cpu_device());
    options.variant->long_share = 1000;
    options.host_engine = std::make_unique<CountingEngine>(given);
    compare(*make_opencl_engine(cpu_device(), std::move(options)), model, batch, "automatic");
    EXPECT_EQ(given.size(), length == 1500 ? 1U : 0U) << "90,000 residues are more than one in a hundred";
  }
}

OpenClOptions failing(std::function<int(std::size_t)> status) {
  OpenClOptions options;
  options.launch_status = std::move(status);
  return options;
}

TEST(OpenClEngine, ContinuesWithSmallerLaunchesWhenMemoryRunsOut) {
  Generator rng(12);
  const ScoreModel model = random_model(rng, {.nodes = 30});
  const SequenceBatch batch = random_batch(rng, model, 200, 1, 100);
  for (const int status : {CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_RESOURCES}) {
    std::size_t launches = 0;
    compare(*engine_with(failing([&](std::size_t launch) {
      launches = launch;
      return launch <= 2 ? status : CL_SUCCESS;
    })),
            model, batch, "two failures");
    EXPECT_EQ(launches, 3U);
  }
}

TEST(OpenClEngine, ReportsAFailureThatSmallerLaunchesDoNotPrevent) {
  Generator rng(13);
  const ScoreModel model = random_model(rng, {.nodes = 30});
  const SequenceBatch batch = random_batch(rng, model, 200, 1, 100);
  std::size_t launches = 0;
  const auto engine = engine_with(failing([&](std::size_t launch) {
    launches = launch;
    return launch <= 100 ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
  }));
  const auto prepared = engine->prepare(batch);
  std::vector<std::int32_t> scores(batch.size());
  try {
    engine->score(model, *prepared, std::nullopt, scores);
    FAIL();
  } catch (const EngineFailure& failure) {
    EXPECT_EQ(std::string(failure.what()),
              cpu_device().name + ": clEnqueueNDRangeKernel failed with CL_OUT_OF_RESOURCES");
  }
  EXPECT_GT(launches, 1U);
  EXPECT_LT(launches, 20U);
}

TEST(OpenClEngine, ReportsOtherFailuresAtOnceAndCanContinue) {
  Generator rng(14);
  const ScoreModel model = random_model(rng, {.nodes = 30});
  const SequenceBatch batch = random_batch(rng, model, 200, 1, 100);
  const auto engine =
      engine_with(failing([](std::size_t launch) { return launch == 2 ? CL_INVALID_COMMAND_QUEUE : 0; }));
  compare(*engine, model, batch, "first launch");
  EXPECT_THROW(scores_of(*engine, model, batch), EngineFailure);
  compare(*engine, model, batch, "third launch");
}

TEST(OpenClEngine, ReportsABuildFailureAsEngineFailure) {
  OpenClOptions options;
  options.variant = KernelVariant{5, 4, 1, 0, 1};
  EXPECT_THROW(engine_with(std::move(options)), EngineFailure);
  DeviceInfo gone = cpu_device();
  gone.index = 1000;
  EXPECT_THROW(make_opencl_engine(gone), EngineFailure);
}

TEST(OpenClEngine, DescribesItsDevice) {
  EXPECT_NE(engine_with({})->description().find(cpu_device().name), std::string::npos);
}

}  // namespace
}  // namespace gpuhmm
