// The glocal and the single-hit recurrence with one sequence in each SIMD lane, node by node. Two rows at a
// time halve the loads and stores. Glocal:
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

// Only with AVX-512 does a vector hold an emission for every residue code.
#if HWY_TARGET == HWY_AVX3

namespace hn = hwy::HWY_NAMESPACE;

bool lanes_possible() { return true; }

constexpr hn::CappedTag<std::int16_t, kTableCodes> kScores;
using Scores = hn::Vec<decltype(kScores)>;
constexpr std::size_t kLanes = hn::MaxLanes(kScores);
constexpr std::size_t kVectors = kLaneCount / kLanes;

// The score of each code. An intrinsic, as this version of Highway has table lookups for 32-bit lanes only.
HWY_INLINE Scores look_up(Scores table, Scores codes) {
  return Scores{_mm512_permutexvar_epi16(codes.raw, table.raw)};
}

// The state of a row while the kernel goes from node to node.
struct RowState {
  Scores codes, inserts, before, del, best;
};

HWY_INLINE Scores in_all_lanes(const TwoScores& scores) {
  const hn::Repartition<std::int32_t, decltype(kScores)> words;
  std::int32_t word;
  hwy::CopyBytes<sizeof word>(&scores, &word);
  return hn::BitCast(kScores, hn::Set(words, word));
}

// The transitions of a node, each in all lanes of a vector.
struct NodeSteps {
  explicit NodeSteps(const LaneSteps& steps)
      : match_insert(in_all_lanes(steps.match_insert)),
        insert_insert(in_all_lanes(steps.insert_insert)),
        delete_match(in_all_lanes(steps.delete_match)),
        match_delete(in_all_lanes(steps.match_delete)),
        delete_delete(in_all_lanes(steps.delete_delete)),
        entry(in_all_lanes(steps.entry)) {}
  Scores match_insert, insert_insert, delete_match, match_delete, delete_delete, entry;
};

// Computes one node of a row; the caller sets row.before for the next node. Replaces Q and I of the previous
// row by those of this row. kLean: D + dm need not saturate (glocal_bound_kernel.cpp).
template <bool kGlocal, bool kLean>
HWY_INLINE void pass_node(RowState& row, const NodeSteps& steps, Scores matches, Scores& q,
                          Scores& stored_insert) {
  const Scores from = kGlocal ? row.before : hn::Max(row.before, steps.entry);
  const Scores match = hn::SaturatedAdd(from, look_up(matches, row.codes));
  const Scores insert = hn::SaturatedAdd(stored_insert, row.inserts);
  stored_insert =
      hn::Max(hn::SaturatedAdd(match, steps.match_insert), hn::SaturatedAdd(insert, steps.insert_insert));
  if constexpr (kGlocal) {
    const Scores deleted =
        kLean ? hn::Add(row.del, steps.delete_match) : hn::SaturatedAdd(row.del, steps.delete_match);
    q = hn::Max(hn::Max(match, insert), deleted);
  } else {
    q = hn::Max(hn::Max(match, insert), row.del);
  }
  if constexpr (kGlocal) {
    row.del = hn::Max(row.del, match);
  } else {
    row.del =
        hn::Max(hn::SaturatedAdd(row.del, steps.delete_delete), hn::SaturatedAdd(match, steps.match_delete));
    row.best = hn::Max(row.best, match);
  }
}

