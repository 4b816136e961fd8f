// Every engine gives the plain reference's scores in extreme cases: sequences of 1 to 40,000 residues, models
// of up to 3,000 nodes, long series of repeats, models whose scores exceed 16 bits, and thresholds that
// nothing or everything reaches.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "filter/opencl/gpu_engine.hpp"
#include "filter/opencl/opencl_engine.hpp"
#include "filter/random_models.hpp"
#include "filter/sequence_set.hpp"
#include "filter/simd_groups.hpp"
#include "gpuhmm/profile_file.hpp"
#include "gpuhmm/sequence_file.hpp"
#include "plan7/score_model.hpp"
#include "plan7/viterbi.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;

DeviceInfo opencl_device() {
  const std::vector<DeviceInfo> devices = list_devices();
  if (devices.empty()) throw std::runtime_error("no OpenCL device: PoCL is missing");
  return devices.front();
}

// The host engine of a device's engine; counts the sequences that it gets.
class CountingEngine : public ScoreEngine {
 public:
  explicit CountingEngine(std::size_t& count) : count_(count) {}
  std::string description() const override { return host_->description(); }
  std::unique_ptr<PreparedBatch> prepare(const SequenceSet& batch) override {
    count_ += batch.size();
    return host_->prepare(batch);
  }
  void score(const ScoreModel& model, PreparedBatch& batch, std::optional<std::int32_t> threshold,
             std::span<std::int32_t> scores) override {
    host_->score(model, batch, threshold, scores);
  }

 private:
  std::size_t& count_;
  std::unique_ptr<ScoreEngine> host_ = make_simd_engine(1);
};

enum class Kind { Simd, OpenCl, Gpu };

// Compares one engine with the reference.
class Extremes : public ::testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    auto host = std::make_unique<CountingEngine>(on_host_);
    if (GetParam() == Kind::Simd) {
      engine_ = make_simd_engine(1);
    } else if (GetParam() == Kind::OpenCl) {
      OpenClOptions options;
      options.host_engine = std::move(host);
      options.long_sequence = 1'000'000;  // none: the device gets all
      engine_ = make_opencl_engine(opencl_device(), std::move(options));
    } else {
      GpuEngineOptions options;
      options.host_engine = std::move(host);
      engine_ = make_gpu_engine(opencl_device(), std::move(options));
    }
  }

  // Compares all scores, without a threshold and with thresholds that no, half and all sequences reach.
  void compare(const ScoreModel& model, const SequenceBatch& batch, const std::string& what) {
    SCOPED_TRACE(what);
    std::vector<std::int32_t> exact(batch.size());
    for (std::size_t i = 0; i < batch.size(); ++i) exact[i] = viterbi_score(model, batch.residues(i));
    std::vector<std::int32_t> sorted = exact;
    std::ranges::sort(sorted);
    const auto prepared = engine_->prepare(batch);
    check(model, *prepared, std::nullopt, exact);
    check(model, *prepared, sorted.back() + 1, exact);
    check(model, *prepared, sorted[sorted.size() / 2], exact);
    check(model, *prepared, sorted.front(), exact);
  }

  // Sequences that the device's engine passed to the host.
  std::size_t on_host_ = 0;

 private:
  void check(const ScoreModel& model, PreparedBatch& batch, std::optional<std::int32_t> threshold,
             const std::vector<std::int32_t>& exact) {
    SCOPED_TRACE(threshold ? "threshold " + std::to_string(*threshold) : "exact");
    std::vector<std::int32_t> scores(exact.size(), 123456789);
    engine_->score(model, batch, threshold, scores);
    for (std::size_t i = 0; i < exact.size(); ++i) {
      if (threshold) {
        ASSERT_GE(scores[i], exact[i]) << "sequence " << i;
      } else {
        ASSERT_EQ(scores[i], exact[i]) << "sequence " << i;
      }
    }
  }

  std::unique_ptr<ScoreEngine> engine_;
};

INSTANTIATE_TEST_SUITE_P(Engines, Extremes, ::testing::Values(Kind::Simd, Kind::OpenCl, Kind::Gpu),
                         [](const auto& kind) {
                           return kind.param == Kind::Simd     ? "Simd"
                                  : kind.param == Kind::OpenCl ? "OpenCl"
                                                               : "Gpu";
                         });

