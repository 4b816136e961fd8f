// The fast GPU kernels on PoCL, with random models: exact scores equal those of the plain reference, and
// upper bounds are never below them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "filter/opencl/gpu_bound_model.hpp"
#include "filter/opencl/gpu_model.hpp"
#include "filter/opencl/gpu_viterbi.hpp"
#include "filter/random_models.hpp"
#include "filter/sequence_set.hpp"
#include "gpuhmm/device.hpp"
#include "gpuhmm/profile_file.hpp"
#include "opencl/open_device.hpp"
#include "plan7/score_model.hpp"
#include "plan7/viterbi.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;

// A shape with which small models and sequences reach all code paths.
GpuVariant small_variant(const DeviceInfo& device) {
  GpuVariant variant = choose_gpu_variant(device);
  variant.long_sequence = 700;
  variant.chains = 3;
  variant.parallel_items = 100;  // makes batches of less than 70,000 residues small
  return variant;
}

class GpuKernels : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const std::vector<DeviceInfo> devices = list_devices();
    ASSERT_FALSE(devices.empty()) << "no OpenCL device: PoCL is missing";
    device_ = std::make_unique<DeviceInfo>(devices.front());
    open_ = std::make_unique<OpenDevice>(*device_);
  }
  static void TearDownTestSuite() {
    open_.reset();
    device_.reset();
  }
  static GpuViterbi make(const GpuVariant& variant) { return {*open_, variant}; }

  // Compares every score of the batch with the reference; returns how many were not proven.
  static std::size_t check(GpuViterbi& gpu, const ScoreModel& model, const SequenceBatch& batch,
                           std::optional<std::int32_t> threshold, const std::string& what) {
    std::vector<std::int32_t> scores(batch.size(), 123456789);
    const auto prepared = gpu.prepare(batch, 2);
    const std::vector<std::uint32_t> unproven = gpu.score(model, *prepared, threshold, scores).unproven;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (std::find(unproven.begin(), unproven.end(), i) != unproven.end()) continue;
      if (batch.length(i) == 0) {
        EXPECT_EQ(scores[i], 123456789) << what << ", empty sequence " << i;
        continue;
      }
      const std::int32_t exact = viterbi_score(model, batch.residues(i));
      if (threshold && scores[i] < *threshold) {
        EXPECT_GE(scores[i], exact) << what << ", sequence " << i << " of " << batch.length(i);
      } else {
        EXPECT_EQ(scores[i], exact) << what << ", sequence " << i << " of " << batch.length(i);
      }
    }
    return unproven.size();
  }

  static std::unique_ptr<DeviceInfo> device_;
  static std::unique_ptr<OpenDevice> open_;
};

std::unique_ptr<DeviceInfo> GpuKernels::device_;
std::unique_ptr<OpenDevice> GpuKernels::open_;

std::string name_of(const RandomModelOptions& options) {
  return std::string(style_name(options.style)) + " of " + std::to_string(options.nodes) +
         (options.coarse ? ", coarse" : "") + (options.impossible > 0 ? ", impossible" : "");
}

// A random model whose bound is tight: the same insert emissions at all nodes, deletes that never gain.
ScoreModel tight_model(Generator& rng, const RandomModelOptions& options) {
  ScoreModel model = random_model(rng, options);
  for (int k = 1; k < model.nodes; ++k) {
    for (int x = 0; x < model.code_count(); ++x) {
      model.insert[static_cast<std::size_t>(x) * (model.nodes + 1) + k] = model.insert_row(x)[1];
    }
    model.md[k] = -8'000;
    model.dd[k] = -3'000;
    model.dm[k] = -200;
  }
  return model;
}

