// Viterbi scores on a GPU by the fast kernels cl/gpu_*.cl: exact ones, or upper bounds with exact scores for
// all sequences that reach a threshold. What the kernels cannot prove is named and left to the caller.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "filter/opencl/gpu_variant.hpp"
#include "opencl/cl.hpp"
#include "plan7/score_model.hpp"
#include "plan7/sequence.hpp"

namespace gpuhmm {

class GpuBatch;

/// Device time of the kernels of one call, seconds by OpenCL events.
struct GpuTimes {
  double tiled = 0, packed = 0, long_sequences = 0, listed = 0;  ///< sums
  double span = 0;  ///< first start to last end, without the pauses between the phases of a call
};

/// Not thread-safe. All calls throw OpenClError (opencl/error.hpp); out-of-memory statuses mean that a
/// smaller batch may do.
class GpuViterbi {
 public:
  /// `sources`: file name -> text of the kernels; kernel_sources() unless a benchmark reads them from a
  /// folder.
  GpuViterbi(cl::Context context, cl::Device device, const GpuVariant& variant,
             const std::map<std::string, std::string>& sources);
  ~GpuViterbi();

  /// Sorts, packs (over `threads` threads) and uploads a batch, once for all models. `batch` may go
  /// afterwards.
  std::unique_ptr<GpuBatch> prepare(const SequenceBatch& batch, unsigned threads);

  /// True if the model can be scored here (fits_gpu_kernels); otherwise the general kernel must be used.
  bool supports(const ScoreModel& model) const;

  /// Writes scores[i] for every sequence of the batch that is not empty, except for those returned: their
  /// scores are not proven, the caller computes them otherwise. Without `threshold` all scores are exact.
  /// With it scores below *threshold are upper bounds, and all others exact.
  std::vector<std::uint32_t> score(const ScoreModel& model, GpuBatch& batch,
                                   std::optional<std::int32_t> threshold, std::span<std::int32_t> scores);

  /// Of the last call of score.
  const GpuTimes& times() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// A batch on the device.
class GpuBatch {
 public:
  virtual ~GpuBatch() = default;
};

}  // namespace gpuhmm
