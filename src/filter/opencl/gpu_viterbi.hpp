// Viterbi scores on a GPU by the fast kernels cl/gpu_*.cl: exact scores, or upper bounds with exact scores
// for all sequences that reach a threshold. Sequences whose scores the kernels cannot prove are returned to
// the caller.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "filter/opencl/gpu_batch.hpp"
#include "filter/opencl/gpu_model_pairs.hpp"
#include "filter/opencl/gpu_programs.hpp"
#include "filter/opencl/gpu_stream.hpp"
#include "filter/opencl/gpu_variant.hpp"
#include "gpuhmm/engine.hpp"
#include "opencl/open_device.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm {

/// The result of GpuViterbi::score besides the scores.
struct GpuScoring {
  std::vector<std::uint32_t> unproven;  ///< sequences that the caller must score in another way
  std::size_t scored_again = 0;  ///< sequences scored exactly because their bound reached the threshold
  GpuTimes times;
};

/// Any number of threads may call; up to variant.models_at_once models are on the device at the same time,
/// others wait. All calls throw EngineFailure; if it is out_of_memory(), a smaller batch may work.
class GpuViterbi {
 public:
  /// `device` must outlive it.
  GpuViterbi(const OpenDevice& device, const GpuVariant& variant);

  /// Sorts, packs (with `threads` threads) and uploads sequences, once for all models. The first call takes
  /// the memory of the streams, too: while kernels run, drivers let that wait for them. A batch leaves its
  /// memory to the next one.
  std::shared_ptr<const GpuBatch> prepare(const SequenceSet& sequences, unsigned threads);

  /// True if the fast kernels can score the model (fits_gpu_kernels).
  bool supports(const ScoreModel& model) const;

  /// Notes the size of a model that will be scored, for prepare().
  void expect(const ScoreModel& model, bool with_threshold);

  /// Builds the programs that score() needs for the model and a large batch, with or without a threshold,
  /// unless they exist. Drivers take far longer for that while kernels run.
  void build_programs(const ScoreModel& model, bool with_threshold) const;

  /// Writes scores[i] (1/1000 bit) for every sequence of the batch that is not empty and whose score is
  /// proven. Without `threshold` all scores are exact; with it, scores below *threshold are upper bounds, and
  /// all others exact or, if `bounds_suffice`, upper bounds where this saves time. Instead of an exact score
  /// there may be a lower one that is at least `enough`.
  GpuScoring score(const ScoreModel& model, const GpuBatch& batch, std::optional<std::int32_t> threshold,
                   std::span<std::int32_t> scores, bool bounds_suffice = false,
                   std::int32_t enough = EnginePool::kNeverEnough);

  /// Time during which the device ran kernels, seconds; overlapping kernels count once.
  double busy_seconds() const;

  /// Frees working memory on the device. No call of score may be running.
  void release_memory();

 private:
  class Borrowed;
  class Spare;
  void add_busy(const GpuTimes& times);
  void take_memory(std::size_t sequences);
  void lend_results(PinnedArray<cl_uint> memory, std::size_t sequences, std::size_t long_sequences);

  const OpenDevice& device_;
  GpuVariant variant_;
  GpuPrograms programs_;
  GpuModelPairs model_pairs_;
  std::shared_ptr<Spare> spare_;        // which batches may outlive
  std::atomic<bool> prepared_ = false;  // the first batch
  PinnedArray<cl_uint> results_;        // lent to the streams
  std::vector<std::unique_ptr<GpuStream>> streams_;
  mutable std::mutex mutex_;  // protects the members below
  std::condition_variable stream_free_;
  std::vector<GpuStream*> free_streams_;
  double busy_ = 0, busy_until_ = 0;
  std::size_t edge_bytes_ = 0;  // for a sequence: the most of all models expected
};

}  // namespace gpuhmm
