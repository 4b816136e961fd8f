// Recomputes a sample of the scores that devices gave, so that a faulty device is found.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
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

/// What is known of scores that are to be verified.
struct ScoresToVerify {
  std::span<const std::int32_t> scores;  ///< raw, one a sequence (ScoreEngine::score)
  bool exact;                            ///< false: they may be upper bounds
  std::int32_t enough;                   ///< of ScoreEngine::score_up_to
};

/// Draws another sample for every call, the same in every run. Any number of threads may call.
class Verifier {
 public:
  explicit Verifier(Verification verification) : verification_(verification) {}

  /// Recomputes a sample of the scores that `devices` gave, over `threads` threads. Throws WrongScore.
  void verify(std::span<const ScoreEngine* const> devices, const ScoreModel& model,
              const SequenceBatch& batch, const ScoresToVerify& given, unsigned threads);

 private:
  std::vector<std::size_t> sample(const ScoreModel& model, const SequenceBatch& batch);

  Verification verification_;
  std::atomic<unsigned> samples_ = 0;  // drawn so far
};

}  // namespace gpuhmm
