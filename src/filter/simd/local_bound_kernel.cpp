// The local bound with one sequence in each byte of a vector, node by node. Two rows at a time halve the
// loads and stores. For each node and row:
//   M = max(Q of the previous node, previous row; entry) + match emission
//   I = max(M + mi, I + ii) of the previous row + insert emission
//   Q = max(M, I, D);  D of the next node = max(D + dd, M + md)
// All sums saturate. Emissions are looked up by residue code in tables of 32 bytes, with two shuffles of 16.
#include <algorithm>
#include <limits>
#include <utility>

#include "filter/simd/local_bound.hpp"

#define HWY_TARGET_INCLUDE "filter/simd/local_bound_kernel.cpp"
#include "simd/foreach_target.hpp"
// For each instruction set:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::simd::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<std::int8_t, 32> kScores;
constexpr hn::RebindToUnsigned<decltype(kScores)> kCodes;
using Scores = hn::Vec<decltype(kScores)>;
using Codes = hn::Vec<decltype(kCodes)>;
constexpr std::size_t kLanes = hn::MaxLanes(kScores);

// A table of 32 bytes, one for each residue code.
struct Table {
  template <class T>
  explicit Table(const T* bytes)
      : low(hn::LoadDup128(kCodes, reinterpret_cast<const std::uint8_t*>(bytes))),
        high(hn::LoadDup128(kCodes, reinterpret_cast<const std::uint8_t*>(bytes) + 16)) {}
  Codes low, high;
};

// Residue codes as indices into both halves of a table: those of the other half have their top bit set.
struct Indices {
  explicit Indices(Codes codes)
      : low(hn::Or(codes, hn::ShiftLeft<3>(hn::And(codes, hn::Set(kCodes, 16))))),
        high(hn::Sub(codes, hn::Set(kCodes, 16))) {}

  HWY_INLINE Codes look_up(const Table& table) const {
    return hn::Or(hn::TableLookupBytesOr0(table.low, low), hn::TableLookupBytesOr0(table.high, high));
  }
  Codes low, high;
};

// The state of a row while the kernel goes from node to node.
struct Row {
  Indices codes;
  Scores inserts, before, del;
};

HWY_INLINE Scores step(const std::int8_t* steps, LocalBoundStep which) {
  const hn::Repartition<std::int32_t, decltype(kScores)> words;
  std::int32_t copies;
  hwy::CopyBytes<LocalBound::kCopies>(steps + which * LocalBound::kCopies, &copies);
  return hn::BitCast(kScores, hn::Set(words, copies));
}

// The lanes first .. first + kLanes - 1 of all sequences.
class Lanes {
 public:
  Lanes(const LocalBound& bound, const LaneSequences& dealt, std::int8_t* cells, std::size_t first)
      : bound_(bound), dealt_(dealt), cells_(cells), first_(first) {
    hn::Store(hn::Set(kScores, kLowest), kScores, best);
    hn::Store(hn::Zero(kCodes), kCodes, fractions_);
    std::fill_n(cells, bound.nodes * 2 * kLanes, kLowest);
  }

  static constexpr std::int8_t kLowest = std::numeric_limits<std::int8_t>::min();

