// Scoring with fallback; see the header.
#include "search/scorer.hpp"

#include <utility>

#include "plan7/arithmetic.hpp"
#include "plan7/viterbi.hpp"

namespace gpuhmm {

Scorer::Scorer(std::vector<std::unique_ptr<ScoreEngine>> engines,
               std::function<void(const std::string&)> warn)
    : engines_(std::move(engines)), warn_(std::move(warn)) {}

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

}  // namespace gpuhmm
