// What search() and scan() have in common for who calls them: options, the observer's interface, and totals.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "gpuhmm/engine.hpp"
#include "gpuhmm/hits.hpp"
#include "gpuhmm/progress.hpp"
#include "gpuhmm/sequence_file.hpp"

namespace gpuhmm {

/// A search that cannot be run as asked: what() is one line for people.
class SearchError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Seconds in which at least one thread was at work on a stage; stages overlap.
struct StageTimes {
  double parse = 0;      ///< reading and digitising sequences
  EngineTimes engine;    ///< the parts of `score` that the engines measure
  double score = 0;      ///< engine: packing, copying, kernels
  double rescore = 0;    ///< exact scores, tracebacks, domains
  double report = 0;     ///< making and writing the texts of results
  AlignmentTimes align;  ///< the parts of a search's `rescore`, of all threads together
};

/// Totals of a whole run.
struct SearchStatistics {
  StageTimes seconds;
  std::int64_t profiles = 0;
  std::int64_t sequences = 0;  ///< search: for each profile, empty ones not counted; scan: all
  std::int64_t residues = 0;   ///< search: for each profile
  double cells = 0;            ///< nodes x residues over all pairs
  std::string engine;          ///< description of the engine used last
};

/// Writes what was made of one result.
using ResultWriter = std::function<void()>;

/// What a run reports while it goes on. Calls come from one thread at a time but for result().
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  /// Something went wrong that did not stop the run, in one line.
  virtual void warning(const std::string& message) = 0;
  /// The last call: all results are written. Engines and batches still exist, so a program that ends here
  /// leaves it to the system to give back memory and devices, which is quicker (0.1 s for a GPU).
  virtual void finished(const SearchStatistics& /*statistics*/) {}
};

/// An observer of queries that have a result each: profiles in a search, sequences in a scan.
template <class... Result>
class ResultObserver : public RunObserver {
 public:
  /// One query is finished. Called by several threads at a time, in any order, to make what is to be written;
  /// what it returns is called in file order, one at a time, and once.
  virtual ResultWriter result(Result... result) = 0;
};

/// Options of search() and scan().
struct RunOptions {
  Thresholds thresholds;
  bool alignments = true;           ///< make alignment rows
  unsigned threads = 1;             ///< host threads for scoring and rescoring
  std::size_t batch_residues = 0;   ///< scored at a time; 0: what suits the run
  std::size_t batch_sequences = 0;  ///< likewise
  bool check_alphabet = true;       ///< warn of sequences that do not seem to be of the profiles' alphabet
  Verification verification;        ///< of scores that come from devices
  /// Makes the engines for the work ahead. Called once, perhaps by a thread of its own, or never.
  EngineSource make_engines;
  /// Engines of the caller's, used instead of new ones and kept for further runs; `verification` and the
  /// meter's cells are theirs. They must outlive the run.
  EnginePool* engines = nullptr;
  WorkMeter* meter = nullptr;  ///< counts the cells done and the part of the run, if there is one
};

/// Opens the sequence file, anew for every pass.
using SequenceOpener = std::function<std::unique_ptr<SequenceReader>(const Alphabet&)>;

}  // namespace gpuhmm
