// Comparison of engines on OpenCL CPU devices with the plain reference.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "filter/random_models.hpp"
#include "filter/sequence_set.hpp"
#include "gpuhmm/device.hpp"
#include "gpuhmm/engine.hpp"
#include "plan7/viterbi.hpp"

namespace gpuhmm::testing {

/// The value of all scores before an engine writes them.
inline constexpr std::int32_t kUntouched = 123456789;

inline DeviceInfo cpu_device() {
  for (const DeviceInfo& device : list_devices()) {
    if (device.type == DeviceType::Cpu) return device;
  }
  throw std::runtime_error("no OpenCL CPU device: is PoCL installed?");
}

inline std::vector<std::int32_t> scores_of(ScoreEngine& engine, const ScoreModel& model,
                                           const SequenceBatch& batch) {
  const auto prepared = engine.prepare(batch);
  std::vector<std::int32_t> scores(batch.size(), kUntouched);
  engine.score(model, *prepared, std::nullopt, scores);
  return scores;
}

inline void expect_reference(const std::vector<std::int32_t>& scores, const ScoreModel& model,
                             const SequenceBatch& batch, const std::string& what) {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (batch.length(i) == 0) {
      ASSERT_EQ(scores[i], kUntouched) << what;
      continue;
    }
    const std::int32_t expected = viterbi_score(model, batch.residues(i));
    if (expected < kMinusInfinity / 2) {
      ASSERT_LT(scores[i], kMinusInfinity / 2) << what << ", sequence " << i;
    } else {
      ASSERT_EQ(scores[i], expected) << what << ", sequence " << i << " of " << batch.length(i);
    }
  }
}

inline void compare(ScoreEngine& engine, const ScoreModel& model, const SequenceBatch& batch,
                    const std::string& what) {
  expect_reference(scores_of(engine, model, batch), model, batch, what);
}

/// A model with sequences for it.
struct RandomCase {
  ScoreModel model;
  SequenceBatch batch;
  std::string name;
};

/// A small random case: the seed chooses style, alphabet, ties, missing transitions, odd special states.
inline RandomCase random_case(std::uint64_t seed, int most_nodes, std::size_t longest) {
  Generator rng(seed);
  RandomModelOptions options;
  options.style = kAllStyles[seed % 4];
  options.alphabet = seed / 4 % 4 == 0 ? AlphabetKind::Nucleic : AlphabetKind::Amino;
  options.nodes = std::uniform_int_distribution<int>(1, most_nodes)(rng);
  options.impossible = seed % 3 == 0 ? 0.15 : 0;
  options.coarse = seed % 5 == 0;
  options.odd_specials = seed % 7 == 0;
  ScoreModel model = random_model(rng, options);
  SequenceBatch batch = random_batch(rng, model, 45, 1, longest);
  return {std::move(model), std::move(batch),
          "seed " + std::to_string(seed) + ", " + style_name(options.style) + " with " +
              std::to_string(options.nodes) + " nodes"};
}

inline void compare_random_models(ScoreEngine& engine, std::uint64_t first_seed, std::uint64_t count,
                                  int most_nodes, std::size_t longest) {
  for (std::uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
    const RandomCase random = random_case(seed, most_nodes, longest);
    compare(engine, random.model, random.batch, random.name);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

/// The plain reference, which records the lengths of the sequences that it gets.
class CountingEngine : public ScoreEngine {
 public:
  explicit CountingEngine(std::vector<std::size_t>& lengths) : lengths_(lengths) {}
  std::string description() const override { return "counting"; }
  std::unique_ptr<PreparedBatch> prepare(const SequenceSet& batch) override {
    for (std::size_t i = 0; i < batch.size(); ++i) lengths_.push_back(batch.length(i));
    return reference_->prepare(batch);
  }
  void score(const ScoreModel& model, PreparedBatch& batch, std::optional<std::int32_t> threshold,
             std::span<std::int32_t> scores) override {
    reference_->score(model, batch, threshold, scores);
  }

 private:
  std::vector<std::size_t>& lengths_;
  std::unique_ptr<ScoreEngine> reference_ = make_reference_engine(1);
};

}  // namespace gpuhmm::testing
