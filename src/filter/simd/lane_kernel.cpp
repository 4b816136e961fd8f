// The glocal and the single-hit recurrence with one sequence in each SIMD lane, node by node. Several rows at
// a time need fewer loads and stores. Glocal:
//   M = Q of the previous node, previous row + match emission
//   I = max(M + mi, I + ii) of the previous row + insert emission
//   Q = max(M, I, D + dm);  D of the next node = max(D, M)
// The largest D at the end of a row is E, unless it is the D that B gives. Single-hit:
//   M = max(Q of the previous node, previous row; entry) + match emission
//   Q = max(M, I, D);  D of the next node = max(D + dd, M + md)
#include <algorithm>
#include <limits>

#include "filter/simd/lane_model.hpp"

#define HWY_TARGET_INCLUDE "filter/simd/lane_kernel.cpp"
#include "simd/foreach_target.hpp"
// For each instruction set:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::simd::HWY_NAMESPACE {

// Only with AVX-512 do one or two vectors hold an emission for every residue code.
#if HWY_TARGET == HWY_AVX3

namespace hn = hwy::HWY_NAMESPACE;

bool lanes_possible() { return true; }

template <class T>
using Tag = hn::CappedTag<T, 64 / sizeof(T)>;
template <class T>
using Scores = hn::Vec<Tag<T>>;

// The emissions of a node for all residue codes. Intrinsics, as this version of Highway has table lookups for
// a single vector of 32-bit lanes only.
template <class T>
struct Table;
template <>
struct Table<std::int16_t> {
  explicit Table(const std::int16_t* emissions) : scores(hn::Load(Tag<std::int16_t>(), emissions)) {}
  HWY_INLINE Scores<std::int16_t> look_up(Scores<std::int16_t> codes) const {
    return Scores<std::int16_t>{_mm512_permutexvar_epi16(codes.raw, scores.raw)};
  }
  Scores<std::int16_t> scores;
};
template <>
struct Table<std::int32_t> {
  explicit Table(const std::int32_t* emissions)
      : low(hn::Load(Tag<std::int32_t>(), emissions)),
        high(hn::Load(Tag<std::int32_t>(), emissions + kTableCodes / 2)) {}
  HWY_INLINE Scores<std::int32_t> look_up(Scores<std::int32_t> codes) const {
    return Scores<std::int32_t>{_mm512_permutex2var_epi32(low.raw, codes.raw, high.raw)};
  }
  Scores<std::int32_t> low, high;
};

HWY_INLINE Scores<std::int16_t> add(Scores<std::int16_t> a, Scores<std::int16_t> b) {
  return hn::SaturatedAdd(a, b);
}
HWY_INLINE Scores<std::int32_t> add(Scores<std::int32_t> a, Scores<std::int32_t> b) { return hn::Add(a, b); }

// The state of a row while the kernel goes from node to node.
template <class T>
struct RowState {
  Scores<T> codes, inserts, before, del, best;
};

template <class T>
HWY_INLINE Scores<T> in_all_lanes(const ScoreWord<T>& scores) {
  std::int32_t word;
  hwy::CopyBytes<sizeof word>(scores.copies.data(), &word);
  return hn::BitCast(Tag<T>(), hn::Set(Tag<std::int32_t>(), word));
}

// The transitions of a node, each in all lanes of a vector.
template <class T>
struct NodeSteps {
  explicit NodeSteps(const LaneSteps<T>& steps)
      : match_insert(in_all_lanes(steps.match_insert)),
        insert_insert(in_all_lanes(steps.insert_insert)),
        delete_match(in_all_lanes(steps.delete_match)),
        match_delete(in_all_lanes(steps.match_delete)),
        delete_delete(in_all_lanes(steps.delete_delete)),
        entry(in_all_lanes(steps.entry)) {}
  Scores<T> match_insert, insert_insert, delete_match, match_delete, delete_delete, entry;
};

// Which sums saturate: all; those without D + dm (glocal_bound_kernel.cpp); those with a match emission only
// (LaneModel::sums_fit). The fewer, the more ports of a processor can compute them.
enum class Saturating { All, NotDeletes, Matches };

template <bool kSaturating, class T>
HWY_INLINE Scores<T> sum(Scores<T> a, Scores<T> b) {
  return kSaturating ? add(a, b) : hn::Add(a, b);
}

