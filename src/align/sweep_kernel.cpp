// The full recurrence in the striped layout, as in filter/simd/multihit_kernel.cpp, for one or two sequences
// side by side, with a record of what the tiles need.
//
// The D that cross from lane to lane join Q in the next row.
#include "filter/simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "align/sweep_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <span>

#include "align/score_grid.hpp"
#include "filter/simd/lanes-inl.hpp"
#include "plan7/arithmetic.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::grid::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

using simd::HWY_NAMESPACE::scan_lanes;
using simd::HWY_NAMESPACE::WholeVectors;

HWY_INLINE std::int64_t floored(std::int64_t score) { return std::max(score, std::int64_t{kMinusInfinity}); }

// In 64 bits, where a minus infinity can be added to what is impossible already.
HWY_INLINE SpecialScores next_specials(const simd::MultihitModel& model, const SpecialScores& last,
                                       std::int32_t e) {
  const auto sum = [](std::int64_t a, std::int64_t b) { return a + b; };
  const std::int64_t n = floored(sum(last.n, model.n_loop));
  const std::int64_t j = floored(std::max(sum(last.j, model.j_loop), sum(e, model.e_to_j)));
  const std::int64_t b = floored(std::max(n + model.n_begin, j + model.j_begin));
  const std::int64_t c = floored(std::max(sum(last.c, model.c_loop), sum(e, model.e_to_c)));
  const auto narrow = [](std::int64_t score) { return static_cast<std::int32_t>(score); };
  return {narrow(n), e, narrow(j), narrow(b), narrow(c)};
}

// Rows first + 1 .. last of kCount tracks; row `first` is recorded already.
template <int kCount>
void sweep_rows(const simd::MultihitModel& multihit, Track* const* tracks, std::size_t first,
                std::size_t last) {
  using L = WholeVectors<std::int32_t>;
  using V = L::V;
  const L::D d;
  constexpr std::size_t kLanes = L::kLanes;
  constexpr std::size_t kPlanes = simd::kMultihitPlanes;
  const simd::StripedModel<std::int32_t>& model = multihit.striped;
  const std::size_t vectors = model.shape.vectors;
  const std::size_t row_size = vectors * 2 * kLanes;
  const std::int32_t lowest_begin = static_cast<std::int32_t>(-3 * simd::kImpossible);
  const std::int32_t* HWY_RESTRICT transitions = model.transitions.data();
  const std::int32_t* last_carried = transitions + ((vectors - 1) * kPlanes + simd::kMulCarried) * kLanes;
  const V floor = hn::Set(d, model.floor);

  std::int32_t* HWY_RESTRICT cells[kCount];
  SpecialScores special[kCount];
  V carry[kCount];
  V top[kCount];  // Q of the last vector, row before
  for (int s = 0; s < kCount; ++s) {
    const ScoreGrid& grid = tracks[s]->grid;
    cells[s] = tracks[s]->cells.data();
    special[s] = grid.special(first);
    carry[s] = hn::Load(d, grid.entering(first));
    top[s] = hn::Load(d, grid.handed_on(first));
  }
  for (std::size_t row = first; row < last; ++row) {
    const std::int32_t* emissions[kCount];
    V begin[kCount];
    V before[kCount];
    V del[kCount];
    V ending[kCount];
    for (int s = 0; s < kCount; ++s) {
      Track& track = *tracks[s];
      if (row % kTileRows == 0) std::copy_n(cells[s], row_size, track.grid.kept_row(row / kTileRows));
      emissions[s] = model.emissions.data() + track.residues[row] * row_size;
      begin[s] = hn::Set(d, std::max(special[s].b, lowest_begin));
      before[s] = L::up<1>(top[s], floor);
      del[s] = floor;
      ending[s] = floor;
    }
    const std::int32_t* HWY_RESTRICT t = transitions;
    for (std::size_t v = 0; v < vectors; ++v, t += kPlanes * kLanes) {
      const auto score = [&](simd::MultihitPlane plane) { return hn::Load(d, t + plane * kLanes); };
      for (int s = 0; s < kCount; ++s) {
        std::int32_t* HWY_RESTRICT cell = cells[s] + v * 2 * kLanes;
        const std::int32_t* HWY_RESTRICT emission = emissions[s] + v * 2 * kLanes;
        const V match =
            hn::Add(hn::Max(before[s], hn::Add(begin[s], score(simd::kMulBegin))), hn::Load(d, emission));
        const V insert = hn::Add(hn::Load(d, cell + kLanes), hn::Load(d, emission + kLanes));
        before[s] = hn::Max(hn::Load(d, cell), hn::Add(carry[s], score(simd::kMulCarried)));
        ending[s] = hn::Max(ending[s], hn::Add(match, score(simd::kMulEnd)));
        hn::Store(hn::Max(hn::Add(match, score(simd::kMulMI)), hn::Add(insert, score(simd::kMulII))), d,
                  cell + kLanes);
        top[s] = hn::Max(hn::Max(hn::Add(match, score(simd::kMulMM)), hn::Add(insert, score(simd::kMulIM))),
                         hn::Add(del[s], score(simd::kMulDM)));
        hn::Store(top[s], d, cell);
        del[s] = hn::Max(hn::Add(del[s], score(simd::kMulDD)), hn::Add(match, score(simd::kMulMD)));
      }
    }
    for (int s = 0; s < kCount; ++s) {
      ScoreGrid& grid = tracks[s]->grid;
      carry[s] = scan_lanes<L>(L::up<1>(del[s], floor), floor, model.crossings.data());
      top[s] = hn::Max(top[s], hn::Add(carry[s], hn::Load(d, last_carried)));
      hn::Store(top[s], d, grid.handed_on(row + 1));
      hn::Store(carry[s], d, grid.entering(row + 1));
      hn::Store(ending[s], d, grid.leaving(row + 1));
      special[s] = next_specials(multihit, special[s], hn::GetLane(hn::MaxOfLanes(d, ending[s])));
      grid.special(row + 1) = special[s];
    }
  }
}

void sweep_tracks(const simd::MultihitModel& model, std::span<Track* const> tracks) {
  const std::size_t shorter = tracks.back()->residues.size();
  if (tracks.size() == 2) sweep_rows<2>(model, tracks.data(), 0, shorter);
  sweep_rows<1>(model, tracks.data(), tracks.size() == 2 ? shorter : 0, tracks[0]->residues.size());
}

#else  // no vectors: never called

void sweep_tracks(const simd::MultihitModel&, std::span<Track* const>) {}

#endif

}  // namespace gpuhmm::grid::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm::grid {

HWY_EXPORT(sweep_tracks);

void sweep(const GridModel& model, std::span<Track* const> tracks) {
  for (Track* track : tracks) {
    track->grid.start(model, track->residues.size());
    track->cells.reserve(track->grid.row_size());
    std::fill_n(track->cells.data(), track->grid.row_size(), model.multihit.striped.floor);
  }
  HWY_DYNAMIC_DISPATCH(sweep_tracks)(model.multihit, tracks);
  for (Track* track : tracks) {
    track->score = std::int64_t{track->grid.special(track->residues.size()).c} + model.multihit.c_end;
  }
}

}  // namespace gpuhmm::grid
#endif
