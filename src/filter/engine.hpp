// One interface for everything that scores many sequences against a profile: the plain reference, host SIMD,
// OpenCL.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "opencl/engine_failure.hpp"
#include "util/work_meter.hpp"

namespace gpuhmm {

class SequenceSet;
struct ScoreModel;

/// Seconds that an engine has spent so far, stage by stage, and what it has done; zero where it does not
/// measure.
struct EngineTimes {
  double start = 0;               ///< opening the device, building its programs
  double pack = 0;                ///< sorting and packing of batches on the host
  double copy = 0;                ///< waiting for copies of batches to the device
  double kernels = 0;             ///< time in which the device was at work
  std::int64_t scored_again = 0;  ///< sequences that bounds left open, scored exactly

  EngineTimes& operator+=(const EngineTimes& other) {
    start += other.start;
    pack += other.pack;
    copy += other.copy;
    kernels += other.kernels;
    scored_again += other.scored_again;
    return *this;
  }
};

/// A batch in the form its engine wants: sorted, interleaved, on the device. May refer to the SequenceBatch,
/// which must outlive it.
class PreparedBatch {
 public:
  virtual ~PreparedBatch() = default;
};

/// Scores batches, spread over its own device or threads. Up to concurrency() threads may call score at the
/// same time, each with another model; everything else is for one thread.
class ScoreEngine {
 public:
  virtual ~ScoreEngine() = default;

  /// One line for people: which device, which instruction set, how many threads.
  virtual std::string description() const = 0;

  /// True if the scores come from a device or compiler that is not part of this program, so that a sample of
  /// them should be recomputed.
  virtual bool verified() const { return false; }

  /// Calls of score that may run at the same time, so that the device is never idle between them.
  virtual unsigned concurrency() const { return 1; }

  /// Residues of the smallest batch that is worth a call, where batches can be cut at will.
  virtual std::size_t least_batch() const { return 400'000; }

  /// Residues of a batch from which on larger ones are hardly faster, only larger in memory.
  virtual std::size_t preferred_batch() const { return std::size_t{256} << 20; }

  /// Cells (nodes x residues) a second, very roughly, before anything was measured.
  virtual double expected_speed() const { return 1e9; }

  /// Has the cells that score() does told to `meter` while it runs, as far as the engine can tell. It must
  /// outlive the engine; null: to none.
  virtual void count_into(WorkMeter* /*meter*/) {}

  /// May be asked at any time.
  virtual EngineTimes times() const { return {}; }

  /// Brings sequences into the engine's form, once for all profiles. Throws EngineFailure.
  virtual std::unique_ptr<PreparedBatch> prepare(const SequenceSet& sequences) = 0;

  /// Writes the raw Viterbi score S (1/1000 bit, as viterbi_score) of sequence i of the set to scores[i].
  ///
  /// Without `threshold` every score is exact. With it, scores may be upper bounds: scores[i] >= exact score
  /// always, so that no sequence with an exact score >= *threshold has scores[i] < *threshold; the caller
  /// rescores those that pass. Scores of sequences without any path (exact score below half of
  /// kMinusInfinity) only need to be below that half, too. Empty sequences are left as they are. Throws
  /// EngineFailure.
  virtual void score(const ScoreModel& model, PreparedBatch& batch, std::optional<std::int32_t> threshold,
                     std::span<std::int32_t> scores) = 0;

  /// The same, but for a sequence whose exact score is at least `enough`, any score from there up to the
  /// exact one will do: the caller will compute it anyway.
  virtual void score_up_to(const ScoreModel& model, PreparedBatch& batch,
                           std::optional<std::int32_t> threshold, std::int32_t /*enough*/,
                           std::span<std::int32_t> scores) {
    score(model, batch, threshold, scores);
  }

  /// Scores for a histogram by whole bits: as score() without threshold, but only the largest score need be
  /// exact; the others need to be below it and in the same bin (ScoreHistogram::bin_of) as the exact ones.
  virtual void score_whole_bits(const ScoreModel& model, PreparedBatch& batch,
                                std::span<std::int32_t> scores) {
    score(model, batch, std::nullopt, scores);
  }
};

/// The descriptions of several engines, in one line.
inline std::string join_descriptions(std::span<const ScoreEngine* const> engines) {
  std::string text;
  for (const ScoreEngine* engine : engines) text += (text.empty() ? "" : " + ") + engine->description();
  return text;
}

/// The plain reference (viterbi_score) over `threads` threads.
std::unique_ptr<ScoreEngine> make_reference_engine(unsigned threads);

/// Host SIMD engine, instruction set chosen at run time, for up to `calls` calls at the same time over
/// `threads` threads each.
std::unique_ptr<ScoreEngine> make_simd_engine(unsigned threads, unsigned calls = 1);

}  // namespace gpuhmm
