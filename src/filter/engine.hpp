// One interface for everything that scores many sequences against a profile: the plain reference, host SIMD,
// OpenCL.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "plan7/score_model.hpp"
#include "plan7/sequence.hpp"

namespace gpuhmm {

/// A device that failed in the middle (out of memory, build failure, lost). The batch must be redone
/// elsewhere.
class EngineFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A batch in the form its engine wants: sorted, interleaved, on the device. Keeps what it needs of the
/// batch, but may refer to it: the SequenceBatch must outlive it.
class PreparedBatch {
 public:
  virtual ~PreparedBatch() = default;
};

/// Scores batches. An engine may be used by one thread at a time; it spreads over its own device or threads.
class ScoreEngine {
 public:
  virtual ~ScoreEngine() = default;

  /// One line for people: which device, which instruction set, how many threads.
  virtual std::string description() const = 0;

  /// True if the scores come from a device or compiler that is not part of this program, so that a sample of
  /// them should be recomputed.
  virtual bool verified() const { return false; }

  /// Brings a batch into the engine's form, once for all profiles. Throws EngineFailure.
  virtual std::unique_ptr<PreparedBatch> prepare(const SequenceBatch& batch) = 0;

  /// Writes the raw Viterbi score S (1/1000 bit, as viterbi_score) of sequence i of the batch to scores[i].
  ///
  /// Without `threshold` every score is exact. With it, scores may be upper bounds: scores[i] >= exact score
  /// always, so that no sequence with an exact score >= *threshold has scores[i] < *threshold; the caller
  /// rescores those that pass. Scores of sequences without any path (exact score below half of
  /// kMinusInfinity) only need to be below that half, too. Empty sequences are left as they are. Throws
  /// EngineFailure.
  virtual void score(const ScoreModel& model, PreparedBatch& batch, std::optional<std::int32_t> threshold,
                     std::span<std::int32_t> scores) = 0;
};

/// The plain reference (viterbi_score) over `threads` threads.
std::unique_ptr<ScoreEngine> make_reference_engine(unsigned threads);

/// Host SIMD engine over `threads` threads, instruction set chosen at run time.
std::unique_ptr<ScoreEngine> make_simd_engine(unsigned threads);

}  // namespace gpuhmm
