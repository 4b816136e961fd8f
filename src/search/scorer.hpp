// Scores batches with the preferred engine and, when that one fails, with the next: nothing is lost.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "filter/engine.hpp"

namespace gpuhmm {

/// A device gave a score that the plain reference does not: what() names the device, the sequence and both
/// scores.
class WrongScore : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How many of a device's scores are recomputed on the CPU.
struct Verification {
  /// Percent of the sequences of every batch, 0 to 100; none: a handful of short ones.
  std::optional<double> percent;
};

/// Engines in order of preference. The last must be one that cannot fail (host).
class Scorer {
 public:
  /// `warn` is told once of each engine that failed, in one line.
  Scorer(std::vector<std::unique_ptr<ScoreEngine>> engines, std::function<void(const std::string&)> warn,
         Verification verification = {});

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

  /// As ScoreEngine::score. Scores of sequences without any path are those of the reference. A sample of the
  /// scores of devices is recomputed; throws WrongScore.
  void score(const ScoreModel& model, Batch& batch, std::optional<std::int32_t> threshold,
             std::span<std::int32_t> scores);

  /// The engine that the next batch goes to.
  const ScoreEngine& engine() const { return *engines_.front(); }

 private:
  void verify(const ScoreModel& model, const SequenceBatch& batch, bool exact,
              std::span<const std::int32_t> scores);

  std::vector<std::unique_ptr<ScoreEngine>> engines_;
  std::vector<std::unique_ptr<ScoreEngine>> failed_;  // prepared batches may refer to them
  std::function<void(const std::string&)> warn_;
  Verification verification_;
  std::minstd_rand random_;  // which scores are recomputed; a fixed sequence
};

}  // namespace gpuhmm
