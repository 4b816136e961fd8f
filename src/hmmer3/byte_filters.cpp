// SSV and MSV in vectors of bytes.
//
// SSV needs no memory but its costs: a cell depends on the one before it on its diagonal only. A band of
// adjacent vectors stays in registers for the whole sequence and moves on by one vector a residue, so that
// each lane follows a diagonal. Where a vector of the band goes on from the last vector of the model to the
// first, its lanes move up by one. Bands that begin at different vectors together see every cell once.
//
// MSV goes row by row. A row's best cell matters to later rows only if it is above all before it by so much
// that J counts: one comparison a row finds out.
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "hmmer3/fast_filters.hpp"
#include "hmmer3/ssv_bands.hpp"

#define HWY_TARGET_INCLUDE "hmmer3/byte_filters.cpp"
#include "simd/foreach_target.hpp"
// For each instruction set:
#include "simd/lane_moves-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::hmmer3::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

std::size_t widest_band() { return 1; }
SsvMaximum ssv(const FilterProfile& model, Residues sequence) { return ssv_maximum(model.bytes, sequence); }
FirstStage msv(const FilterProfile& model, Residues sequence) { return msv_result(model.bytes, sequence); }

#else

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<std::int8_t, 32> kSigned;
constexpr hn::CappedTag<std::uint8_t, 32> kUnsigned;
using Signed = hn::Vec<decltype(kSigned)>;
using Unsigned = hn::Vec<decltype(kUnsigned)>;
constexpr std::size_t kLanes = hn::MaxLanes(kSigned);

// Two registers hold maxima, and one or two are for passage.
#if HWY_TARGET == HWY_SSE2 || HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2
constexpr std::size_t kWidestBand = 13;
#else
constexpr std::size_t kWidestBand = 26;
#endif

std::size_t widest_band() { return kWidestBand; }

template <std::size_t kWidth>
class SsvBand {
 public:
  HWY_INLINE SsvBand(const ByteTables& tables, Residues sequence)
      : costs_(tables.ssv.data()),
        stride_(tables.ssv_stride),
        vectors_(tables.stripes.vectors),
        next_(sequence.data()),
        end_(sequence.data() + sequence.size()) {}

  // The largest cells of the band that begins at a vector.
  HWY_INLINE Signed run(std::size_t first) {
    const Signed lowest = hn::Set(kSigned, std::numeric_limits<std::int8_t>::min());
    Signed cells[kWidth];
    Signed best[2] = {lowest, lowest};
    for (std::size_t j = 0; j < kWidth; ++j) cells[j] = lowest;
    const std::int8_t* from = costs_ + first * kLanes;
    std::size_t rows = vectors_ - kWidth - first;  // before one whose last vector is the model's first
    const std::int8_t* const from_begin = costs_;
    for (;;) {
      ++rows;
      const std::size_t left = static_cast<std::size_t>(end_ - next_);
      const std::uint8_t* const stop = next_ + (rows < left ? rows : left);
      for (; next_ != stop; from += kLanes) row(from, cells, best);
      if (next_ == end_) break;
      if (!cross<0>(from, cells, best, lowest)) break;
      cells[0] = simd::HWY_NAMESPACE::lanes_moved_up<1>(kSigned, cells[0], lowest);
      from = from_begin;
      rows = vectors_ - kWidth;
    }
    return hn::Max(best[0], best[1]);
  }

 private:
  HWY_INLINE void row(const std::int8_t* from, Signed (&cells)[kWidth], Signed (&best)[2]) {
    step<0>(from + *next_ * stride_, cells, best);
    ++next_;
  }

  template <std::size_t kAt>
  static HWY_INLINE void step(const std::int8_t* costs, Signed (&cells)[kWidth], Signed (&best)[2]) {
    if constexpr (kAt < kWidth) {
      cells[kAt] = hn::SaturatedSub(cells[kAt], hn::Load(kSigned, costs + kAt * kLanes));
      best[kAt % 2] = hn::Max(best[kAt % 2], cells[kAt]);
      step<kAt + 1>(costs, cells, best);
    }
  }

  // The rows in which the last vector, the one before it ... cross to the model's first vector, but for the
  // band's first. False if the sequence ends.
  template <std::size_t kRow>
  HWY_INLINE bool cross(const std::int8_t*& from, Signed (&cells)[kWidth], Signed (&best)[2], Signed lowest) {
    if constexpr (kRow + 1 < kWidth) {
      if (next_ == end_) return false;
      Signed& crossing = cells[kWidth - 1 - kRow];
      crossing = simd::HWY_NAMESPACE::lanes_moved_up<1>(kSigned, crossing, lowest);
      row(from, cells, best);
      from += kLanes;
      return cross<kRow + 1>(from, cells, best, lowest);
    } else {
      return true;
    }
  }

  const std::int8_t* costs_;
  std::size_t stride_, vectors_;
  const std::uint8_t* next_;
  const std::uint8_t* end_;
};

