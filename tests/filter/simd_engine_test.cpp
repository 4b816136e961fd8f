// The host SIMD engine gives the plain reference's scores for all kinds of models, sequences and instruction
// sets, and its bounds are never below them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <limits>
#include <string>

#include "filter/random_models.hpp"
#include "filter/sequence_set.hpp"
#include "filter/simd/striped_model.hpp"
#include "gpuhmm/engine.hpp"
#include "gpuhmm/profile_file.hpp"
#include "plan7/score_model.hpp"
#include "plan7/viterbi.hpp"
#include "simd/instruction_set.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;

constexpr std::int32_t kUntouched = 123456789;
constexpr std::int32_t kNoPath = kMinusInfinity / 2;

// Runs the body once for every instruction set that the kernels are compiled for and this machine has.
void for_each_target(const std::function<void()>& body) {
  for (const std::string& name : simd::instruction_sets()) {
    SCOPED_TRACE(name);
    simd::use_instruction_set(name);
    body();
  }
  simd::use_instruction_set("");
}

std::vector<std::int32_t> exact_scores(const ScoreModel& model, const SequenceBatch& batch) {
  std::vector<std::int32_t> scores(batch.size(), kUntouched);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (batch.length(i) > 0) scores[i] = viterbi_score(model, batch.residues(i));
  }
  return scores;
}

std::vector<std::int32_t> engine_scores(const ScoreModel& model, const SequenceBatch& batch,
                                        std::optional<std::int32_t> threshold, unsigned threads) {
  const auto engine = make_simd_engine(threads);
  const auto prepared = engine->prepare(batch);
  std::vector<std::int32_t> scores(batch.size(), kUntouched);
  engine->score(model, *prepared, threshold, scores);
  return scores;
}

// Thresholds at which a bound may be wrong: extreme ones, 0 bits, and some close to real scores.
std::vector<std::int32_t> thresholds_for(const std::vector<std::int32_t>& exact) {
  std::vector<std::int32_t> sorted;
  for (const std::int32_t score : exact) {
    if (score != kUntouched && score > kNoPath) sorted.push_back(score);
  }
  std::ranges::sort(sorted);
  std::vector<std::int32_t> thresholds{0, 2'000'000'000, -2'000'000'000};
  if (sorted.empty()) return thresholds;
  for (const std::size_t place :
       {std::size_t{0}, sorted.size() / 2, sorted.size() * 9 / 10, sorted.size() - 1}) {
    thresholds.push_back(sorted[place]);
    thresholds.push_back(sorted[place] + 1);
  }
  return thresholds;
}

void expect_engine_right(const ScoreModel& model, const SequenceBatch& batch) {
  const std::vector<std::int32_t> exact = exact_scores(model, batch);
  for_each_target([&] {
    const std::vector<std::int32_t> scores = engine_scores(model, batch, std::nullopt, 1);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (exact[i] > kNoPath) {  // kUntouched for an empty sequence
        ASSERT_EQ(scores[i], exact[i]) << "sequence " << i << " of " << batch.length(i) << " residues";
      } else {
        ASSERT_LT(scores[i], kNoPath) << "sequence " << i << " of " << batch.length(i) << " residues";
      }
    }
    std::vector<std::int32_t> thresholds = thresholds_for(exact);
    if (simd::vector_bytes() == 0) thresholds.resize(1);  // plain reference for all
    for (const std::int32_t threshold : thresholds) {
      const std::vector<std::int32_t> bounds = engine_scores(model, batch, threshold, 2);
      for (std::size_t i = 0; i < batch.size(); ++i) {
        if (batch.length(i) == 0) {
          ASSERT_EQ(bounds[i], kUntouched);
          continue;
        }
        if (exact[i] > kNoPath) {
          ASSERT_GE(bounds[i], exact[i]) << "sequence " << i << " threshold " << threshold;
        }
      }
    }
  });
}

