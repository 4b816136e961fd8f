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

using L = WholeVectors<std::int32_t>;
using V = L::V;
constexpr std::size_t kPlanes = simd::kMultihitPlanes;

// One track within the sweep. Of this there is one local variable a track, not an array, so that the vectors
// stay in registers.
class TrackSweep {
 public:
  // Goes on after row `row`, which is recorded.
  HWY_INLINE TrackSweep(const simd::MultihitModel& model, Track& track, std::size_t row)
      : model_(model), track_(track), cells_(track.cells.data()), special_(track.grid.special(row)) {
    const L::D d;
    carry_ = hn::Load(d, track.grid.entering(row));
    top_ = hn::Load(d, track.grid.handed_on(row));
    floor_ = hn::Set(d, model.striped.floor);
  }

  // Prepares row `row` + 1.
  HWY_INLINE void start_row(std::size_t row) {
    const std::size_t size = track_.grid.row_size();
    if (row % kTileRows == 0) std::copy_n(cells_, size, track_.grid.kept_row(row / kTileRows));
    emissions_ = model_.striped.emissions.data() + track_.residues[row] * size;
    constexpr auto kLowestBegin = static_cast<std::int32_t>(-3 * simd::kImpossible);
    begin_ = hn::Set(L::D(), std::max(special_.b, kLowestBegin));
    before_ = L::up<1>(top_, floor_);
    del_ = floor_;
    ending_ = floor_;
  }

  // The parts of a step to the next vector of nodes, at `offset` of the row. Each takes one or two planes of
  // transition scores, so that these are loaded once for all tracks.
  HWY_INLINE void emit(V into, std::size_t offset) {
    const L::D d;
    match_ = hn::Add(hn::Max(before_, hn::Add(begin_, into)), hn::Load(d, emissions_ + offset));
    insert_ = hn::Add(hn::Load(d, cells_ + offset + L::kLanes), hn::Load(d, emissions_ + offset + L::kLanes));
  }
  HWY_INLINE void take_before(V carried, std::size_t offset) {
    before_ = hn::Max(hn::Load(L::D(), cells_ + offset), hn::Add(carry_, carried));
  }
  HWY_INLINE void leave(V end) { ending_ = hn::Max(ending_, hn::Add(match_, end)); }
  HWY_INLINE void open_insert(V mi) { opened_ = hn::Add(match_, mi); }
  HWY_INLINE void extend_insert(V ii, std::size_t offset) {
    hn::Store(hn::Max(opened_, hn::Add(insert_, ii)), L::D(), cells_ + offset + L::kLanes);
  }
  HWY_INLINE void hand_on_match(V mm) { top_ = hn::Add(match_, mm); }
  HWY_INLINE void hand_on_insert(V im) { top_ = hn::Max(top_, hn::Add(insert_, im)); }
  HWY_INLINE void hand_on_delete(V dm, std::size_t offset) {
    top_ = hn::Max(top_, hn::Add(del_, dm));
    hn::Store(top_, L::D(), cells_ + offset);
  }
  HWY_INLINE void extend_delete(V dd) { del_ = hn::Add(del_, dd); }
  HWY_INLINE void open_delete(V md) { del_ = hn::Max(del_, hn::Add(match_, md)); }

  // Ends and records row `row`; `last_carried`: scores of the last vector.
  HWY_INLINE void end_row(std::size_t row, const std::int32_t* last_carried) {
    const L::D d;
    carry_ = scan_lanes<L>(L::up<1>(del_, floor_), floor_, model_.striped.crossings.data());
    top_ = hn::Max(top_, hn::Add(carry_, hn::Load(d, last_carried)));
    hn::Store(top_, d, track_.grid.handed_on(row));
    hn::Store(carry_, d, track_.grid.entering(row));
    hn::Store(ending_, d, track_.grid.leaving(row));
    special_ = next_specials(model_, special_, hn::GetLane(hn::MaxOfLanes(d, ending_)));
    track_.grid.special(row) = special_;
  }

 private:
  const simd::MultihitModel& model_;
  Track& track_;
  std::int32_t* HWY_RESTRICT cells_;
  const std::int32_t* HWY_RESTRICT emissions_ = nullptr;
  SpecialScores special_;
  V carry_, top_;  // D that enters each lane, and Q of the last vector
  V floor_, begin_, before_, del_, ending_;
  V match_, insert_, opened_;  // of the current vector
};

// The next vector of nodes, at `offset` of the row, with its transition scores `t`.
template <class... Tracks>
HWY_INLINE void step(const std::int32_t* HWY_RESTRICT t, std::size_t offset, Tracks&... tracks) {
  const auto score = [&](simd::MultihitPlane plane) { return hn::Load(L::D(), t + plane * L::kLanes); };
  const auto each = [&](auto plane_of, auto part) { (part(tracks, plane_of), ...); };
  each(score(simd::kMulBegin), [&](auto& track, V s) { track.emit(s, offset); });
  each(score(simd::kMulCarried), [&](auto& track, V s) { track.take_before(s, offset); });
  each(score(simd::kMulEnd), [&](auto& track, V s) { track.leave(s); });
  each(score(simd::kMulMI), [&](auto& track, V s) { track.open_insert(s); });
  each(score(simd::kMulII), [&](auto& track, V s) { track.extend_insert(s, offset); });
  each(score(simd::kMulMM), [&](auto& track, V s) { track.hand_on_match(s); });
  each(score(simd::kMulIM), [&](auto& track, V s) { track.hand_on_insert(s); });
  each(score(simd::kMulDM), [&](auto& track, V s) { track.hand_on_delete(s, offset); });
  each(score(simd::kMulDD), [&](auto& track, V s) { track.extend_delete(s); });
  each(score(simd::kMulMD), [&](auto& track, V s) { track.open_delete(s); });
}

// Rows first + 1 .. last of the tracks; row `first` is recorded.
template <int kCount>
void sweep_rows(const simd::MultihitModel& model, Track* const* tracks, std::size_t first, std::size_t last) {
  const std::size_t vectors = model.striped.shape.vectors;
  const std::int32_t* HWY_RESTRICT transitions = model.striped.transitions.data();
  const std::int32_t* last_carried = transitions + ((vectors - 1) * kPlanes + simd::kMulCarried) * L::kLanes;
  TrackSweep one(model, *tracks[0], first);
  TrackSweep two(model, *tracks[kCount - 1], first);
  for (std::size_t row = first; row < last; ++row) {
    one.start_row(row);
    if constexpr (kCount == 2) two.start_row(row);
    const std::int32_t* HWY_RESTRICT t = transitions;
    for (std::size_t v = 0; v < vectors; ++v, t += kPlanes * L::kLanes) {
      if constexpr (kCount == 2) {
        step(t, v * 2 * L::kLanes, one, two);
      } else {
        step(t, v * 2 * L::kLanes, one);
      }
    }
    one.end_row(row + 1, last_carried);
    if constexpr (kCount == 2) two.end_row(row + 1, last_carried);
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
