// Options, observer interface and totals that search() and scan() share.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "gpuhmm/engine_maker.hpp"
#include "gpuhmm/hits.hpp"
#include "gpuhmm/progress.hpp"
#include "gpuhmm/record_range.hpp"
#include "gpuhmm/sequence_file.hpp"

namespace gpuhmm {

/// A search cannot run with the given arguments. what() is one line of text.
class SearchError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A run has ended because RunOptions::stop became true.
class RunStopped : public std::runtime_error {
 public:
  RunStopped() : std::runtime_error("the run was stopped") {}
};

/// Seconds during which at least one thread worked on a stage; stages overlap.
struct StageTimes {
  double parse = 0;      ///< reading and digitising sequences
  EngineTimes engine;    ///< parts of `score`, measured by the engines
  double score = 0;      ///< in engines: packing, copying, kernels
  double rescore = 0;    ///< exact scores, tracebacks, domains
  double report = 0;     ///< formatting and writing results
  AlignmentTimes align;  ///< parts of a search's `rescore`, summed over threads
};

/// Totals of a whole run.
struct SearchStatistics {
  StageTimes seconds;
  std::int64_t profiles = 0;
  std::int64_t sequences = 0;  ///< search: once per profile, without empty ones; scan: all
  std::int64_t residues = 0;   ///< search: once per profile
  double cells = 0;            ///< nodes x residues over all pairs
  std::string engine;          ///< description of the engine used last
  /// A batch ends with the sequence that reaches one of these; those of the largest batches.
  std::size_t batch_residues = 0, batch_sequences = 0;
  std::vector<DeviceCosts> devices;  ///< what it took of each
};

/// Writes the text of one result.
using ResultWriter = std::function<void()>;

/// Receives the results and warnings of a run. One thread at a time calls it, except for result().
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  /// A problem that did not stop the run, in one line.
  virtual void warning(const std::string& message) = 0;
  /// The last call: all results are written. Batches still exist, and the engines of a scan; those of a
  /// search may still be being released. A program that exits here leaves the rest to the system, which is
  /// quicker (0.1 s for a GPU).
  virtual void finished(const SearchStatistics& /*statistics*/) {}
};

/// Observes the results of queries: profiles in a search, sequences in a scan.
template <class... Result>
class ResultObserver : public RunObserver {
 public:
  /// One query is finished. Several threads call this at a time, in any order, to format its text; the
  /// returned writer is called exactly once, in file order, one at a time.
  virtual ResultWriter result(Result... result) = 0;
};

/// Which hits the results of a run must hold. Fewer need fewer alignments where the final number of targets
/// is known early: in a prepared database, a file of one batch, a profile file of one group, at a file's end.
enum class HitsWanted {
  Registered,   ///< all that HMMER 2.3.2 registers by its provisional count: hmmsearch's report counts them
  Listed,       ///< the reported ones, and others whose names are longer than kShortNameBytes
  Reported,     ///< those that reported_hits selects
  WithDomains,  ///< those of them with a reported domain
};

/// Names up to this length do not widen the columns of hmmpfam's report.
inline constexpr std::size_t kShortNameBytes = 8;

/// Options of search() and scan().
struct RunOptions {
  Thresholds thresholds;
  bool alignments = true;                      ///< make alignment rows
  HitsWanted wanted = HitsWanted::Registered;  ///< of HMMER2 profiles; results may hold more
  /// The profiles of the file to use; those before them are read and counted. (For sequences:
  /// SequenceReader::set_range.) Results are those of the whole run as far as these profiles make them.
  RecordRange profiles;
  unsigned threads = 1;             ///< host threads for scoring and rescoring
  std::size_t batch_residues = 0;   ///< scored at a time; 0: chosen by the run
  std::size_t batch_sequences = 0;  ///< likewise
  /// A search reads a first batch of so many residues before it asks for engines, which may open meanwhile;
  /// 0: enough to choose them, and the batch grows to the size that they prefer.
  std::size_t first_residues = 0;
  bool check_alphabet = true;  ///< warn if sequences seem to be of another alphabet than the profiles
  Verification verification;   ///< of device scores
  /// Makes the engines for the expected work. Called at most once, perhaps from a separate thread.
  EngineSource make_engines;
  /// The caller's engines, used instead of new ones and kept for further runs; they use their own
  /// verification and meter. They must outlive the run.
  EnginePool* engines = nullptr;
  WorkMeter* meter = nullptr;  ///< measures the progress of the run; may be null
  /// Any thread may make it true to end the run soon, by RunStopped; it must outlive the run. May be null.
  const std::atomic<bool>* stop = nullptr;
};

/// Opens the sequence file again for each pass.
using SequenceOpener = std::function<std::unique_ptr<SequenceReader>(const Alphabet&)>;

}  // namespace gpuhmm