// Computes one node of a row; the caller sets row.before for the next node. Replaces Q and I of the previous
// row by those of this row.
template <bool kGlocal, Saturating kSums, class T>
HWY_INLINE void pass_node(RowState<T>& row, const NodeSteps<T>& steps, const Table<T>& matches, Scores<T>& q,
                          Scores<T>& stored_insert) {
  const Scores<T> from = kGlocal ? row.before : hn::Max(row.before, steps.entry);
  const Scores<T> match = add(from, matches.look_up(row.codes));
  constexpr bool kInserts = kSums != Saturating::Matches, kDeletes = kSums == Saturating::All;
  const Scores<T> insert = sum<kInserts, T>(stored_insert, row.inserts);
  stored_insert =
      hn::Max(sum<kInserts, T>(match, steps.match_insert), sum<kInserts, T>(insert, steps.insert_insert));
  if constexpr (kGlocal) {
    const Scores<T> deleted = sum<kDeletes, T>(row.del, steps.delete_match);
    q = hn::Max(hn::Max(match, insert), deleted);
    row.del = hn::Max(row.del, match);
  } else {
    q = hn::Max(hn::Max(match, insert), row.del);
    row.del = hn::Max(add(row.del, steps.delete_delete), add(match, steps.match_delete));
    row.best = hn::Max(row.best, match);
  }
}

// Rows first .. last - 1, a multiple of kLaneRows, of the vector of lanes from `lane` on.
template <bool kGlocal, bool kSameInserts, bool kFit, class T>
void rows_of(const LaneModel<T>& model, const LaneSequences& dealt, LaneState<T>& state, std::size_t first,
             std::size_t last, std::size_t lane) {
  const Tag<T> d;
  constexpr std::size_t kLanes = hn::MaxLanes(d);
  const Scores<T> first_q = hn::Set(d, model.first_q);
  const Scores<T> first_d = hn::Set(d, model.first_d);
  const Scores<T> lowest = hn::Set(d, std::numeric_limits<T>::min());
  const Scores<T> separator = hn::Set(d, kSeparator);
  const Scores<T> fresh_q = hn::Set(d, model.fresh_q), fresh_insert = hn::Set(d, model.fresh_insert);
  constexpr Saturating kSums = kFit           ? Saturating::Matches
                               : kSameInserts ? Saturating::NotDeletes
                                              : Saturating::All;
  for (std::size_t row = first; row < last; row += kLaneRows) {
    RowState<T> rows[kLaneRows];
    for (std::size_t r = 0; r < kLaneRows; ++r) {
      const hn::Rebind<std::uint8_t, decltype(d)> bytes;
      const auto codes = hn::PromoteTo(d, hn::Load(bytes, dealt.row(row + r) + lane));
      const Scores<T> inserts = Table<T>(model.emissions.data() + kTableCodes).look_up(codes);
      rows[r] = {codes, inserts, first_q, first_d, lowest};
    }
    // A lane whose first row is a separator is in front of its next sequence.
    [[maybe_unused]] const auto goes_on = hn::Ne(rows[0].codes, separator);
    const T* HWY_RESTRICT emissions = model.emissions.data();
    T* HWY_RESTRICT cell = state.cells.data();
    for (const LaneSteps<T>& node : model.steps) {
      const NodeSteps<T> steps(node);
      const Table<T> matches(emissions);
      const Table<T> inserts(emissions + kTableCodes);
      Scores<T> q = hn::Load(d, cell);
      Scores<T> insert = hn::Load(d, cell + kLanes);
      if constexpr (kFit) {
        q = hn::IfThenElse(goes_on, q, fresh_q);
        insert = hn::IfThenElse(goes_on, insert, fresh_insert);
      }
      for (RowState<T>& r : rows) {
        const Scores<T> before = q;
        if constexpr (!kSameInserts) r.inserts = inserts.look_up(r.codes);
        pass_node<kGlocal, kSums>(r, steps, matches, q, insert);
        r.before = before;
      }
      hn::Store(q, d, cell);
      hn::Store(insert, d, cell + kLanes);
      emissions += 2 * kTableCodes;
      cell += 2 * kLanes;
    }
    Scores<T> best = hn::Load(d, state.best.data() + lane);
    for (const RowState<T>& r : rows) {
      const auto real = hn::Ne(r.codes, separator);
      best = hn::IfThenElse(real, hn::Max(best, kGlocal ? r.del : r.best), best);
    }
    hn::Store(best, d, state.best.data() + lane);
    if (model.watched.empty()) continue;
    Scores<T> highest = hn::Load(d, state.highest_insert.data() + lane);
    const auto real = hn::Ne(rows[kLaneRows - 1].codes, separator);
    for (const std::size_t k : model.watched) {
      const Scores<T> insert = hn::Load(d, state.cells.data() + (2 * k + 1) * kLanes);
      highest = hn::IfThenElse(real, hn::Max(highest, insert), highest);
    }
    hn::Store(highest, d, state.highest_insert.data() + lane);
  }
}

