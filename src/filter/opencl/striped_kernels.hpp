// Builds and launches the striped kernels (cl/striped.cl) on a CPU device.
#pragma once

#include <cstddef>
#include <vector>

#include "filter/opencl/striped_batch.hpp"
#include "filter/opencl/variant.hpp"
#include "filter/simd/multihit.hpp"
#include "filter/simd/striped_model.hpp"
#include "opencl/queue.hpp"

namespace gpuhmm {

/// What a kernel computes: upper bounds, exact single-hit scores under either lazy-F rule, or exact multihit
/// scores.
enum class StripedSweep { GlocalBound, SingleHit, SingleHitLazyF, Multihit };

constexpr StripedSweep sweep_of(simd::LazyFRule rule) {
  return rule == simd::LazyFRule::Always ? StripedSweep::SingleHitLazyF : StripedSweep::SingleHit;
}

/// Programs are built at their first use. All calls throw EngineFailure.
class StripedKernels {
 public:
  StripedKernels(const Queue& queue, const StripedVariant& variant) : queue_(queue), variant_(variant) {}

  /// Shape for a model of `nodes` nodes and scores of type T.
  template <class T>
  simd::StripedShape shape(int nodes, simd::Packing packing) const {
    const std::size_t bytes =
        packing == simd::Packing::Chunks ? variant_.vector_bytes / 2 : variant_.vector_bytes;
    return {nodes, bytes / sizeof(T)};
  }

  /// A model's parameters on the device.
  struct Model {
    cl_int8 specials;
    cl_int4 floors;
    StripedSweep sweep;
    simd::Packing packing;
    std::size_t score_bytes, vectors;
    cl::Buffer transitions, emissions, crossings;
  };
  template <class T>
  Model upload(StripedSweep sweep, simd::Packing packing, const simd::StripedModel<T>& model) const;
  /// For Packing::Whole.
  Model upload(const simd::MultihitModel& model) const;

  /// Scores `groups` of a slice. Writes the largest M~ of each of their sequences to its element of
  /// `results`, which has one for every sequence of the slice; the others keep their values. Returns how
  /// often lazy-F needed a second pass, counted for every vector of sequences and row.
  template <class T>
  std::size_t run(const Model& model, const StripedSlice& slice, const StripedGroups& groups,
                  std::vector<T>& results) const;

 private:
  cl::Kernel kernel(const Model& model) const;

  Queue queue_;
  StripedVariant variant_;
};

}  // namespace gpuhmm
