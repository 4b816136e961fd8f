// The sweep: the full recurrence in the striped layout, for one or two sequences side by side, with a record
// for the tiles.
//
// Per vector of nodes and row, with D~ known from the nodes below within the lane:
//   M = max(Q of the node below, row before; B + begin) + match emission;  E = max M
//   I = max(M + mi, I + ii) of the row before + insert emission
//   Q = max(M, I, D);  D of the next node = max(D + dd, M + md)
// Deletes that cross from lane to lane join Q in the next row.
#include <algorithm>
#include <array>
#include <span>

#include "align/score_grid.hpp"
#include "plan7/arithmetic.hpp"

#define HWY_TARGET_INCLUDE "align/sweep_kernel.cpp"
#include "simd/foreach_target.hpp"
// For each instruction set:
#include "filter/simd/score_vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::grid::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

using simd::HWY_NAMESPACE::scan_lanes;
using simd::HWY_NAMESPACE::WholeVectors;

using L = WholeVectors<std::int32_t>;
using V = L::V;
constexpr std::size_t kPlanes = kGridPlanes;

// N, J, B and C of a row, each in all lanes: the next row's B then needs no way through scalars. All are at
// least minus infinity, so that a sum with another score fits in 32 bits.
class SpecialVectors {
 public:
  HWY_INLINE SpecialVectors(const ScoreModel& model, const SpecialScores& row)
      : model_(model), n_(all(row.n)), j_(all(row.j)), b_(all(row.b)), c_(all(row.c)) {}

  // To the next row, whose E is `e`.
  HWY_INLINE void step(V e) {
    n_ = floored(plus(n_, model_.n_loop));
    j_ = floored(hn::Max(plus(j_, model_.j_loop), plus(e, model_.e_to_j)));
    b_ = floored(hn::Max(plus(n_, model_.n_begin), plus(j_, model_.j_begin)));
    c_ = floored(hn::Max(plus(c_, model_.c_loop), plus(e, model_.e_to_c)));
    e_ = e;
  }
  HWY_INLINE V begin() const { return hn::Max(b_, all(kLowestBegin)); }
  // Of the row stepped to last.
  HWY_INLINE SpecialScores scores() const {
    return {hn::GetLane(n_), hn::GetLane(e_), hn::GetLane(j_), hn::GetLane(b_), hn::GetLane(c_)};
  }

 private:
  static HWY_INLINE V all(std::int32_t score) { return hn::Set(L::D(), score); }
  static HWY_INLINE V plus(V scores, std::int32_t score) { return hn::Add(scores, all(score)); }
  static HWY_INLINE V floored(V scores) { return hn::Max(scores, all(kMinusInfinity)); }

  const ScoreModel& model_;
  V n_, j_, b_, c_, e_;
};

// One track within the sweep. Each track has a local variable of this type, not an array element, so that its
// vectors stay in registers.
class TrackSweep {
 public:
  // Continues after row `row`, which is recorded.
  HWY_INLINE TrackSweep(const GridModel& model, Track& track, std::size_t row)
      : model_(model),
        track_(track),
        cells_(track.cells.data()),
        special_(model.scores, track.grid.special(row)) {
    const L::D d;
    entering_ = hn::Load(d, track.grid.entering(row));
    top_ = hn::Load(d, track.grid.handed_on(row));
    floor_ = hn::Set(d, model.striped.floor);
  }

  // Prepares row `row` + 1.
  HWY_INLINE void start_row(std::size_t row) {
    const std::size_t size = track_.grid.row_size();
    if (row % kTileRows == 0) std::copy_n(cells_, size, track_.grid.kept_row(row / kTileRows));
    emissions_ = model_.striped.emissions.data() + track_.residues[row] * size;
    begin_ = special_.begin();
    before_ = L::up<1>(top_, floor_);
    del_ = floor_;
    ending_ = floor_;
  }

