// The single-hit recurrence in the striped layout, for one or two vectors of sequences side by side.
//
// For each vector of nodes and each row, with D~ from the previous nodes of the same lane:
//   M = max(Q of the previous node, previous row; entry) + match emission
//   I = max(M + mi, I + ii) of the previous row + insert emission
//   Q = max(M, I, D);  D of the next node = max(D + dd, M + md)
// A D that leaves a lane enters the next one through a max-plus scan over the lanes, after the row. If lazy-F
// is always applied, that D is added to Q in the next row; otherwise a comparison shows whether it can matter
// at all, and if so a second pass corrects Q.
//
// kDeletesFit is for models whose sums of D~ need not saturate (StripedModel::deletes_fit): such a sum has
// one or two more ports to choose from than one that saturates.
#include "filter/simd/kernels.hpp"
#include "simd/unrolled_loop.hpp"

#define HWY_TARGET_INCLUDE "filter/simd/single_hit_kernel.cpp"
#include "simd/foreach_target.hpp"
// For each instruction set:
#include "filter/simd/sweep-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::simd::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

template <LazyFRule kRule, bool kSameInserts, bool kDeletesFit>
struct SingleHitKernel {
  template <class L, int kCount, class T>
  static void rows(const Sweep<T>& sweep, std::size_t first, std::size_t last) {
    using V = typename L::V;
    const typename L::D d;
    constexpr std::size_t kLanes = L::kLanes;
    constexpr std::size_t kModelLanes = L::kModelLanes;
    constexpr bool kAlways = kRule == LazyFRule::Always;
    constexpr std::size_t kPlanes = kAlways ? kLazyF + 1 : kLazyF;
    const std::size_t vectors = sweep.model.shape.vectors;
    const T* HWY_RESTRICT transitions = sweep.model.transitions.data();
    const T* HWY_RESTRICT crossings = sweep.model.crossings.data();
    const T* last_lazy_f = transitions + ((vectors - 1) * kPlanes + kLazyF) * kModelLanes;
    const V floor = hn::Set(d, sweep.model.floor);
    const V first_d = hn::Set(d, kDeletesFit ? sweep.model.first_d : sweep.model.floor);
    SweepState<T>* states = sweep.workspace.states.data();
    std::size_t lazy_f_rows = 0;

    T* HWY_RESTRICT cells[kCount];
    V best[kCount];
    V lazy_f[kCount];
    V top[kCount];  // Q of the last vector, previous row
    for (int s = 0; s < kCount; ++s) {
      cells[s] = states[s].cells.data();
      best[s] = hn::Load(d, states[s].best.data());
      lazy_f[s] = hn::Load(d, states[s].lazy_f.data());
      top[s] = hn::Load(d, cells[s] + (vectors - 1) * 2 * kLanes);
      if constexpr (kAlways) top[s] = hn::Max(top[s], add_scores(lazy_f[s], L::model_scores(last_lazy_f)));
    }
    for (std::size_t row = first; row < last; ++row) {
      const T* emissions[kCount][L::kSequences];
      V before[kCount];
      V del[kCount];
      V inserts[kCount];
      for (int s = 0; s < kCount; ++s) {
        sweep.template find_emissions<L>(s, row, emissions[s]);
        before[s] = L::template up<1>(top[s], floor);
        del[s] = first_d;
        if constexpr (kSameInserts) inserts[s] = sweep.template find_inserts<L>(s, row);
      }
      const T* HWY_RESTRICT t = transitions;
      std::size_t offset = 0;
      GPUHMM_TWO_ITERATIONS_AT_ONCE
      for (std::size_t v = 0; v < vectors; ++v, t += kPlanes * kModelLanes, offset += 2 * kModelLanes) {
        const V entry = L::model_scores(t + kEntry * kModelLanes);
        const V match_insert = L::model_scores(t + kMatchInsert * kModelLanes);
        const V insert_insert = L::model_scores(t + kInsertInsert * kModelLanes);
        const V match_delete = L::model_scores(t + kMatchDelete * kModelLanes);
        const V delete_delete = L::model_scores(t + kDeleteDelete * kModelLanes);
        for (int s = 0; s < kCount; ++s) {
          T* HWY_RESTRICT cell = cells[s] + v * 2 * kLanes;
          const V match = add_scores(hn::Max(before[s], entry), L::emissions(emissions[s], offset));
          if constexpr (!kSameInserts) inserts[s] = L::emissions(emissions[s], offset + kModelLanes);
          const V insert = add_scores(hn::Load(d, cell + kLanes), inserts[s]);
          before[s] = hn::Load(d, cell);
          if constexpr (kAlways) {
            before[s] = hn::Max(before[s], add_scores(lazy_f[s], L::model_scores(t + kLazyF * kModelLanes)));
          }
          best[s] = hn::Max(best[s], match);
          hn::Store(hn::Max(add_scores(match, match_insert), add_scores(insert, insert_insert)), d,
                    cell + kLanes);
          top[s] = hn::Max(hn::Max(match, insert), del[s]);
          hn::Store(top[s], d, cell);
          del[s] = hn::Max(add_fitting_scores<kDeletesFit>(del[s], delete_delete),
                           add_fitting_scores<kDeletesFit>(match, match_delete));
        }
      }
      for (int s = 0; s < kCount; ++s) {
        V entering = L::template up<1>(del[s], floor);
        if constexpr (kAlways) {
          entering = scan_lanes<L>(entering, floor, crossings + kScanWeights * kModelLanes);
          lazy_f[s] = entering;
          top[s] = hn::Max(top[s], add_scores(entering, L::model_scores(last_lazy_f)));
        } else if (!hn::AllFalse(d, hn::Gt(entering, L::model_scores(crossings + kHarmless * kModelLanes)))) {
          ++lazy_f_rows;
          entering = scan_lanes<L>(entering, floor, crossings + kScanWeights * kModelLanes);
          t = transitions;
          for (std::size_t v = 0; v < vectors; ++v, t += kPlanes * kModelLanes) {
            T* HWY_RESTRICT cell = cells[s] + v * 2 * kLanes;
            top[s] = hn::Max(hn::Load(d, cell), entering);
            hn::Store(top[s], d, cell);
            // The floor is for 32 bits, where sums of impossible transitions would overflow.
            entering = hn::Max(add_scores(entering, L::model_scores(t + kDeleteDelete * kModelLanes)), floor);
          }
        }
      }
    }
    for (int s = 0; s < kCount; ++s) {
      hn::Store(best[s], d, states[s].best.data());
      hn::Store(lazy_f[s], d, states[s].lazy_f.data());
    }
    sweep.workspace.lazy_f_rows += lazy_f_rows;
  }
};

