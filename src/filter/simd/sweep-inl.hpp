// The loop over rows that all striped kernels share; each sequence of a group leaves it when it ends.
#if defined(GPUHMM_SIMD_SWEEP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUHMM_SIMD_SWEEP_INL
#undef GPUHMM_SIMD_SWEEP_INL
#else
#define GPUHMM_SIMD_SWEEP_INL
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "filter/simd/score_vectors-inl.hpp"
#include "filter/simd/workspace.hpp"
#include "simd/instruction_set.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::simd::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

/// The input of a kernel.
template <class T>
struct Sweep {
  const StripedModel<T>& model;
  Workspace<T>& workspace;
  std::array<const std::uint8_t*, kLargestGroup> residues;

  /// Finds the emissions of a row for each sequence in one vector.
  template <class L>
  HWY_INLINE void find_emissions(std::size_t vector, std::size_t row, const T** HWY_RESTRICT rows) const {
    const std::size_t code_stride = model.shape.vectors * 2 * L::kModelLanes;
    for (std::size_t s = 0; s < L::kSequences; ++s) {
      rows[s] = model.emissions.data() + residues[vector * L::kSequences + s][row] * code_stride;
    }
  }

  /// The insert emissions of a row, if they are the same at all nodes.
  template <class L>
  HWY_INLINE typename L::V find_inserts(std::size_t vector, std::size_t row) const {
    const T* rows[L::kSequences];
    for (std::size_t s = 0; s < L::kSequences; ++s) {
      rows[s] = model.inserts.data() + residues[vector * L::kSequences + s][row] * L::kModelLanes;
    }
    return L::emissions(rows, 0);
  }
};

/// Scores a group by Kernel::rows<L, kCount>(sweep, first, last), which computes rows first .. last - 1 of
/// kCount vectors, and writes the largest M~ of each sequence to `best`.
template <class Kernel, class L, class T>
void sweep_packed(const StripedModel<T>& model, SequenceGroup group, Workspace<T>& workspace,
                  std::span<T> best) {
  for (SweepState<T>& state : workspace.states) state.start(model, L::kLanes);
  Sweep<T> sweep{model, workspace, {}};
  sweep.residues.fill(group[0].data());
  for (std::size_t s = 0; s < group.size(); ++s) sweep.residues[s] = group[s].data();
  std::size_t row = 0;
  for (std::size_t s = group.size(); s-- > 0;) {
    const std::size_t end = group[s].size();
    if (s >= L::kSequences) {
      Kernel::template rows<L, 2>(sweep, row, end);
    } else {
      Kernel::template rows<L, 1>(sweep, row, end);
    }
    row = end;
    const T* lanes = workspace.states[s / L::kSequences].best.data() + s % L::kSequences * L::kModelLanes;
    best[s] = *std::max_element(lanes, lanes + L::kModelLanes);
    // From now on the lanes of this sequence read the residues of the longest one; their results are not
    // used.
    sweep.residues[s] = group[0].data();
  }
}

/// The same for either packing. If a vector is a single chunk, both packings are the same.
template <class Kernel, std::size_t kBytes, class T>
void sweep_vectors(const StripedModel<T>& model, Packing packing, SequenceGroup group,
                   Workspace<T>& workspace, std::span<T> best) {
  if constexpr (ChunkedVectors<T, kBytes>::kSequences > 1) {
    if (packing == Packing::Chunks) {
      sweep_packed<Kernel, ChunkedVectors<T, kBytes>>(model, group, workspace, best);
      return;
    }
  }
  sweep_packed<Kernel, WholeVectors<T, kBytes>>(model, group, workspace, best);
}

/// The same for vectors of vector_bytes().
template <class Kernel, class T>
void sweep_group(const StripedModel<T>& model, Packing packing, SequenceGroup group, Workspace<T>& workspace,
                 std::span<T> best) {
#if HWY_TARGET == HWY_AVX3
  if (vector_bytes() == 64) {
    sweep_vectors<Kernel, 64>(model, packing, group, workspace, best);
    return;
  }
#endif
  sweep_vectors<Kernel, kUsualVectorBytes>(model, packing, group, workspace, best);
}

#endif  // HWY_TARGET != HWY_SCALAR

}  // namespace gpuhmm::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
