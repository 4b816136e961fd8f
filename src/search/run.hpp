// The state of a search or a scan: engines, progress, totals, and the way to the observer. The two differ in
// the order of their loops: a search goes with groups of profiles past blocks of sequences, a scan with
// blocks of sequences past groups of profiles.
#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "align/batch_aligner.hpp"
#include "gpuhmm/run.hpp"
#include "search/sequence_blocks.hpp"
#include "util/in_order.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm {

/// What scoring `cells` and aligning the hits among them amounts to. How many hits there are is not known
/// before: aligning them is taken for a tenth of all.
inline WorkMeter::Amount search_amount(double cells) { return {cells, cells / 9}; }

/// When the stages of a run were at work.
struct RunClocks {
  StageClock score, rescore, report;
  AlignmentClock align;
};

/// A block of sequences and what the engines have made of it.
struct PreparedBlock : SequenceBlock {
  explicit PreparedBlock(SequenceBlock&& block) : SequenceBlock(std::move(block)), prepared(sequences) {}

  EnginePool::Batch prepared;
};

/// What a search or a scan keeps from its begin to its end.
class Run {
 public:
  /// Both must outlive this.
  Run(const RunOptions& options, RunObserver& observer);

  WorkMeter& meter() { return meter_; }

  /// Passes a warning on to the observer; any thread may call.
  void warn(const std::string& message);
  /// Warns, if that is wanted, of sequences that do not seem to be of the profiles' alphabet. `first`: those
  /// at the begin of the input `name`.
  void check_alphabet(const SequenceBatch& first, AlphabetKind profiles, const std::string& name);

  /// Starts to make the engines in a thread of their own, unless that was done before or no engine is needed
  /// (--forward). `models`: that every block is scored with, about.
  void begin_engines(const ExpectedWork& work, std::size_t models);
  /// The engines that were begun, or the caller's; null if there are none, none is needed or, without `wait`,
  /// they are not there yet. Throws what making them threw.
  EnginePool* engines(bool wait);

  /// The outer loop has come to a part of its input that ends at `end`, 0 to 1, if that is known, and the
  /// inner loop begins anew.
  void enter_outer(std::optional<double> end);
  /// The inner loop has come to a part of its input that ends at `end`, likewise, and has `cells` cells.
  void enter_inner(std::optional<double> end, double cells);

  /// Counts the sequences of the block.
  void count(const SequenceBlock& block);
  /// Completes the totals and gives them to the observer.
  SearchStatistics finish();

  RunClocks clocks;
  SearchStatistics statistics;  ///< totals so far, but for times

 private:
  friend class RunResults;
  // From where to where a part of the work goes, as fractions of the whole, if they are known.
  struct Stretch {
    std::optional<double> from, to = 0.0;

    void go_on(std::optional<double> end);
    // The place at `part`, 0 to 1, of this stretch.
    std::optional<double> at(std::optional<double> part) const;
  };

  const RunOptions& options_;
  RunObserver& observer_;
  std::mutex observer_mutex_;
  WorkMeter own_meter_;
  WorkMeter& meter_;
  Stretch outer_, inner_;
  std::unique_ptr<EnginePool> own_engines_;
  EnginePool* engines_;
  std::future<std::unique_ptr<EnginePool>> engines_to_come_;
};

/// Results of consecutive queries, made by several threads in any order, written in file order.
class RunResults {
 public:
  /// `run` must outlive this.
  RunResults(Run& run, std::size_t count);
  /// Makes result number `place` by `make` and writes all that are next. Throws what making and writing
  /// throw.
  void put(std::size_t place, const std::function<ResultWriter()>& make);

 private:
  Run& run_;
  InOrder<ResultWriter> writers_;
};

/// Arrays for the scores of a batch, used again and again.
class ScoreBuffers {
 public:
  /// `size`: sequences of the batch.
  explicit ScoreBuffers(std::size_t size) : size_(size) {}
  /// Calls use(scores) with an array that no other thread has at that time; what it holds is not defined.
  void lend(const std::function<void(std::vector<std::int32_t>& scores)>& use);

 private:
  std::size_t size_;
  std::mutex mutex_;  // of free_
  std::vector<std::vector<std::int32_t>> free_;
};

}  // namespace gpuhmm