// Rows first .. last - 1, an even number.
template <bool kGlocal, bool kSameInserts>
void rows_of(const LaneModel& model, const LaneSequences& dealt, LaneState& state, std::size_t first,
             std::size_t last) {
  constexpr std::size_t kAtOnce = LaneSequences::kRowsAtOnce;
  const Scores first_q = hn::Set(kScores, model.first_q);
  const Scores first_d = hn::Set(kScores, model.first_d);
  const Scores lowest = hn::Set(kScores, std::numeric_limits<std::int16_t>::min());
  const Scores separator = hn::Set(kScores, kSeparator);
  std::int16_t* const cells = state.cells.data();
  for (std::size_t row = first; row < last; row += kAtOnce) {
    RowState rows[kAtOnce][kVectors];
    for (std::size_t r = 0; r < kAtOnce; ++r) {
      for (std::size_t s = 0; s < kVectors; ++s) {
        const hn::Rebind<std::uint8_t, decltype(kScores)> bytes;
        const auto codes = hn::PromoteTo(kScores, hn::Load(bytes, dealt.row(row + r) + s * kLanes));
        const Scores inserts = look_up(hn::Load(kScores, model.emissions.data() + kTableCodes), codes);
        rows[r][s] = {codes, inserts, first_q, first_d, lowest};
      }
    }
    const std::int16_t* HWY_RESTRICT emissions = model.emissions.data();
    std::int16_t* HWY_RESTRICT cell = cells;
    for (const LaneSteps& node : model.steps) {
      const NodeSteps steps(node);
      const Scores matches = hn::Load(kScores, emissions);
      const Scores inserts = hn::Load(kScores, emissions + kTableCodes);
      for (std::size_t s = 0; s < kVectors; ++s) {
        Scores q = hn::Load(kScores, cell + s * kLanes);
        Scores insert = hn::Load(kScores, cell + kLaneCount + s * kLanes);
        for (std::size_t r = 0; r < kAtOnce; ++r) {
          const Scores before = q;
          if constexpr (!kSameInserts) rows[r][s].inserts = look_up(inserts, rows[r][s].codes);
          pass_node<kGlocal, kSameInserts>(rows[r][s], steps, matches, q, insert);
          rows[r][s].before = before;
        }
        hn::Store(q, kScores, cell + s * kLanes);
        hn::Store(insert, kScores, cell + kLaneCount + s * kLanes);
      }
      emissions += 2 * kTableCodes;
      cell += 2 * kLaneCount;
    }
    for (std::size_t s = 0; s < kVectors; ++s) {
      Scores best = hn::Load(kScores, state.best.data() + s * kLanes);
      for (std::size_t r = 0; r < kAtOnce; ++r) {
        const auto real = hn::Ne(rows[r][s].codes, separator);
        best = hn::IfThenElse(real, hn::Max(best, kGlocal ? rows[r][s].del : rows[r][s].best), best);
      }
      hn::Store(best, kScores, state.best.data() + s * kLanes);
      if (model.watched.empty()) continue;
      Scores highest = hn::Load(kScores, state.highest_insert.data() + s * kLanes);
      const auto real = hn::Ne(rows[kAtOnce - 1][s].codes, separator);
      for (const std::size_t k : model.watched) {
        const Scores insert = hn::Load(kScores, cells + (2 * k + 1) * kLaneCount + s * kLanes);
        highest = hn::IfThenElse(real, hn::Max(highest, insert), highest);
      }
      hn::Store(highest, kScores, state.highest_insert.data() + s * kLanes);
    }
  }
}

void lane_rows(const LaneModel& model, const LaneSequences& dealt, LaneState& state, std::size_t first,
               std::size_t last) {
  if (!model.glocal) {
    rows_of<false, false>(model, dealt, state, first, last);
  } else if (model.same_inserts) {
    rows_of<true, true>(model, dealt, state, first, last);
  } else {
    rows_of<true, false>(model, dealt, state, first, last);
  }
}

#else

bool lanes_possible() { return false; }

void lane_rows(const LaneModel&, const LaneSequences&, LaneState&, std::size_t, std::size_t) {}

#endif

}  // namespace gpuhmm::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm::simd {

GPUHMM_SIMD_TABLE(lanes_possible);
GPUHMM_SIMD_TABLE(lane_rows);

bool has_lane_kernel() { return GPUHMM_SIMD_CALL(lanes_possible)(); }

void sweep_lanes(const LaneModel& model, const LaneSequences& dealt, LaneState& state,
                 std::span<std::int16_t> best) {
  constexpr std::int16_t kLowest = std::numeric_limits<std::int16_t>::min();
  const std::size_t cells = model.nodes * 2 * kLaneCount;
  state.cells.reserve(cells);
  std::fill_n(state.cells.data(), cells, kLowest);
  state.best.fill(kLowest);
  state.highest_insert.fill(kLowest);
  std::size_t row = 0;
  for (const LaneSequences::End& end : dealt.ends()) {
    if (end.row > row) GPUHMM_SIMD_CALL(lane_rows)(model, dealt, state, row, end.row);
    row = end.row;
    std::int16_t& reached = state.best[end.lane];
    std::int16_t& insert = state.highest_insert[end.lane];
    const bool doubtful = insert > model.insert_limit || reached <= model.doubtful;
    best[end.sequence] = doubtful ? std::numeric_limits<std::int16_t>::max() : reached;
    reached = insert = kLowest;
  }
}

}  // namespace gpuhmm::simd
#endif
