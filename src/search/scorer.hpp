// Scores batches with the preferred engine and, when that one fails, with the next: nothing is lost.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "filter/engine.hpp"

namespace gpuhmm {

/// Engines in order of preference. The last must be one that cannot fail (host).
class Scorer {
 public:
  /// `warn` is told once of each engine that failed, in one line.
  Scorer(std::vector<std::unique_ptr<ScoreEngine>> engines, std::function<void(const std::string&)> warn);

  /// A batch, prepared for whichever engine is in use. Refers to `batch`.
  class Batch {
   public:
    explicit Batch(const SequenceBatch& batch) : batch_(&batch) {}
    const SequenceBatch& sequences() const { return *batch_; }

   private:
    friend class Scorer;
    const SequenceBatch* batch_;
    const ScoreEngine* owner_ = nullptr;
    std::unique_ptr<PreparedBatch> prepared_;
  };

  /// As ScoreEngine::score. Scores of sequences without any path are those of the reference.
  void score(const ScoreModel& model, Batch& batch, std::optional<std::int32_t> threshold,
             std::span<std::int32_t> scores);

  /// The engine that the next batch goes to.
  const ScoreEngine& engine() const { return *engines_.front(); }

 private:
  std::vector<std::unique_ptr<ScoreEngine>> engines_;
  std::vector<std::unique_ptr<ScoreEngine>> failed_;  // prepared batches may refer to them
  std::function<void(const std::string&)> warn_;
};

}  // namespace gpuhmm