TEST_P(Extremes, AreHandledInSequencesOf1To40000Residues) {
  Generator rng(91);
  const ScoreModel model = random_model(rng, {.nodes = 40});
  SequenceBatch batch;
  for (const std::size_t length :
       {1, 2, 3, 4, 5, 15, 16, 17, 31, 33, 63, 64, 65, 255, 257, 1023, 1999, 2001, 4097, 10'000, 40'000}) {
    add_sequence(batch, random_residues(rng, model.alphabet, length));
    if (length < 5000) add_sequence(batch, repeat_residues(rng, model, length));
  }
  compare(model, batch, "lengths");
  EXPECT_LT(on_host_, 2 * batch.size()) << "each sequence is scored four times, mostly by the device";
}

TEST_P(Extremes, AreHandledInModelsOf3000Nodes) {
  Generator rng(92);
  for (const ModelStyle style : {ModelStyle::MultihitGlocal, ModelStyle::MultihitLocal}) {
    const ScoreModel model = random_model(rng, {.nodes = 3000, .style = style});
    SequenceBatch batch;
    for (const std::size_t length : {1, 200, 1500}) {
      add_sequence(batch, random_residues(rng, model.alphabet, length));
    }
    add_sequence(batch, repeat_residues(rng, model, 3100));
    compare(model, batch, style_name(style));
  }
}

// About 350 domains in one sequence, as in titin with its fibronectin domains.
TEST_P(Extremes, AreHandledInSeriesOfRepeats) {
  Generator rng(93);
  for (const ModelStyle style : {ModelStyle::MultihitGlocal, ModelStyle::MultihitLocal}) {
    const ScoreModel model = random_model(rng, {.nodes = 84, .style = style});
    const bool glocal = style == ModelStyle::MultihitGlocal;
    SequenceBatch batch;
    for (const std::size_t length : {glocal ? 34'350 : 8000, 2500, 700, 90}) {
      add_sequence(batch, repeat_residues(rng, model, length));
    }
    add_sequence(batch, random_residues(rng, model.alphabet, 300));
    compare(model, batch, style_name(style));
  }
}

TEST_P(Extremes, AreHandledInTitinWithFibronectinDomains) {
  const std::string shared = GPUHMM_SHARED "/data";
  if (!std::filesystem::exists(shared)) GTEST_SKIP() << "no shared data";
  SequenceBatch batch;
  SequenceBatch read;
  const auto reader =
      open_sequences(shared + "/seq/long.fasta.gz", Alphabet::get(AlphabetKind::Amino), std::nullopt);
  while (reader->read(read)) {
    if (read.length(read.size() - 1) > 30'000) add_sequence(batch, read.residues(read.size() - 1));
  }
  ASSERT_GE(batch.size(), 1U);
  for (const Profile& profile : read_profiles(shared + "/hmm/variants/fn3_tut_ls.hmm")) {
    compare(ScoreModel(profile), batch, "fn3 ls");
  }
}

// Scores far above and below 16 bits: long models that match well or cannot match, and an insertion that
// gains.
TEST_P(Extremes, AreHandledInScoresBeyond16Bits) {
  Generator rng(94);
  for (const ModelStyle style : kAllStyles) {
    ScoreModel model = random_model(rng, {.nodes = 400, .style = style});
    for (int k = 1; k <= model.nodes; ++k) {
      for (int x = 0; x < model.code_count(); ++x) {
        std::int32_t& score = model.match[static_cast<std::size_t>(x) * (model.nodes + 1) + k];
        score = score > 400 ? 9000 : -9000;
      }
    }
    SequenceBatch batch;
    add_sequence(batch, simd::testing::consensus(model, 1, model.nodes));
    add_sequence(batch, simd::testing::consensus(model, 1, 7));
    for (const std::size_t length : {1, 60, 900, 2600}) {
      add_sequence(batch, random_residues(rng, model.alphabet, length));
      add_sequence(batch, repeat_residues(rng, model, length));
    }
    compare(model, batch, std::string(style_name(style)) + ", matches of 9 bits");

    const ScoreModel gaining = simd::testing::model_with_gaining_insert(rng, style);
    SequenceBatch insertions;
    for (const std::size_t length : {5, 12, 13, 14, 40, 3000, 20'000}) {
      add_sequence(insertions, std::vector<std::uint8_t>(length, 0));
      std::vector<std::uint8_t> residues = simd::testing::consensus(gaining, 1, 10);
      residues.insert(residues.end(), length, 0);
      const std::vector<std::uint8_t> rest = simd::testing::consensus(gaining, 11, 20);
      residues.insert(residues.end(), rest.begin(), rest.end());
      add_sequence(insertions, residues);
    }
    compare(gaining, insertions, std::string(style_name(style)) + ", a gaining insertion");
  }
}

}  // namespace
}  // namespace gpuhmm
