// Viterbi scores on a GPU by the fast kernels cl/gpu_*.cl: exact ones, or upper bounds with exact scores for
// all sequences that reach a threshold. What the kernels cannot prove is named and left to the caller.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "filter/opencl/gpu_batch.hpp"
#include "filter/opencl/gpu_programs.hpp"
#include "filter/opencl/gpu_stream.hpp"
#include "filter/opencl/gpu_variant.hpp"
#include "opencl/open_device.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm {

/// What a call of GpuViterbi::score leaves to its caller.
struct GpuScoring {
  std::vector<std::uint32_t> unproven;  ///< sequences whose scores the caller computes otherwise
  std::size_t scored_again = 0;         ///< sequences that their bounds left open
  GpuTimes times;
};

/// Any number of threads may call; up to variant.models_at_once models are on the device at the same time,
/// more wait. All calls throw EngineFailure; if it is out_of_memory(), a smaller batch may do.
class GpuViterbi {
 public:
  /// `device` must outlive it.
  GpuViterbi(const OpenDevice& device, const GpuVariant& variant);

  /// Sorts, packs (over `threads` threads) and uploads sequences, once for all models.
  std::unique_ptr<const GpuBatch> prepare(const SequenceSet& sequences, unsigned threads) const;

  /// True if the model can be scored here (fits_gpu_kernels); otherwise the general kernel must be used.
  bool supports(const ScoreModel& model) const;

  /// Writes scores[i] for every sequence of the batch that is not empty and proven. Without `threshold` all
  /// scores are exact. With it scores below *threshold are upper bounds, and all others exact.
  GpuScoring score(const ScoreModel& model, const GpuBatch& batch, std::optional<std::int32_t> threshold,
                   std::span<std::int32_t> scores);

  /// Time in which the device ran kernels, seconds; those of several models at once are counted once.
  double busy_seconds() const;

  /// Gives work space on the device back. No call of score may be running.
  void release_memory();

 private:
  class Borrowed;
  void add_busy(const GpuTimes& times);

  const OpenDevice& device_;
  GpuVariant variant_;
  GpuPrograms programs_;
  std::vector<std::unique_ptr<GpuStream>> streams_;
  mutable std::mutex mutex_;  // of what follows
  std::condition_variable stream_free_;
  std::vector<GpuStream*> free_streams_;
  double busy_ = 0, busy_until_ = 0;
};

}  // namespace gpuhmm