void lane_rows16(const LaneModel<std::int16_t>& model, const LaneSequences& dealt,
                 LaneState<std::int16_t>& state, std::size_t first, std::size_t last, std::size_t lane) {
  if (!model.glocal) {
    rows_of<false, false, false>(model, dealt, state, first, last, lane);
  } else if (model.sums_fit && model.same_inserts) {
    rows_of<true, true, true>(model, dealt, state, first, last, lane);
  } else if (model.sums_fit) {
    rows_of<true, false, true>(model, dealt, state, first, last, lane);
  } else if (model.same_inserts) {
    rows_of<true, true, false>(model, dealt, state, first, last, lane);
  } else {
    rows_of<true, false, false>(model, dealt, state, first, last, lane);
  }
}

void lane_rows32(const LaneModel<std::int32_t>& model, const LaneSequences& dealt,
                 LaneState<std::int32_t>& state, std::size_t first, std::size_t last, std::size_t lane) {
  if (model.same_inserts) {
    rows_of<true, true, false>(model, dealt, state, first, last, lane);
  } else {
    rows_of<true, false, false>(model, dealt, state, first, last, lane);
  }
}

#else

bool lanes_possible() { return false; }

void lane_rows16(const LaneModel<std::int16_t>&, const LaneSequences&, LaneState<std::int16_t>&, std::size_t,
                 std::size_t, std::size_t) {}
void lane_rows32(const LaneModel<std::int32_t>&, const LaneSequences&, LaneState<std::int32_t>&, std::size_t,
                 std::size_t, std::size_t) {}

#endif

}  // namespace gpuhmm::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm::simd {

GPUHMM_SIMD_TABLE(lanes_possible);
GPUHMM_SIMD_TABLE(lane_rows16);
GPUHMM_SIMD_TABLE(lane_rows32);

bool has_lane_kernel() { return GPUHMM_SIMD_CALL(lanes_possible)(); }

template <class T>
void sweep_lanes(const LaneModel<T>& model, const LaneSequences& dealt, LaneState<T>& state,
                 std::span<T> best) {
  constexpr T kLowest = std::numeric_limits<T>::min();
  constexpr std::size_t kLanes = 64 / sizeof(T);  // in a vector
  const std::size_t cells = model.nodes * 2 * kLanes;
  state.cells.reserve(cells);
  state.best.fill(kLowest);
  state.highest_insert.fill(kLowest);
  for (std::size_t lane = 0; lane < kLaneCount; lane += kLanes) {
    std::fill_n(state.cells.data(), cells, kLaneFloor<T>);
    std::size_t row = 0;
    for (const LaneSequences::End& end : dealt.ends()) {
      if (end.lane - lane >= kLanes) continue;
      if (end.row > row) {
        if constexpr (sizeof(T) == sizeof(std::int16_t)) {
          GPUHMM_SIMD_CALL(lane_rows16)(model, dealt, state, row, end.row, lane);
        } else {
          GPUHMM_SIMD_CALL(lane_rows32)(model, dealt, state, row, end.row, lane);
        }
      }
      row = end.row;
      T& reached = state.best[end.lane];
      T& insert = state.highest_insert[end.lane];
      const bool doubtful = insert > model.insert_limit || reached <= model.doubtful;
      best[end.sequence] = doubtful ? std::numeric_limits<T>::max() : reached;
      reached = insert = kLowest;
    }
  }
}

template void sweep_lanes(const LaneModel<std::int16_t>&, const LaneSequences&, LaneState<std::int16_t>&,
                          std::span<std::int16_t>);
template void sweep_lanes(const LaneModel<std::int32_t>&, const LaneSequences&, LaneState<std::int32_t>&,
                          std::span<std::int32_t>);

}  // namespace gpuhmm::simd
#endif
