// The glocal upper bound in the striped layout, for one or two vectors of sequences side by side. For each
// vector of nodes and each row, in the re-based scores of glocal_form.hpp:
//   M = Q of the previous node, previous row + match emission
//   I = max(M + mi, I + ii) of the previous row + insert emission
//   Q = max(M, I, D + dm);  D of the next node = max(D, M)
// D from other lanes is added to Q in the next row; E of a row is the largest D at its end.
//
// kLean is for parameters with the same inserts at all nodes (stripe_glocal_bound). D + dm need not saturate
// then: D is first_d at least, from which every dm stays in range, and a D from which it does not is in E.
// Such a sum has two more ports to choose from than one that saturates.
#include "filter/simd/glocal_bound.hpp"
#include "filter/simd/kernels.hpp"
#include "simd/unrolled_loop.hpp"

#define HWY_TARGET_INCLUDE "filter/simd/glocal_bound_kernel.cpp"
#include "simd/foreach_target.hpp"
// For each instruction set:
#include "filter/simd/sweep-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::simd::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

// Each lane gets the maximum of its own value, those of the lanes below it and `below`.
template <class L, std::size_t kStep = 1>
HWY_INLINE typename L::V running_maximum(typename L::V values, typename L::V below) {
  if constexpr (kStep < L::kModelLanes) {
    return running_maximum<L, kStep * 2>(hn::Max(values, L::template up<kStep>(values, below)), below);
  } else {
    return values;
  }
}

template <bool kLean>
struct GlocalBoundKernel {
  template <class L, int kCount, class T>
  static void rows(const Sweep<T>& sweep, std::size_t first, std::size_t last) {
    using V = typename L::V;
    const typename L::D d;
    constexpr std::size_t kLanes = L::kLanes;
    constexpr std::size_t kModelLanes = L::kModelLanes;
    const std::size_t vectors = sweep.model.shape.vectors;
    const T* HWY_RESTRICT transitions = sweep.model.transitions.data();
    const V floor = hn::Set(d, sweep.model.floor);
    const V first_q = hn::Set(d, sweep.model.first_q);
    const V first_d = hn::Set(d, sweep.model.first_d);
    const V last_delete_match =
        L::model_scores(transitions + ((vectors - 1) * kBoundPlanes + kBoundDeleteMatch) * kModelLanes);
    SweepState<T>* states = sweep.workspace.states.data();

    T* HWY_RESTRICT cells[kCount];
    V best[kCount];
    V lazy_f[kCount];
    V top[kCount];  // Q of the last vector, previous row
    for (int s = 0; s < kCount; ++s) {
      cells[s] = states[s].cells.data();
      best[s] = hn::Load(d, states[s].best.data());
      lazy_f[s] = hn::Load(d, states[s].lazy_f.data());
      top[s] = hn::Max(hn::Load(d, cells[s] + (vectors - 1) * 2 * kLanes),
                       add_fitting_scores<kLean>(lazy_f[s], last_delete_match));
    }
    for (std::size_t row = first; row < last; ++row) {
      const T* emissions[kCount][L::kSequences];
      V before[kCount];
      V del[kCount];
      V inserts[kCount];
      for (int s = 0; s < kCount; ++s) {
        sweep.template find_emissions<L>(s, row, emissions[s]);
        before[s] = L::template up<1>(top[s], first_q);
        del[s] = kLean ? first_d : floor;
        if constexpr (kLean) inserts[s] = sweep.template find_inserts<L>(s, row);
      }
      const T* HWY_RESTRICT t = transitions;
      std::size_t offset = 0;
      GPUHMM_TWO_ITERATIONS_AT_ONCE
      for (std::size_t v = 0; v < vectors; ++v, t += kBoundPlanes * kModelLanes, offset += 2 * kModelLanes) {
        const V match_insert = L::model_scores(t + kBoundMatchInsert * kModelLanes);
        const V insert_insert = L::model_scores(t + kBoundInsertInsert * kModelLanes);
        const V delete_match = L::model_scores(t + kBoundDeleteMatch * kModelLanes);
        for (int s = 0; s < kCount; ++s) {
          T* HWY_RESTRICT cell = cells[s] + v * 2 * kLanes;
          const V match = add_scores(before[s], L::emissions(emissions[s], offset));
          if constexpr (!kLean) inserts[s] = L::emissions(emissions[s], offset + kModelLanes);
          const V insert = add_scores(hn::Load(d, cell + kLanes), inserts[s]);
          before[s] = hn::Max(hn::Load(d, cell), add_fitting_scores<kLean>(lazy_f[s], delete_match));
          hn::Store(hn::Max(add_scores(match, match_insert), add_scores(insert, insert_insert)), d,
                    cell + kLanes);
          top[s] = hn::Max(hn::Max(match, insert), add_fitting_scores<kLean>(del[s], delete_match));
          hn::Store(top[s], d, cell);
          del[s] = hn::Max(del[s], match);
        }
      }
      for (int s = 0; s < kCount; ++s) {
        lazy_f[s] = running_maximum<L>(L::template up<1>(del[s], first_d), first_d);
        top[s] = hn::Max(top[s], add_fitting_scores<kLean>(lazy_f[s], last_delete_match));
        best[s] = hn::Max(best[s], del[s]);
      }
    }
    for (int s = 0; s < kCount; ++s) {
      hn::Store(best[s], d, states[s].best.data());
      hn::Store(lazy_f[s], d, states[s].lazy_f.data());
    }
  }
};

template <class T>
void glocal_bound(const StripedModel<T>& model, Packing packing, SequenceGroup group, Workspace<T>& workspace,
                  std::span<T> best) {
  if constexpr (sizeof(T) == 2) {
    if (model.has_same_inserts()) {
      sweep_group<GlocalBoundKernel<true>>(model, packing, group, workspace, best);
      return;
    }
  }
  sweep_group<GlocalBoundKernel<false>>(model, packing, group, workspace, best);
}

#else  // no vectors: never called

template <class T>
void glocal_bound(const StripedModel<T>&, Packing, SequenceGroup, Workspace<T>&, std::span<T>) {}

#endif

void glocal_bound16(const StripedModel<std::int16_t>& model, Packing packing, SequenceGroup group,
                    Workspace<std::int16_t>& workspace, std::span<std::int16_t> best) {
  glocal_bound(model, packing, group, workspace, best);
}

void glocal_bound32(const StripedModel<std::int32_t>& model, Packing packing, SequenceGroup group,
                    Workspace<std::int32_t>& workspace, std::span<std::int32_t> best) {
  glocal_bound(model, packing, group, workspace, best);
}

}  // namespace gpuhmm::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm::simd {

GPUHMM_SIMD_TABLE(glocal_bound16);
GPUHMM_SIMD_TABLE(glocal_bound32);

void sweep_glocal_bound(const StripedModel<std::int16_t>& model, Packing packing, SequenceGroup group,
                        Workspace<std::int16_t>& workspace, std::span<std::int16_t> best) {
  GPUHMM_SIMD_CALL_FEW_REGISTERS(glocal_bound16)(model, packing, group, workspace, best);
}

void sweep_glocal_bound(const StripedModel<std::int32_t>& model, Packing packing, SequenceGroup group,
                        Workspace<std::int32_t>& workspace, std::span<std::int32_t> best) {
  GPUHMM_SIMD_CALL(glocal_bound32)(model, packing, group, workspace, best);
}

}  // namespace gpuhmm::simd
#endif
