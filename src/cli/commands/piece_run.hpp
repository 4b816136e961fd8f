// Does pieces of a run: consecutive sequences with all profiles.
#pragma once

#include <chrono>
#include <optional>

#include "cli/commands/lasting_engines.hpp"
#include "cli/commands/run_context.hpp"
#include "cli/commands/shard.hpp"
#include "gpuhmm/parts.hpp"

namespace gpuhmm::cli {

/// Runs one piece after the other; devices stay open in between.
class PieceRunner {
 public:
  /// `arguments`: of the whole run. Throws FileError if its sequences are a damaged database.
  PieceRunner(const Arguments& arguments, ReportKind kind, RunFunction run_whole);

  /// The sizes of all sequences.
  RecordCensus census() const;

  /// Does a piece. `writer` gets its results and its end; those before `start` are left out.
  void run(const RecordRange& sequences, const QueryPlace& start, PartWriter& writer);

 private:
  const Arguments& arguments_;
  ReportKind kind_;
  RunFunction run_;
  RunInput sequences_;
  std::optional<LastingEngines> engines_;
  double elapsed_ = 0;  // seconds
};

/// The time that a piece takes, by the clock.
class PieceClock {
 public:
  double seconds() const;

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace gpuhmm::cli
