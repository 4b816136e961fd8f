// Scores batches with the preferred engine and, when that one fails, with the next: nothing is lost.
#pragma once

#include <atomic>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <vector>

#include "filter/engine.hpp"
#include "plan7/sequence.hpp"

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

/// Engines in order of preference. The last must be one that cannot fail (host). Any number of threads may
/// call; each engine gets as many calls at a time as it takes.
class Scorer {
 public:
  /// No score is enough: all are wanted exactly.
  static constexpr std::int32_t kNeverEnough = std::numeric_limits<std::int32_t>::max();

  /// `warn` is told once of each engine that failed, in one line; `meter`, if there is one, of the cells that
  /// are scored.
  Scorer(std::vector<std::unique_ptr<ScoreEngine>> engines, std::function<void(const std::string&)> warn,
         Verification verification = {}, WorkMeter* meter = nullptr);

  /// A batch, prepared for the engines that were used on it. Refers to `batch`.
  class Batch {
   public:
    explicit Batch(const SequenceBatch& batch) : batch_(&batch) {}
    const SequenceBatch& sequences() const { return *batch_; }

   private:
    friend class Scorer;
    const SequenceBatch* batch_;
    std::mutex mutex_;  // of what follows
    std::map<const ScoreEngine*, std::unique_ptr<PreparedBatch>> prepared_;
  };

  /// As ScoreEngine::score_up_to. Scores of sequences without any path are those of the reference. Returns
  /// the engine that did it, which lives as long as this.
  const ScoreEngine& score(const ScoreModel& model, Batch& batch, std::optional<std::int32_t> threshold,
                           std::span<std::int32_t> scores, std::int32_t enough = kNeverEnough);

  /// As ScoreEngine::score_whole_bits, else like score().
  const ScoreEngine& score_whole_bits(const ScoreModel& model, Batch& batch, std::span<std::int32_t> scores);

  /// Recomputes a sample of the scores that score() gave over `threads` threads, if the engine that it
  /// returned is a device's; `exact`: without threshold. Throws WrongScore.
  void verify(const ScoreEngine& engine, const ScoreModel& model, const SequenceBatch& batch, bool exact,
              std::span<const std::int32_t> scores, unsigned threads, std::int32_t enough = kNeverEnough);

  /// The engine that the next call goes to.
  const ScoreEngine& engine() const;
  /// Of all engines together.
  EngineTimes times() const;

 private:
  struct Slot {
    explicit Slot(std::unique_ptr<ScoreEngine> own_engine)
        : engine(std::move(own_engine)), free(static_cast<std::ptrdiff_t>(engine->concurrency())) {}
    std::unique_ptr<ScoreEngine> engine;
    std::counting_semaphore<> free;  // calls that it still takes
  };

  // Calls run(engine, prepared batch) with the first engine that does not fail.
  template <class Run>
  const ScoreEngine& score_by(const ScoreModel& model, Batch& batch, std::span<std::int32_t> scores,
                              const Run& run);
  Slot& current() const;
  void fail(const Slot& slot, const EngineFailure& failure);
  std::vector<std::size_t> sample(const ScoreModel& model, const SequenceBatch& batch);

  std::vector<std::unique_ptr<Slot>> slots_;
  mutable std::mutex mutex_;  // of current_
  std::size_t current_ = 0;
  std::mutex warn_mutex_;  // of warn_; held without mutex_, since who is warned may ask for the engine
  std::function<void(const std::string&)> warn_;
  Verification verification_;
  std::atomic<unsigned> samples_ = 0;  // drawn so far: each another, the same in every run
};

}  // namespace gpuhmm
