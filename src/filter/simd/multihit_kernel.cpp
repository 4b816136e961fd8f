// The full recurrence (N, B, J and C in every row) in the striped layout, for one sequence at a time. D from
// other lanes is added to Q in the next row.
#include <algorithm>

#include "filter/simd/kernels.hpp"
#include "plan7/arithmetic.hpp"
#include "simd/instruction_set.hpp"

#define HWY_TARGET_INCLUDE "filter/simd/multihit_kernel.cpp"
#include "simd/foreach_target.hpp"
// For each instruction set:
#include "filter/simd/score_vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::simd::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

// The highest of `count` values and of the lanes of `least`.
template <class L>
HWY_INLINE std::int32_t highest(const std::int32_t* cells, std::size_t count, typename L::V least) {
  const typename L::D d;
  for (std::size_t c = 0; c < count; c += L::kLanes) least = hn::Max(least, hn::Load(d, cells + c));
  return hn::GetLane(hn::MaxOfLanes(d, least));
}

template <class L>
std::optional<std::int64_t> score_by(const MultihitModel& multihit, std::span<const std::uint8_t> residues,
                                     SweepState<std::int32_t>& state) {
  using V = typename L::V;
  const typename L::D d;
  constexpr std::size_t kLanes = L::kLanes;
  const StripedModel<std::int32_t>& model = multihit.striped;
  const std::size_t vectors = model.shape.vectors;
  const std::size_t code_stride = vectors * 2 * kLanes;
  const auto clamped = [](std::int64_t score) { return std::max(score, std::int64_t{kMinusInfinity}); };

  state.cells.reserve(code_stride);
  std::int32_t* HWY_RESTRICT cells = state.cells.data();
  std::fill_n(cells, code_stride, model.floor);
  const V floor = hn::Set(d, model.floor);
  V lazy_f = floor;
  V top = floor;
  std::int64_t n = 0;
  std::int64_t b = multihit.n_begin;
  std::int64_t j = kMinusInfinity;
  std::int64_t c = kMinusInfinity;
  const bool watched = !multihit.fits(residues.size());
  auto rows_to_watch = multihit.stretch;
  for (const std::uint8_t x : residues) {
    if (watched && --rows_to_watch < 0) {
      if (std::max({std::int64_t{highest<L>(cells, code_stride, hn::Max(lazy_f, top))}, b, j, c}) >
          kHighestBetween) {
        return std::nullopt;
      }
      rows_to_watch = multihit.stretch;
    }
    const std::int32_t* HWY_RESTRICT emissions = model.emissions.data() + x * code_stride;
    const std::int32_t* HWY_RESTRICT t = model.transitions.data();
    const V begin = hn::Set(d, std::max(static_cast<std::int32_t>(b), kLowestBegin));
    V before = L::template up<1>(top, floor);
    V del = floor;
    V ending = floor;
    const auto score = [&](MultihitPlane plane) { return hn::Load(d, t + plane * kLanes); };
    for (std::size_t v = 0; v < vectors; ++v, t += kMultihitPlanes * kLanes) {
      std::int32_t* HWY_RESTRICT cell = cells + v * 2 * kLanes;
      const std::int32_t* HWY_RESTRICT emission = emissions + v * 2 * kLanes;
      const V match = hn::Add(hn::Max(before, hn::Add(begin, score(kMulBegin))), hn::Load(d, emission));
      const V insert = hn::Add(hn::Load(d, cell + kLanes), hn::Load(d, emission + kLanes));
      before = hn::Max(hn::Load(d, cell), hn::Add(lazy_f, score(kMulLazyF)));
      ending = hn::Max(ending, hn::Add(match, score(kMulEnd)));
      hn::Store(hn::Max(hn::Add(match, score(kMulMI)), hn::Add(insert, score(kMulII))), d, cell + kLanes);
      top = hn::Max(hn::Max(hn::Add(match, score(kMulMM)), hn::Add(insert, score(kMulIM))),
                    hn::Add(del, score(kMulDM)));
      hn::Store(top, d, cell);
      del = hn::Max(hn::Add(del, score(kMulDD)), hn::Add(match, score(kMulMD)));
    }
    lazy_f = scan_lanes<L>(L::template up<1>(del, floor), floor, model.crossings.data());
    const std::int32_t* last_vector = model.transitions.data() + (vectors - 1) * kMultihitPlanes * kLanes;
    top = hn::Max(top, hn::Add(lazy_f, hn::Load(d, last_vector + kMulLazyF * kLanes)));
    const std::int64_t e = hn::GetLane(hn::MaxOfLanes(d, ending));
    n = clamped(n + multihit.n_loop);
    j = clamped(std::max(j + multihit.j_loop, e + multihit.e_to_j));
    b = clamped(std::max(n + multihit.n_begin, j + multihit.j_begin));
    c = clamped(std::max(c + multihit.c_loop, e + multihit.e_to_c));
  }
  return c + multihit.c_end;
}

std::optional<std::int64_t> multihit_score(const MultihitModel& multihit,
                                           std::span<const std::uint8_t> residues,
                                           SweepState<std::int32_t>& state) {
#if HWY_TARGET == HWY_AVX3
  if (vector_bytes() == 64) return score_by<WholeVectors<std::int32_t, 64>>(multihit, residues, state);
#endif
  return score_by<WholeVectors<std::int32_t>>(multihit, residues, state);
}

#else  // no vectors: never called

std::optional<std::int64_t> multihit_score(const MultihitModel&, std::span<const std::uint8_t>,
                                           SweepState<std::int32_t>&) {
  return std::nullopt;
}

#endif

}  // namespace gpuhmm::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm::simd {

GPUHMM_SIMD_TABLE(multihit_score);

std::optional<std::int64_t> sweep_multihit(const MultihitModel& multihit,
                                           std::span<const std::uint8_t> residues,
                                           SweepState<std::int32_t>& state) {
  return GPUHMM_SIMD_CALL(multihit_score)(multihit, residues, state);
}

}  // namespace gpuhmm::simd
#endif
