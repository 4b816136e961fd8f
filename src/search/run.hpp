// The state that a search and a scan share: engines, progress, totals and results. The two differ in the
// order of their loops: the outer loop of a search is over groups of profiles, that of a scan over blocks of
// sequences.
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
#include "align/opencl/path_devices.hpp"
#include "gpuhmm/run.hpp"
#include "search/sequence_blocks.hpp"
#include "util/in_order.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm {

/// The amount of work of scoring `cells` cells and aligning the hits. The number of hits is not known in
/// advance: aligning them is estimated as a tenth of the total.
inline WorkMeter::Amount search_amount(double cells) { return {cells, cells / 9}; }

/// The times of the stages of a run.
struct RunClocks {
  StageClock score, rescore, report;
  AlignmentClock align;
};

/// A block of sequences, prepared for the engines.
struct PreparedBlock : SequenceBlock {
  explicit PreparedBlock(SequenceBlock&& block)
      : SequenceBlock(std::move(block)),
        prepared(std::make_unique<EnginePool::Batch>(sequences, by_length)) {}

  std::unique_ptr<EnginePool::Batch> prepared;
};

/// The state of a search or a scan from beginning to end.
class Run {
 public:
  /// Both arguments must outlive this.
  Run(const RunOptions& options, RunObserver& observer);

  WorkMeter& meter() { return meter_; }

  /// Throws RunStopped if options.stop says so. Any thread may call; the loops do for each piece of work.
  void check_stop() const;

  /// Passes a warning to the observer; any thread may call.
  void warn(const std::string& message);
  /// Warns, if options.check_alphabet, of sequences that do not seem to have the profiles' alphabet. `first`:
  /// the first sequences of the input `name`.
  void check_alphabet(const SequenceBatch& first, AlphabetKind profiles, const std::string& name);

  /// Makes the engines, unless that was done before or no engine is needed (--forward). `models`:
  /// approximately how many models every block is scored with. `opened`, unless it is empty, is called as
  /// EngineOpened and also gets the options of the pool to come.
  using Opened = std::function<void(ScoreEngine& engine, std::size_t devices, const PoolOptions& options)>;
  void make_engines(const ExpectedWork& work, std::size_t models, const Opened& opened = {});
  /// Starts to do so in another thread.
  void begin_engines(const ExpectedWork& work, std::size_t models);
  /// The engines of these two, or the caller's. Null if there are none, if none is needed or, without
  /// `wait`, if they are not ready yet. Throws any exception of making them.
  EnginePool* engines(bool wait);

  /// The devices of the engines that align hits; null if there are none, or no engines yet. One thread at a
  /// time may call. The engines must not be replaced later.
  PathDevices* path_devices();

  /// The run's own engines are not needed any more: begins to release them, the devices that align and
  /// `prepared` in another thread, once `others`, which use them, have ended. engines() is null from now on.
  void retire_engines(std::unique_ptr<EnginePool::Batch>& prepared, std::vector<std::future<void>> others);

  /// Reports progress: the outer loop has reached a part of its input that ends at the fraction `end` (0 to
  /// 1, if known), and the inner loop starts again.
  void enter_outer(std::optional<double> end);
  /// Reports progress: the inner loop has reached a part of its input that ends at the fraction `end` and has
  /// `cells` cells.
  void enter_inner(std::optional<double> end, double cells);

  /// Adds the sequences of the block to the totals.
  void count(const SequenceBlock& block);
  /// Completes the totals and passes them to the observer.
  SearchStatistics finish();

  RunClocks clocks;
  SearchStatistics statistics;  ///< totals so far, without times

 private:
  friend class RunResults;
  // A part of the work, from one fraction of the whole to another, if these are known.
  struct Interval {
    std::optional<double> from, to = 0.0;

    // Moves on to the part from `to` to `end`.
    void advance(std::optional<double> end);
    // The fraction of the whole at the fraction `part` of this interval.
    std::optional<double> at(std::optional<double> part) const;
  };

  void take_engine_totals();
  std::unique_ptr<EnginePool> made_engines(const ExpectedWork& work, std::size_t models,
                                           const Opened& opened);
  // Whether engines are needed, and were neither given, made nor begun.
  bool lacks_engines() const;

  const RunOptions& options_;
  RunObserver& observer_;
  std::mutex observer_mutex_;
  WorkMeter own_meter_;
  WorkMeter& meter_;
  Interval outer_, inner_;
  std::unique_ptr<EnginePool> own_engines_;
  EnginePool* engines_;
  std::future<std::unique_ptr<EnginePool>> engines_to_come_;
  std::unique_ptr<PathDevices> path_devices_;
  std::future<void> retiring_;
};

/// Results of consecutive queries, made by several threads in any order and written in file order.
class RunResults {
 public:
  /// `run` must outlive this.
  RunResults(Run& run, std::size_t count);
  /// Makes result number `place` by `make`, and writes all results that are next in order. Throws any
  /// exception of making and writing.
  void put(std::size_t place, const std::function<ResultWriter()>& make);

 private:
  Run& run_;
  InOrder<ResultWriter> writers_;
};

/// Reusable arrays for the scores of a batch.
class ScoreBuffers {
 public:
  /// Calls use(scores) with an array of `size` scores, the sequences of the batch, that no other thread uses
  /// at that time; its content is undefined.
  void lend(std::size_t size, const std::function<void(std::vector<std::int32_t>& scores)>& use);

 private:
  std::mutex mutex_;  // protects free_
  std::vector<std::vector<std::int32_t>> free_;
};

}  // namespace gpuhmm