template <LazyFRule kRule, bool kDeletesFit, class T>
void single_hit_by(const StripedModel<T>& model, Packing packing, SequenceGroup group,
                   Workspace<T>& workspace, std::span<T> best) {
  if constexpr (sizeof(T) == 2) {  // 32-bit scores are exact, which the same inserts seldom are
    if (model.has_same_inserts()) {
      sweep_group<SingleHitKernel<kRule, true, kDeletesFit>>(model, packing, group, workspace, best);
      return;
    }
  }
  sweep_group<SingleHitKernel<kRule, false, kDeletesFit>>(model, packing, group, workspace, best);
}

template <class T>
void single_hit(const StripedModel<T>& model, Packing packing, LazyFRule rule, SequenceGroup group,
                Workspace<T>& workspace, std::span<T> best) {
  if (rule == LazyFRule::Always) {
    single_hit_by<LazyFRule::Always, false>(model, packing, group, workspace, best);
    return;
  }
  if constexpr (sizeof(T) == 2) {
    if (model.deletes_fit) {
      single_hit_by<LazyFRule::WhenUseful, true>(model, packing, group, workspace, best);
      return;
    }
  }
  single_hit_by<LazyFRule::WhenUseful, false>(model, packing, group, workspace, best);
}

#else  // no vectors: never called

template <class T>
void single_hit(const StripedModel<T>&, Packing, LazyFRule, SequenceGroup, Workspace<T>&, std::span<T>) {}

#endif

void single_hit16(const StripedModel<std::int16_t>& model, Packing packing, LazyFRule rule,
                  SequenceGroup group, Workspace<std::int16_t>& workspace, std::span<std::int16_t> best) {
  single_hit(model, packing, rule, group, workspace, best);
}

void single_hit32(const StripedModel<std::int32_t>& model, Packing packing, LazyFRule rule,
                  SequenceGroup group, Workspace<std::int32_t>& workspace, std::span<std::int32_t> best) {
  single_hit(model, packing, rule, group, workspace, best);
}

}  // namespace gpuhmm::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm::simd {

GPUHMM_SIMD_TABLE(single_hit16);
GPUHMM_SIMD_TABLE(single_hit32);

void sweep_single_hit(const StripedModel<std::int16_t>& model, Packing packing, LazyFRule rule,
                      SequenceGroup group, Workspace<std::int16_t>& workspace, std::span<std::int16_t> best) {
  GPUHMM_SIMD_CALL_FEW_REGISTERS(single_hit16)(model, packing, rule, group, workspace, best);
}

void sweep_single_hit(const StripedModel<std::int32_t>& model, Packing packing, LazyFRule rule,
                      SequenceGroup group, Workspace<std::int32_t>& workspace, std::span<std::int32_t> best) {
  GPUHMM_SIMD_CALL(single_hit32)(model, packing, rule, group, workspace, best);
}

}  // namespace gpuhmm::simd
#endif