void expect_random_models_right(RandomModelOptions options, std::uint64_t seed, int models, int most_nodes,
                                std::size_t sequences, std::size_t longest) {
  Generator rng(seed);
  for (int m = 0; m < models; ++m) {
    options.style = kAllStyles[m % 4];
    options.nodes = detail::between(rng, 1, most_nodes);
    options.alphabet = m % 5 == 4 ? AlphabetKind::Nucleic : AlphabetKind::Amino;
    ScoreModel model = random_model(rng, options);
    if (m % 3 > 0) even_inserts(rng, model, m % 3 == 1 ? 0 : 100);
    const SequenceBatch batch = random_batch(rng, model, sequences, 1, longest);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", model " + std::to_string(m) + ", " +
                 style_name(options.style) + ", " + std::to_string(options.nodes) + " nodes");
    expect_engine_right(model, batch);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(SimdEngine, AcceptsEmptyBatchesAndEmptySequences) {
  Generator rng(12);
  const ScoreModel model = random_model(rng, {});
  expect_engine_right(model, SequenceBatch());
  SequenceBatch batch;
  for (int i = 0; i < 3; ++i) {
    add_sequence(batch, {});
    add_sequence(batch, random_residues(rng, model.alphabet, 30));
  }
  add_sequence(batch, {});
  expect_engine_right(model, batch);
}

TEST(SimdEngine, DescribesItself) {
  simd::use_instruction_set("");
  EXPECT_EQ(make_simd_engine(1)->description(), "host SIMD " + simd::instruction_set() + ", 1 thread");
  EXPECT_EQ(make_simd_engine(3)->description(), "host SIMD " + simd::instruction_set() + ", 3 threads");
  EXPECT_EQ(make_simd_engine(1, 3)->description(), make_simd_engine(3)->description());
  EXPECT_EQ(make_simd_engine(3, 2, 3)->description(), make_simd_engine(3)->description());
  EXPECT_EQ(make_simd_engine(3, 2, 3)->preferred_batch(), make_simd_engine(3)->preferred_batch());
}

TEST(SimdEngine, ServesSeveralCallsWithSharedThreads) {
  Generator rng(8);
  const auto engine = make_simd_engine(3, 4, 3);
  EXPECT_EQ(engine->concurrency(), 4U);
  std::vector<std::future<void>> calls;
  for (int call = 0; call < 4; ++call) {
    calls.push_back(std::async(std::launch::async, [&engine, seed = rng()] {
      Generator own(seed);
      for (int m = 0; m < 4; ++m) {
        const ScoreModel model = random_model(own, {.nodes = 40, .style = kAllStyles[m]});
        const SequenceBatch batch = random_batch(own, model, 300, 1, 400);
        std::vector<std::int32_t> scores(batch.size());
        engine->score(model, *engine->prepare(batch), std::nullopt, scores);
        EXPECT_EQ(scores, exact_scores(model, batch));
      }
    }));
  }
  for (std::future<void>& call : calls) call.get();
}

TEST(SimdEngine, EqualsReferenceOnSmallRandomModels) { expect_random_models_right({}, 1, 60, 40, 25, 200); }

TEST(SimdEngine, EqualsReferenceOnMediumRandomModels) { expect_random_models_right({}, 2, 12, 500, 13, 500); }

TEST(SimdEngine, EqualsReferenceOnBatchesOfManyResidues) {
  expect_random_models_right({}, 4, 8, 40, 800, 200);
}

TEST(SimdEngine, EqualsReferenceOnLargeRandomModels) {
  Generator rng(8);
  for (const ModelStyle style : kAllStyles) {
    const ScoreModel model = random_model(rng, {.nodes = detail::between(rng, 900, 2100), .style = style});
    SCOPED_TRACE(std::string(style_name(style)) + ", " + std::to_string(model.nodes) + " nodes");
    expect_engine_right(model, random_batch(rng, model, 4, 1, 1500));
  }
}

TEST(SimdEngine, EqualsReferenceOnLongSequences) {
  Generator rng(9);
  for (const ModelStyle style : kAllStyles) {
    const ScoreModel model = random_model(rng, {.nodes = detail::between(rng, 10, 25), .style = style});
    SCOPED_TRACE(std::string(style_name(style)) + ", " + std::to_string(model.nodes) + " nodes");
    SequenceBatch batch;
    add_sequence(batch, random_residues(rng, model.alphabet, 40'000));
    add_sequence(batch, repeat_residues(rng, model, 36'000));
    add_sequence(batch, random_residues(rng, model.alphabet, 3));
    expect_engine_right(model, batch);
  }
}

// A score may be lower than the exact one if it is at least `enough`; all others are exact.
TEST(SimdEngine, GivesExactScoresBelowEnough) {
  Generator rng(12);
  int lower = 0;
  for (int m = 0; m < 40; ++m) {
    const ScoreModel model =
        random_model(rng, {.nodes = detail::between(rng, 5, 90), .style = kAllStyles[m % 4]});
    const SequenceBatch batch = random_batch(rng, model, 20, 1, 600);
    const auto engine = make_simd_engine(1);
    const auto prepared = engine->prepare(batch);
    std::vector<std::int32_t> scores(batch.size());
    for (const std::int32_t enough : {-1000, 0, 20'000, 100'000}) {
      engine->score_up_to(model, *prepared, std::nullopt, enough, scores);
      for (std::size_t i = 0; i < batch.size(); ++i) {
        const std::int32_t exact = viterbi_score(model, batch.residues(i));
        ASSERT_LE(scores[i], exact);
        ASSERT_TRUE(scores[i] == exact || scores[i] >= enough) << scores[i] << " of " << exact;
        lower += scores[i] < exact;
      }
    }
  }
  EXPECT_GT(lower, 20);
}

// Enough sequences for a trial of the lazy-F rule, and lengths that give even and uneven groups.
TEST(SimdEngine, EqualsReferenceOnLargeBatches) { expect_random_models_right({}, 11, 16, 200, 130, 150); }

// Whether 16 bits suffice for the single-hit form of the model in a shape with `lanes` lanes, without regard
// to the mark.
bool fits_exact16(const ScoreModel& model, std::size_t lanes) {
  const auto single = reduce_to_single_hit(model);
  return single && simd::stripe_exact16(model, *single, simd::LazyFRule::WhenUseful, {model.nodes, lanes},
                                        std::numeric_limits<std::int64_t>::min());
}

// A delete path that is likely at first and then costs so much that 16 bits suffice for one packing only.
// Sequences of uneven groups are packed otherwise than those of the trial.
TEST(SimdEngine, EqualsReferenceWhere16BitsSufficeForOnePackingOnly) {
  simd::use_instruction_set("");
  const std::size_t lanes = simd::vector_bytes() / sizeof(std::int16_t);
  if (lanes <= 8) GTEST_SKIP() << "a single packing on this machine";
  Generator rng(13);
  int found = 0;
  for (int trial = 0; trial < 4000 && found < 3; ++trial) {
    ScoreModel model =
        random_model(rng, {.nodes = detail::between(rng, 90, 250), .style = ModelStyle::SingleLocal});
    for (int k = 1; k < model.nodes; ++k) {
      model.dd[k] = -detail::between(rng, 1200, 2500);
      model.md[k] -= 9000;
    }
    model.md[detail::between(rng, 1, model.nodes - 1)] = -detail::between(rng, 0, 3000);
    if (!fits_exact16(model, 8) || fits_exact16(model, lanes)) continue;
    ++found;
    SCOPED_TRACE("trial " + std::to_string(trial));
    expect_engine_right(model, random_batch(rng, model, 1100, 1, 60));
    if (HasFatalFailure()) return;
  }
  EXPECT_EQ(found, 3);
}

TEST(SimdEngine, EqualsReferenceOnImpossibleTransitions) {
  expect_random_models_right({.impossible = 0.03}, 3, 60, 60, 25, 150);
  expect_random_models_right({.impossible = 0.4}, 4, 60, 30, 25, 60);
}

TEST(SimdEngine, EqualsReferenceOnTiesBetweenPaths) {
  expect_random_models_right({.coarse = true}, 5, 40, 60, 25, 150);
}

TEST(SimdEngine, EqualsReferenceOnOddSpecialTransitions) {
  expect_random_models_right({.odd_specials = true}, 6, 40, 60, 25, 150);
  expect_random_models_right({.impossible = 0.05, .odd_specials = true}, 7, 40, 60, 25, 150);
}

// The files of a folder of real profiles, sorted.
std::vector<std::string> profile_files(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

// The first sequences of a FASTA file.
SequenceBatch read_fasta(const std::string& path, std::size_t count) {
  SequenceBatch batch;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('>')) {
      if (batch.size() == count) break;
      batch.begin_sequence(line, "", "");
      continue;
    }
    for (const char c : line) batch.residue_buffer().push_back(Alphabet::get(AlphabetKind::Amino).code(c));
  }
  return batch;
}

TEST(SimdEngine, EqualsReferenceOnRealProfiles) {
  const std::string shared = std::string(GPUHMM_SHARED) + "/data";
  if (!std::filesystem::exists(shared)) GTEST_SKIP() << "no " << shared;
  Generator rng(10);
  for (const char* folder : {"/hmm/top20", "/hmm/variants", "/hmm/foreign"}) {
    for (const std::string& file : profile_files(shared + folder)) {
      ProfileReader reader(file);
      const std::optional<Profile> profile = reader.next();
      ASSERT_TRUE(profile) << file;
      const ScoreModel model(*profile);
      SCOPED_TRACE(file);
      expect_engine_right(model, random_batch(rng, model, 8, 20, 400));
    }
  }
}

TEST(SimdEngine, EqualsReferenceOnRealProfilesAndSequences) {
  const std::string shared = std::string(GPUHMM_SHARED) + "/data";
  if (!std::filesystem::exists(shared)) GTEST_SKIP() << "no " << shared;
  const SequenceBatch batch = read_fasta(shared + "/seq/sprot_1k.fasta", 200);
  ASSERT_EQ(batch.size(), 200U);
  for (const char* name : {"zf-C2H2_ls", "zf-C2H2_fs", "Acetyltransf_1_fs", "HATPase_c_fs", "HATPase_c_ls",
                           "RVT_1_ls", "adh_short_fs", "Pkinase_ls", "MFS_1_fs", "GP120_ls"}) {
    SCOPED_TRACE(name);
    expect_engine_right(ScoreModel(read_profiles(shared + "/hmm/top20/" + name + ".hmm").front()), batch);
  }
}

}  // namespace
}  // namespace gpuhmm