TEST_F(GpuKernels, AgreeWithTheReferenceOnRandomModels) {
  Generator rng(81);
  GpuViterbi gpu = make(small_variant(*device_));
  std::size_t unproven_of_real_models = 0;
  for (const int nodes : {1, 2, 7, 64, 65, 130}) {
    for (const ModelStyle style : kAllStyles) {
      RandomModelOptions options;
      options.nodes = nodes;
      options.style = style;
      options.alphabet = nodes % 3 == 0 ? AlphabetKind::Nucleic : AlphabetKind::Amino;
      options.coarse = nodes % 2 == 0;
      const ScoreModel model = random_model(rng, options);
      SequenceBatch batch = random_batch(rng, model, 40, 1, nodes < 30 ? 1500 : 900);
      add_sequence(batch, {});
      for (const auto threshold : {std::optional<std::int32_t>(), std::optional<std::int32_t>(-20'000),
                                   std::optional<std::int32_t>(5'000)}) {
        check(gpu, model, batch, threshold, name_of(options));
      }
      unproven_of_real_models += nodes > 1 && style == ModelStyle::SingleLocal &&
                                 check(gpu, model, batch, std::nullopt, name_of(options)) > 0;
    }
  }
  EXPECT_EQ(unproven_of_real_models, 0U) << "only long sequences with a model that has J may remain unproven";
}

TEST_F(GpuKernels, AgreeWhereManyTransitionsAreImpossible) {
  Generator rng(82);
  GpuViterbi gpu = make(small_variant(*device_));
  for (int round = 0; round < 24; ++round) {
    RandomModelOptions options;
    options.nodes = detail::between(rng, 1, 60);
    options.style = kAllStyles[round % 4];
    options.impossible = 0.05 * (1 + round % 4);
    const ScoreModel model = random_model(rng, options);
    if (!gpu.supports(model)) continue;
    const SequenceBatch batch = random_batch(rng, model, 40, 1, 800);
    check(gpu, model, batch, std::nullopt, name_of(options));
    check(gpu, model, batch, 0, name_of(options));
  }
}

TEST_F(GpuKernels, AgreeInStripsAndSeveralLaunches) {
  Generator rng(83);
  GpuVariant variant = small_variant(*device_);
  variant.exact.table_bytes = variant.packed.table_bytes = 6000;
  variant.local_bytes = 24'000;  // gpu_list.cl reads emissions from global memory
  variant.edge_bytes = 200'000;
  variant.parallel_items = 0;  // several chains in a work-group
  GpuViterbi gpu = make(variant);
  for (const int nodes : {150, 601}) {
    for (const ModelStyle style : {ModelStyle::MultihitGlocal, ModelStyle::MultihitLocal}) {
      RandomModelOptions options;
      options.nodes = nodes;
      options.style = style;
      const ScoreModel model = random_model(rng, options);
      const SequenceBatch batch = random_batch(rng, model, 70, 1, 1200);
      check(gpu, model, batch, std::nullopt, name_of(options));
      check(gpu, model, batch, 0, name_of(options));
    }
  }
}

TEST_F(GpuKernels, LeaveModelsTooLargeForTheLongKernelToTheCaller) {
  Generator rng(84);
  GpuVariant variant = small_variant(*device_);
  variant.local_bytes = 400;
  GpuViterbi gpu = make(variant);
  RandomModelOptions options;
  options.nodes = 40;
  const ScoreModel model = random_model(rng, options);
  SequenceBatch batch;
  add_sequence(batch, random_residues(rng, model.alphabet, 800));
  add_sequence(batch, random_residues(rng, model.alphabet, 100));
  EXPECT_EQ(check(gpu, model, batch, std::nullopt, "too large"), 1U);
}

TEST_F(GpuKernels, ScoreAllSequencesExactlyIfTheBoundStopsNone) {
  Generator rng(87);
  RandomModelOptions options;
  options.nodes = 12;
  const ScoreModel model = random_model(rng, options);
  const SequenceBatch batch = random_batch(rng, model, 1100, 1, 40);
  GpuViterbi gpu = make(small_variant(*device_));
  check(gpu, model, batch, -1'000'000, "all pass");
  check(gpu, model, batch, 20'000, "few pass");
  const auto prepared = gpu.prepare(batch, 1);
  std::vector<std::int32_t> scores(batch.size());
  EXPECT_GT(gpu.score(model, *prepared, -1'000'000, scores).times.tiled, 0);
  EXPECT_EQ(gpu.score(model, *prepared, 20'000, scores).times.tiled, 0);
}

// Scores that are enough need not count several hits.
TEST_F(GpuKernels, StopAtScoresThatAreEnough) {
  constexpr std::int32_t kEnough = 15'000;
  Generator rng(98);
  RandomModelOptions options;
  options.nodes = 30;
  options.style = ModelStyle::MultihitLocal;
  const ScoreModel model = tight_model(rng, options);
  const SequenceBatch batch = random_batch(rng, model, 200, 1, 1200);
  GpuViterbi gpu = make(small_variant(*device_));
  const auto prepared = gpu.prepare(batch, 2);
  std::vector<std::int32_t> scores(batch.size());
  EXPECT_TRUE(gpu.score(model, *prepared, std::nullopt, scores, false, kEnough).unproven.empty());
  int lower = 0;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const std::int32_t exact = viterbi_score(model, batch.residues(i));
    if (scores[i] == exact) continue;
    EXPECT_TRUE(scores[i] >= kEnough && scores[i] < exact) << i;
    ++lower;
  }
  EXPECT_GT(lower, 0);
}

// Where bounds suffice, short sequences that they leave open get one above all scores; long ones are scored.
TEST_F(GpuKernels, LeaveFewUndecidedSequencesToTheCaller) {
  Generator rng(97);
  RandomModelOptions options;
  options.nodes = 30;
  options.style = ModelStyle::MultihitLocal;
  const ScoreModel model = tight_model(rng, options);
  SequenceBatch batch = random_batch(rng, model, 300, 1, 1200);
  add_sequence(batch, {});
  GpuViterbi gpu = make(small_variant(*device_));
  const auto prepared = gpu.prepare(batch, 2);
  std::vector<std::int32_t> scores(batch.size()), closer(batch.size());
  const std::int32_t threshold = 0;
  const GpuScoring left = gpu.score(model, *prepared, threshold, scores, true);
  const GpuScoring scored = gpu.score(model, *prepared, threshold, closer);
  EXPECT_LT(left.scored_again, scored.scored_again);
  int higher = 0, exact_ones = 0;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (batch.length(i) == 0 || std::ranges::count(left.unproven, i) > 0) continue;
    const std::int32_t exact = viterbi_score(model, batch.residues(i));
    EXPECT_GE(scores[i], exact) << "sequence " << i << " of " << batch.length(i);
    if (exact < threshold) continue;
    EXPECT_GE(scores[i], threshold);
    ++(scores[i] > exact ? higher : exact_ones);
  }
  EXPECT_GT(higher, 0);
  EXPECT_GT(exact_ones, 0);
}

// If insertions are nearly free, the bound is tried only for few sequences.
TEST_F(GpuKernels, OmitABoundThatWouldStopFewSequences) {
  Generator rng(93);
  RandomModelOptions options;
  options.nodes = 6;
  ScoreModel model = tight_model(rng, options);
  std::fill(model.ii.begin() + 1, model.ii.end() - 1, -3'000);
  EXPECT_FALSE(GpuBoundModel(model, 0).weak);
  for (int x = 0; x < model.code_count(); ++x) {
    model.insert[static_cast<std::size_t>(x) * (model.nodes + 1) + 3] = 100;
  }
  model.ii[3] = -50;
  EXPECT_TRUE(GpuBoundModel(model, 0).weak);
  GpuViterbi gpu = make(small_variant(*device_));
  for (const std::size_t count : {100U, 21'000U}) {
    const SequenceBatch batch = random_batch(rng, model, count, 1, 12);
    const auto prepared = gpu.prepare(batch, 1);
    std::vector<std::int32_t> scores(batch.size());
    EXPECT_EQ(gpu.score(model, *prepared, 20'000, scores).times.packed > 0, count < 1000) << count;
    for (std::size_t i = 0; i < batch.size(); i += 97) {
      EXPECT_GE(scores[i], viterbi_score(model, batch.residues(i)));
    }
  }
}

// Beginning in the padding before a sequence would cost less than matching the first node; inserting there
// would gain more than padding costs.
TEST_F(GpuKernels, DoNotBeginOrInsertInThePadding) {
  Generator rng(89);
  RandomModelOptions options;
  options.nodes = 30;
  ScoreModel begins = random_model(rng, options), inserts = begins;
  std::fill(begins.begin.begin() + 2, begins.begin.end(), kMinusInfinity);
  inserts.mi[5] = 9'000;
  inserts.ii[5] = -32'000;
  for (int x = 0; x < begins.code_count(); ++x) {
    const std::size_t row = static_cast<std::size_t>(x) * (options.nodes + 1);
    begins.match[row + 1] = -31'000;
    inserts.insert[row + 5] = 0;
  }
  GpuViterbi gpu = make(small_variant(*device_));
  for (const ScoreModel& model : {begins, inserts}) {
    EXPECT_FALSE(GpuModel(model).half_words);
    check(gpu, model, random_batch(rng, model, 40, 1, 900), std::nullopt, "padding");
  }
}

// Random residues with the first `nodes` best residues of the model from `place` on.
std::vector<std::uint8_t> with_hit(Generator& rng, const ScoreModel& model, std::size_t length,
                                   std::size_t place, int nodes) {
  std::vector<std::uint8_t> residues = random_residues(rng, model.alphabet, length);
  for (int k = 1; k <= nodes; ++k) {
    std::uint8_t best = 0;
    for (int x = 1; x < Alphabet::get(model.alphabet).size(); ++x) {
      if (model.match_row(x)[k] > model.match_row(best)[k]) best = static_cast<std::uint8_t>(x);
    }
    residues[place + static_cast<std::size_t>(k) - 1] = best;
  }
  return residues;
}

// Hits at either end of long sequences, of which the packed kernel scores two at a time, one pair after the
// other.
TEST_F(GpuKernels, BoundLongSequencesInPairs) {
  Generator rng(90);
  GpuVariant variant = small_variant(*device_);
  variant.parallel_items = 0;  // no batch is small
  GpuViterbi gpu = make(variant);
  for (const int nodes : {7, 64, 150}) {  // 150: strips
    for (const ModelStyle style : {ModelStyle::SingleGlocal, ModelStyle::SingleLocal}) {
      RandomModelOptions options;
      options.nodes = nodes;
      options.style = style;
      const ScoreModel model = tight_model(rng, options);
      SequenceBatch batch;
      for (int i = 0; i < 21; ++i) {
        const std::size_t length = detail::between(rng, 701, 1600);
        const std::size_t place = i % 3 == 0 ? 0 : length - static_cast<std::size_t>(nodes);
        add_sequence(batch, with_hit(rng, model, length, place, i % 3 == 2 ? 0 : nodes));
      }
      std::vector<std::int32_t> exact;
      for (std::size_t i = 0; i < batch.size(); ++i) {
        exact.push_back(viterbi_score(model, batch.residues(i)));
      }
      const std::int32_t above_all = *std::max_element(exact.begin(), exact.end()) + 10'000;
      std::vector<std::int32_t> bounds(batch.size());
      const auto prepared = gpu.prepare(batch, 1);
      EXPECT_EQ(gpu.score(model, *prepared, above_all, bounds).scored_again, 0U) << name_of(options);
      for (std::size_t i = 0; i < batch.size(); ++i) {
        EXPECT_GE(bounds[i], exact[i]) << name_of(options) << ", sequence " << i;
        EXPECT_LE(bounds[i], exact[i] + 10'000) << name_of(options) << ", sequence " << i;
      }
    }
  }
}

// Scores far above 16 bits at the scale of a low threshold would come out below the threshold if they wrapped
// around.
TEST_F(GpuKernels, FindHitsThatExceed16Bits) {
  Generator rng(92);
  GpuVariant variant = small_variant(*device_);
  variant.parallel_items = 0;
  GpuViterbi gpu = make(variant);
  for (int round = 0; round < 60; ++round) {
    RandomModelOptions options;
    options.nodes = 4;
    options.style = ModelStyle::SingleGlocal;
    ScoreModel model = tight_model(rng, options);
    for (std::int32_t& score : model.match) score *= score > 0 ? 10 : 1;
    std::fill(model.end.begin(), model.end.end() - 1, kMinusInfinity);  // no end before the last node
    SequenceBatch batch;
    for (const std::size_t length : {4U, 40U, 701U, 800U}) {  // the last row is the only high one
      add_sequence(batch, with_hit(rng, model, length, length - 4, 4));
    }
    check(gpu, model, batch, 30'000, "strong hits");
  }
}

TEST_F(GpuKernels, RefuseUnequalLoops) {
  Generator rng(85);
  RandomModelOptions options;
  ScoreModel model = random_model(rng, options);
  EXPECT_TRUE(fits_gpu_kernels(model));
  model.n_loop = model.c_loop = model.j_loop = -3;
  EXPECT_TRUE(fits_gpu_kernels(model));
  GpuViterbi gpu = make(small_variant(*device_));
  const SequenceBatch batch = random_batch(rng, model, 40, 1, 900);
  check(gpu, model, batch, std::nullopt, "loops of -3");
  check(gpu, model, batch, 0, "loops of -3");
  model.c_loop = 0;
  EXPECT_FALSE(fits_gpu_kernels(model));
}

TEST_F(GpuKernels, GiveTightBoundsOfRealModels) {
  const std::filesystem::path folder = std::filesystem::path(GPUHMM_SHARED) / "data/hmm/top20";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is absent";
  Generator rng(86);
  GpuViterbi gpu = make(small_variant(*device_));
  for (const char* name : {"WD40_fs", "WD40_ls", "zf-C2H2_ls", "Acetyltransf_1_fs", "RVT_1_ls"}) {
    for (const Profile& profile : read_profiles((folder / (std::string(name) + ".hmm")).string())) {
      const ScoreModel model(profile);
      ASSERT_TRUE(fits_gpu_kernels(model)) << name;
      EXPECT_TRUE(GpuModel(model).half_words) << name;
      const SequenceBatch batch = random_batch(rng, model, 60, 20, 600);
      EXPECT_EQ(check(gpu, model, batch, std::nullopt, name), 0U);
      check(gpu, model, batch, 0, name);
      EXPECT_GE(GpuBoundModel(model, 0).units, 100) << name;
    }
  }
}

}  // namespace
}  // namespace gpuhmm