  // Computes the next vector of nodes, at `offset` of the row, with transition scores `t`.
  HWY_INLINE void step(const std::int32_t* HWY_RESTRICT t, std::size_t offset) {
    constexpr std::size_t kLanes = L::kLanes;
    const L::D d;
    const auto score = [&](GridPlane plane) { return hn::Load(d, t + plane * kLanes); };
    std::int32_t* HWY_RESTRICT cell = cells_ + offset;
    const std::int32_t* HWY_RESTRICT emission = emissions_ + offset;
    const V match = hn::Add(hn::Max(before_, hn::Add(begin_, score(kBegin))), hn::Load(d, emission));
    const V insert = hn::Add(hn::Load(d, cell + kLanes), hn::Load(d, emission + kLanes));
    before_ = hn::Max(hn::Load(d, cell), hn::Add(entering_, score(kLazyF)));
    ending_ = hn::Max(ending_, match);
    hn::Store(hn::Max(hn::Add(match, score(kMatchInsert)), hn::Add(insert, score(kInsertInsert))), d,
              cell + kLanes);
    top_ = hn::Max(hn::Max(match, insert), del_);
    hn::Store(top_, d, cell);
    del_ = hn::Max(hn::Add(del_, score(kDeleteDelete)), hn::Add(match, score(kMatchDelete)));
  }

  // Ends and records row `row`; `last_lazy_f`: kLazyF scores of the last vector.
  HWY_INLINE void end_row(std::size_t row, const std::int32_t* last_lazy_f) {
    const L::D d;
    entering_ = scan_lanes<L>(L::up<1>(del_, floor_), floor_, model_.striped.crossings.data());
    top_ = hn::Max(top_, hn::Add(entering_, hn::Load(d, last_lazy_f)));
    hn::Store(top_, d, track_.grid.handed_on(row));
    hn::Store(entering_, d, track_.grid.entering(row));
    hn::Store(ending_, d, track_.grid.leaving(row));
    special_.step(hn::MaxOfLanes(d, ending_));
    track_.grid.special(row) = special_.scores();
  }

 private:
  const GridModel& model_;
  Track& track_;
  std::int32_t* HWY_RESTRICT cells_;
  const std::int32_t* HWY_RESTRICT emissions_ = nullptr;
  SpecialVectors special_;
  V entering_, top_;  // D that enters each lane, and Q of the last vector
  V floor_, begin_, before_, del_, ending_;
};

// Sweeps rows first + 1 .. last of the tracks; row `first` is recorded.
template <int kCount>
void sweep_rows(const GridModel& model, Track* const* tracks, std::size_t first, std::size_t last) {
  const std::size_t vectors = model.striped.shape.vectors;
  const std::int32_t* HWY_RESTRICT transitions = model.striped.transitions.data();
  const std::int32_t* last_lazy_f = transitions + ((vectors - 1) * kPlanes + kLazyF) * L::kLanes;
  TrackSweep one(model, *tracks[0], first);
  TrackSweep two(model, *tracks[kCount - 1], first);
  for (std::size_t row = first; row < last; ++row) {
    one.start_row(row);
    if constexpr (kCount == 2) two.start_row(row);
    const std::int32_t* HWY_RESTRICT t = transitions;
    for (std::size_t v = 0; v < vectors; ++v, t += kPlanes * L::kLanes) {
      one.step(t, v * 2 * L::kLanes);
      if constexpr (kCount == 2) two.step(t, v * 2 * L::kLanes);
    }
    one.end_row(row + 1, last_lazy_f);
    if constexpr (kCount == 2) two.end_row(row + 1, last_lazy_f);
  }
}

void sweep_tracks(const GridModel& model, std::span<Track* const> tracks) {
  const std::size_t shorter = tracks.back()->residues.size();
  if (tracks.size() == 2) sweep_rows<2>(model, tracks.data(), 0, shorter);
  sweep_rows<1>(model, tracks.data(), tracks.size() == 2 ? shorter : 0, tracks[0]->residues.size());
}

#else  // no vectors: never called

void sweep_tracks(const GridModel&, std::span<Track* const>) {}

#endif

}  // namespace gpuhmm::grid::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm::grid {

GPUHMM_SIMD_TABLE(sweep_tracks);

void sweep(const GridModel& model, std::span<Track* const> tracks) {
  for (Track* track : tracks) start_track(model, *track, track->residues.size());
  GPUHMM_SIMD_CALL(sweep_tracks)(model, tracks);
  for (Track* track : tracks) {
    track->score = std::int64_t{track->grid.special(track->residues.size()).c} + model.scores.c_end;
  }
}

void start_track(const GridModel& model, Track& track, std::size_t rows) {
  track.grid.start(model, rows);
  track.cells.reserve(track.grid.row_size());
  std::fill_n(track.cells.data(), track.grid.row_size(), model.striped.floor);
}

void sweep_on(const GridModel& model, Track& track) {
  GPUHMM_SIMD_CALL(sweep_tracks)(model, std::array{&track});
}

}  // namespace gpuhmm::grid
#endif
