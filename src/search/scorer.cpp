// Scoring with fallback; see the header.
#include "search/scorer.hpp"

#include <utility>

#include "plan7/arithmetic.hpp"
#include "plan7/viterbi.hpp"

namespace gpuhmm {

namespace {

// The default sample of a batch, of sequences that cost the reference at most this many cells.
constexpr std::size_t kHandful = 4;
constexpr double kHandfulCells = 1e6;

}  // namespace

Scorer::Scorer(std::vector<std::unique_ptr<ScoreEngine>> engines,
               std::function<void(const std::string&)> warn, Verification verification)
    : engines_(std::move(engines)), warn_(std::move(warn)), verification_(verification) {}

void Scorer::score(const ScoreModel& model, Batch& batch, std::optional<std::int32_t> threshold,
                   std::span<std::int32_t> scores) {
  for (;;) {
    ScoreEngine& engine = *engines_.front();
    try {
      if (batch.owner_ != &engine) {
        batch.prepared_.reset();
        batch.prepared_ = engine.prepare(batch.sequences());
        batch.owner_ = &engine;
      }
      engine.score(model, *batch.prepared_, threshold, scores);
      if (engine.verified()) verify(model, batch.sequences(), !threshold, scores);
      break;
    } catch (const EngineFailure& failure) {
      if (engines_.size() == 1) throw;
      warn_(std::string(failure.what()) + "; going on with " + engines_[1]->description());
      failed_.push_back(std::move(engines_.front()));
      engines_.erase(engines_.begin());
    }
  }
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const bool no_path = scores[i] < kMinusInfinity / 2 && batch.sequences().length(i) > 0;
    if (no_path) scores[i] = viterbi_score(model, batch.sequences().residues(i));
  }
}

void Scorer::verify(const ScoreModel& model, const SequenceBatch& batch, bool exact,
                    std::span<const std::int32_t> scores) {
  const auto check = [&](std::size_t i) {
    const std::int32_t expected = viterbi_score(model, batch.residues(i));
    const bool no_path = expected < kMinusInfinity / 2 && scores[i] < kMinusInfinity / 2;
    if (no_path || (exact ? scores[i] == expected : scores[i] >= expected)) return;
    throw WrongScore(engines_.front()->description() + " gave sequence " + std::string(batch[i].name) +
                     " the score " + std::to_string(scores[i]) + (exact ? "; it is " : ", below the true ") +
                     std::to_string(expected) + " (1/1000 bit). Do not use this device");
  };
  if (verification_.percent) {
    std::bernoulli_distribution chosen(*verification_.percent / 100);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (batch.length(i) > 0 && chosen(random_)) check(i);
    }
    return;
  }
  for (std::size_t n = 0; n < kHandful && !batch.empty(); ++n) {
    const std::size_t i = random_() % batch.size();
    const double cells = static_cast<double>(batch.length(i)) * model.nodes;
    if (cells > 0 && cells <= kHandfulCells) check(i);
  }
}

}  // namespace gpuhmm