// The largest lane of the band.
template <std::size_t kWidth>
int band_maximum(const ByteTables& tables, Residues sequence, std::size_t first) {
  alignas(64) std::int8_t lanes[kLanes];
  hn::Store(SsvBand<kWidth>(tables, sequence).run(first), kSigned, lanes);
  int most = std::numeric_limits<std::int8_t>::min();
  for (const int lane : lanes) most = lane > most ? lane : most;
  return most;
}

using BandFunction = int (*)(const ByteTables&, Residues, std::size_t);
template <std::size_t... kWidth>
constexpr std::array<BandFunction, kWidestBand> band_functions(std::index_sequence<kWidth...>) {
  return {&band_maximum<kWidth + 1>...};
}

SsvMaximum ssv(const FilterProfile& model, Residues sequence) {
  constexpr std::array<BandFunction, kWidestBand> kFunctions =
      band_functions(std::make_index_sequence<kWidestBand>());
  const ByteTables& tables = model.byte_tables;
  int most = std::numeric_limits<std::int8_t>::min();
  std::size_t first = 0;
  for (std::size_t band = 0; band < tables.bands; ++band) {
    const std::size_t last = tables.stripes.vectors * (band + 1) / tables.bands;
    const int found = kFunctions[last - first - 1](tables, sequence, first);
    most = found > most ? found : most;
    first = last;
  }
  if (most >= -1 - model.bytes.bias) return {true, 0};
  return {false, most + 256};
}

HWY_INLINE int largest(Unsigned v) {
  alignas(64) std::uint8_t lanes[kLanes];
  hn::Store(v, kUnsigned, lanes);
  int most = 0;
  for (const int lane : lanes) most = lane > most ? lane : most;
  return most;
}

FirstStage msv(const FilterProfile& model, Residues sequence) {
  const ByteModel& bytes = model.bytes;
  const Stripes& stripes = model.byte_tables.stripes;
  const auto length = static_cast<std::int64_t>(sequence.size());
  const int to_begin = (ByteModel::move_cost(length) + bytes.begin_cost) % 256;
  const auto byte = [](int x) { return hn::Set(kUnsigned, static_cast<std::uint8_t>(x < 0 ? 0 : x)); };
  const auto lower = [](int a, int b) { return a < b ? a : b; };
  const int overflow = 255 - bytes.bias;  // the least such cell

  const Unsigned bias = byte(bytes.bias), zero = hn::Zero(kUnsigned);
  Unsigned begin = byte(ByteModel::kBase - to_begin), best = zero;
  // The largest cell that has no effect on later rows.
  Unsigned unimportant = byte(lower(ByteModel::kBase + bytes.end_cost, overflow - 1));
  simd::AlignedBuffer<std::uint8_t> cells(stripes.cells(), 0);
  for (const std::uint8_t residue : sequence) {
    const std::uint8_t* costs = model.byte_tables.msv.data() + residue * stripes.cells();
    std::uint8_t* cell = cells.data();
    Unsigned before = simd::HWY_NAMESPACE::lanes_moved_up<1>(
        kUnsigned, hn::Load(kUnsigned, cell + stripes.cells() - kLanes), zero);
    for (std::size_t q = 0; q < stripes.vectors; ++q, cell += kLanes, costs += kLanes) {
      const Unsigned biased = hn::SaturatedAdd(hn::Max(before, begin), bias);
      const Unsigned now = hn::SaturatedSub(biased, hn::Load(kUnsigned, costs));
      best = hn::Max(best, now);
      before = hn::Load(kUnsigned, cell);
      hn::Store(now, kUnsigned, cell);
    }
    if (hn::AllTrue(kUnsigned, hn::Eq(hn::Max(best, unimportant), unimportant))) continue;
    const int most = largest(best);
    if (most >= overflow) return {ByteResult::Overflow, 0};
    begin = byte(most - bytes.end_cost - to_begin);
    unimportant = byte(most);
  }
  const int most = largest(best);
  if (!sequence.empty() && most >= overflow) return {ByteResult::Overflow, 0};
  return {ByteResult::Score, most > bytes.end_cost ? most - bytes.end_cost : 0};
}

#endif

}  // namespace gpuhmm::hmmer3::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm::hmmer3 {

GPUHMM_SIMD_TABLE(widest_band);
GPUHMM_SIMD_TABLE(ssv);
GPUHMM_SIMD_TABLE(msv);

std::size_t widest_ssv_band() { return GPUHMM_SIMD_CALL(widest_band)(); }

SsvMaximum fast_ssv_maximum(const FilterProfile& model, Residues sequence) {
  return GPUHMM_SIMD_CALL(ssv)(model, sequence);
}

FirstStage fast_msv_result(const FilterProfile& model, Residues sequence) {
  return GPUHMM_SIMD_CALL(msv)(model, sequence);
}

float fast_msv_score(const FilterProfile& model, Residues sequence) {
  const auto length = static_cast<std::int64_t>(sequence.size());
  FirstStage stage{ByteResult::NeedsMsv, 0};
  if (ssv_applies(model.bytes, length)) {
    stage = ssv_result(model.bytes, fast_ssv_maximum(model, sequence), length);
  }
  if (stage.result == ByteResult::NeedsMsv) stage = fast_msv_result(model, sequence);
  return first_stage_score(stage, length);
}

}  // namespace gpuhmm::hmmer3
#endif