  // Rows first .. last - 1, an even number.
  void rows(std::size_t first, std::size_t last) {
    Scores highest = hn::Load(kScores, best);
    Codes fractions = hn::Load(kCodes, fractions_);
    for (std::size_t row = first; row < last; row += 2) {
      Row upper = start(row, fractions), lower = start(row + 1, fractions);
      const std::int8_t* HWY_RESTRICT emissions = bound_.emissions.data();
      const std::int8_t* HWY_RESTRICT steps = bound_.steps.data();
      std::int8_t* HWY_RESTRICT cell = cells_;
      for (std::size_t k = 0; k < bound_.nodes; ++k) {
        const Table table(emissions);
        const Scores entry = step(steps, kLocalEntry);
        const Scores match_insert = step(steps, kLocalMatchInsert);
        const Scores insert_insert = step(steps, kLocalInsertInsert);
        const Scores match_delete = step(steps, kLocalMatchDelete);
        const Scores delete_delete = step(steps, kLocalDeleteDelete);
        Scores q = hn::Load(kScores, cell);
        Scores stored_insert = hn::Load(kScores, cell + kLanes);
        for (Row* r : {&upper, &lower}) {
          const Scores emission = hn::BitCast(kScores, r->codes.look_up(table));
          const Scores match = hn::SaturatedAdd(hn::Max(r->before, entry), emission);
          const Scores insert = hn::SaturatedAdd(stored_insert, r->inserts);
          r->before = q;
          stored_insert =
              hn::Max(hn::SaturatedAdd(match, match_insert), hn::SaturatedAdd(insert, insert_insert));
          q = hn::Max(hn::Max(match, insert), r->del);
          highest = hn::Max(highest, q);
          r->del = hn::Max(hn::SaturatedAdd(r->del, delete_delete), hn::SaturatedAdd(match, match_delete));
        }
        hn::Store(q, kScores, cell);
        hn::Store(stored_insert, kScores, cell + kLanes);
        emissions += kTableCodes;
        steps += kLocalSteps * LocalBound::kCopies;
        cell += 2 * kLanes;
      }
    }
    hn::Store(highest, kScores, best);
    hn::Store(fractions, kCodes, fractions_);
  }

  alignas(32) std::int8_t best[kLanes];  // the largest Q~ of each lane

 private:
  // The codes and insert emissions of a row, where the fractions of the rows before add up to `fractions`.
  // They begin anew after a separator.
  Row start(std::size_t row, Codes& fractions) const {
    const Codes residues = hn::Load(kCodes, dealt_.row(row) + first_);
    const Indices codes(residues);
    const Codes added = codes.look_up(Table(bound_.insert_fraction.data()));
    fractions = hn::IfThenZeroElse(hn::Eq(residues, hn::Set(kCodes, kSeparator)), hn::Add(fractions, added));
    const Scores carry = hn::BitCast(kScores, hn::VecFromMask(kCodes, hn::Lt(fractions, added)));
    const Scores whole = hn::BitCast(kScores, codes.look_up(Table(bound_.insert_whole.data())));
    const Scores lowest = hn::Set(kScores, kLowest);
    return {codes, hn::Sub(whole, carry), lowest, lowest};
  }

  const LocalBound& bound_;
  const LaneSequences& dealt_;
  std::int8_t* cells_;
  std::size_t first_;
  alignas(32) std::uint8_t fractions_[kLanes];
};

void sweep(const LocalBound& bound, const LaneSequences& dealt, LocalBoundState& state,
           std::span<std::int8_t> best) {
  state.cells.reserve(bound.nodes * 2 * kLanes);
  for (std::size_t first = 0; first < kLaneCount; first += kLanes) {
    Lanes lanes(bound, dealt, state.cells.data(), first);
    std::size_t row = 0;
    for (const LaneSequences::End& end : dealt.ends()) {
      if (end.lane < first || end.lane >= first + kLanes) continue;
      // With the first separators, so that these do not count for the next sequence.
      const std::size_t last = std::min(end.row + LocalBound::kSpacing.rows_at_once, dealt.rows());
      if (last > row) lanes.rows(row, last);
      row = last;
      best[end.sequence] = std::exchange(lanes.best[end.lane - first], Lanes::kLowest);
    }
  }
}

#else  // no vectors: never called

void sweep(const LocalBound&, const LaneSequences&, LocalBoundState&, std::span<std::int8_t>) {}

#endif

}  // namespace gpuhmm::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm::simd {

GPUHMM_SIMD_TABLE(sweep);

void sweep_local_bound(const LocalBound& bound, const LaneSequences& dealt, LocalBoundState& state,
                       std::span<std::int8_t> best) {
  GPUHMM_SIMD_CALL(sweep)(bound, dealt, state, best);
}

}  // namespace gpuhmm::simd
#endif
