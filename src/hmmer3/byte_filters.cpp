// SSV and MSV in vectors of bytes.
//
// SSV of small models: diagonal_ssv-inl.hpp. That of others needs no memory but its costs: a cell depends on
// the one before it on its diagonal only. A band of adjacent vectors stays in registers for the whole
// sequence and moves on by one vector a residue, so that each lane follows a diagonal. Where a vector of the
// band goes on from the last vector of the model to the first, its lanes move up by one. Bands that begin at
// different vectors together see every cell once.
//
// MSV goes row by row. A row's best cell matters to later rows only if it is above all before it by so much
// that J counts: one comparison a row finds out.
#include <algorithm>
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
#include "hmmer3/diagonal_ssv-inl.hpp"
#include "simd/lane_moves-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::hmmer3::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

std::size_t widest_band() { return 1; }
std::size_t most_nodes_by_diagonals() { return 0; }
SsvMaximum ssv(const FilterProfile& model, Residues sequence) { return ssv_maximum(model.bytes, sequence); }
FirstStage msv(const FilterProfile& model, Residues sequence) { return msv_result(model.bytes, sequence); }
SsvMaximum striped_ssv(const StripedBytes& model, Residues sequence) {
  return ssv_maximum(model.by_node(), sequence);
}
FirstStage striped_msv(const StripedBytes& model, Residues sequence) {
  return msv_result(model.by_node(), sequence);
}

#else

namespace hn = hwy::HWY_NAMESPACE;

// Two registers hold maxima, and one or two are for passage.
#if HWY_TARGET == HWY_SSE2 || HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2
constexpr std::size_t kWidestBand = 13;
#else
constexpr std::size_t kWidestBand = 26;
#endif

// The vectors that costs are laid out for: those of the machine, or those of HMMER3.
struct OfMachine {
  static constexpr std::size_t kWidest = kWidestBand;
  static constexpr hn::CappedTag<std::int8_t, 32> kSigned{};
  static constexpr hn::CappedTag<std::uint8_t, 32> kUnsigned{};
  template <class Tag, class T>
  static HWY_INLINE hn::Vec<Tag> load(Tag tag, const T* costs) {
    return hn::Load(tag, costs);
  }
};
struct OfHmmer3 {
  static constexpr std::size_t kWidest =
      kWidestBand < StripedBytes::kRepeated + 1 ? kWidestBand : StripedBytes::kRepeated + 1;
  static constexpr hn::CappedTag<std::int8_t, StripedBytes::kLanes> kSigned{};
  static constexpr hn::CappedTag<std::uint8_t, StripedBytes::kLanes> kUnsigned{};
  template <class Tag, class T>
  static HWY_INLINE hn::Vec<Tag> load(Tag tag, const T* costs) {
    return hn::LoadU(tag, costs);
  }
};
template <class Layout>
using Signed = hn::Vec<decltype(Layout::kSigned)>;
template <class Layout>
using Unsigned = hn::Vec<decltype(Layout::kUnsigned)>;
template <class Layout>
constexpr std::size_t kLanes = hn::MaxLanes(Layout::kSigned);

std::size_t widest_band() { return kWidestBand; }

// The most nodes with which diagonals are quicker than bands.
std::size_t most_nodes_by_diagonals() {
#if HWY_TARGET == HWY_SSE2  // has no instruction for lookups
  return 0;
#else
  return kLanes<OfMachine> == 32 ? DiagonalCosts::kMostNodes : 12;
#endif
}

// Whether the rows in which vectors of a band cross are a loop. It is up to 17 % slower than one row behind
// the other, for which clang++ 16 takes more than ten minutes (with the loop one; g++ 12 less than one for
// either).
#ifdef __clang__
constexpr bool kCrossesInALoop = true;
#else
constexpr bool kCrossesInALoop = false;
#endif

// A band of kWidth vectors on its way through kStreams parts of the sequence.
template <class Layout, std::size_t kWidth, std::size_t kStreams>
class SsvBand {
 public:
  using Cells = Signed<Layout>;

  HWY_INLINE SsvBand(const ByteRows& costs, const std::array<const std::uint8_t*, kStreams>& parts,
                     std::size_t rows)
      : costs_(costs.ssv), stride_(costs.ssv_stride), vectors_(costs.vectors), parts_(parts), rows_(rows) {}

  // The largest cells of the band that begins at a vector.
  HWY_INLINE Cells run(std::size_t first) {
    for (auto& stream : streams_) {
      for (Cells& cells : stream) cells = lowest();
    }
    for (Cells& best : best_) best = lowest();
    from_ = costs_ + first * kLanes<Layout>;
    std::size_t before_crossing = vectors_ - kWidth - first + 1;
    for (;;) {
      const std::size_t stop = std::min(rows_, row_ + before_crossing);
      while (row_ != stop) row();
      if (row_ == rows_ || !cross()) break;
      move_up(0);
      from_ = costs_;
      before_crossing = vectors_ - kWidth + 1;
    }
    return hn::Max(best_[0], best_[1]);
  }

 private:
  static HWY_INLINE Cells lowest() {
    return hn::Set(Layout::kSigned, std::numeric_limits<std::int8_t>::min());
  }

  // A residue of each part; the band moves on.
  HWY_INLINE void row() {
    row_of<0>();
    ++row_;
    from_ += kLanes<Layout>;
  }
  template <std::size_t kStream>
  HWY_INLINE void row_of() {
    if constexpr (kStream < kStreams) {
      step<kStream, 0>(from_ + parts_[kStream][row_] * stride_);
      row_of<kStream + 1>();
    }
  }
  template <std::size_t kStream, std::size_t kAt>
  HWY_INLINE void step(const std::int8_t* costs) {
    if constexpr (kAt < kWidth) {
      Cells& cells = streams_[kStream][kAt];
      cells = hn::SaturatedSub(cells, Layout::load(Layout::kSigned, costs + kAt * kLanes<Layout>));
      Cells& best = best_[(kStream + kAt) % 2];
      best = hn::Max(best, cells);
      step<kStream, kAt + 1>(costs);
    }
  }

  // A vector goes on from the model's last vector to its first.
  HWY_INLINE void move_up(std::size_t at) {
    for (auto& stream : streams_) {
      stream[at] = simd::HWY_NAMESPACE::lanes_moved_up<1>(Layout::kSigned, stream[at], lowest());
    }
  }

  // The rows in which the band's last vector, the one before it ... cross, but for its first. False if the
  // sequence ends.
  HWY_INLINE bool cross() {
    if constexpr (!kCrossesInALoop) return cross_one_by_one<0>();
    for (std::size_t at = kWidth - 1; at > 0; --at) {
      if (row_ == rows_) return false;
      move_up_one_of(at, std::make_index_sequence<kWidth>());
      row();
    }
    return true;
  }
  template <std::size_t kRow>
  HWY_INLINE bool cross_one_by_one() {
    if constexpr (kRow + 1 < kWidth) {
      if (row_ == rows_) return false;
      move_up(kWidth - 1 - kRow);
      row();
      return cross_one_by_one<kRow + 1>();
    } else {
      return true;
    }
  }
  // Each place is a constant where it is used, so that cells stay in registers.
  template <std::size_t... kAt>
  HWY_INLINE void move_up_one_of(std::size_t at, std::index_sequence<kAt...>) {
    static_cast<void>(((at == kAt && (move_up(kAt), true)) || ...));
  }

  const std::int8_t* costs_;
  std::size_t stride_, vectors_;
  std::array<const std::uint8_t*, kStreams> parts_;
  std::size_t rows_, row_ = 0;
  const std::int8_t* from_ = nullptr;  // costs of the band's place, but for the residue
  Cells streams_[kStreams][kWidth];
  Cells best_[2];
};

template <class Tag>
HWY_INLINE int largest(Tag tag, hn::Vec<Tag> v) {
  if constexpr (hn::MaxLanes(tag) == 32) v = hn::Max(v, hn::ConcatLowerUpper(tag, v, v));
  v = hn::Max(v, hn::CombineShiftRightBytes<8>(tag, v, v));
  v = hn::Max(v, hn::CombineShiftRightBytes<4>(tag, v, v));
  v = hn::Max(v, hn::CombineShiftRightBytes<2>(tag, v, v));
  v = hn::Max(v, hn::CombineShiftRightBytes<1>(tag, v, v));
  return hn::GetLane(v);
}

// A small model's rows wait for each other: parts of the sequence go side by side. No diagonal is longer than
// the model, so that parts which overlap by its nodes less one see each diagonal whole.
template <std::size_t kWidth>
constexpr std::size_t kStreamsOfWidth = kWidth == 1   ? 4
                                        : kWidth == 2 ? 2
                                                      : 1;

// The largest cell of a band.
template <class Layout, std::size_t kWidth>
int band_maximum(const ByteRows& costs, std::size_t overlap, Residues sequence, std::size_t first) {
  constexpr std::size_t kStreams = kStreamsOfWidth<kWidth>;
  const std::uint8_t* const begin = sequence.data();
  if constexpr (kStreams > 1) {
    const std::size_t rows = (sequence.size() + (kStreams - 1) * (overlap + 1)) / kStreams;
    if (rows < sequence.size()) {
      std::array<const std::uint8_t*, kStreams> parts;
      for (std::size_t s = 0; s < kStreams; ++s) {
        parts[s] = begin + std::min(s * (rows - overlap), sequence.size() - rows);
      }
      return largest(Layout::kSigned, SsvBand<Layout, kWidth, kStreams>(costs, parts, rows).run(first));
    }
  }
  return largest(Layout::kSigned, SsvBand<Layout, kWidth, 1>(costs, {begin}, sequence.size()).run(first));
}

using BandFunction = int (*)(const ByteRows&, std::size_t, Residues, std::size_t);
template <class Layout, std::size_t... kWidth>
constexpr std::array<BandFunction, Layout::kWidest> band_functions(std::index_sequence<kWidth...>) {
  return {&band_maximum<Layout, kWidth + 1>...};
}

template <class Layout>
SsvMaximum ssv_of(const ByteParameters& model, const ByteRows& costs, Residues sequence) {
  constexpr std::array<BandFunction, Layout::kWidest> kFunctions =
      band_functions<Layout>(std::make_index_sequence<Layout::kWidest>());
  const auto overlap = static_cast<std::size_t>(model.nodes - 1);
  int most = std::numeric_limits<std::int8_t>::min();
  std::size_t first = 0;
  for (std::size_t band = 0; band < costs.bands; ++band) {
    const std::size_t last = costs.vectors * (band + 1) / costs.bands;
    const int found = kFunctions[last - first - 1](costs, overlap, sequence, first);
    most = found > most ? found : most;
    first = last;
  }
  return ssv_maximum_of(model, most);
}

template <class Layout>
FirstStage msv_of(const ByteParameters& model, const ByteRows& rows, Residues sequence) {
  constexpr auto kUnsigned = Layout::kUnsigned;
  using Cells = Unsigned<Layout>;
  const std::size_t row_size = rows.vectors * kLanes<Layout>;
  const auto length = static_cast<std::int64_t>(sequence.size());
  const int to_begin = (ByteModel::move_cost(length) + model.begin_cost) % 256;
  const auto byte = [](int x) {
    return hn::Set(Layout::kUnsigned, static_cast<std::uint8_t>(x < 0 ? 0 : x));
  };
  const auto lower = [](int a, int b) { return a < b ? a : b; };
  const int overflow = 255 - model.bias;  // the least such cell

  const Cells bias = byte(model.bias), zero = hn::Zero(kUnsigned);
  Cells begin = byte(ByteModel::kBase - to_begin), best = zero;
  // The largest cell that has no effect on later rows.
  Cells unimportant = byte(lower(ByteModel::kBase + model.end_cost, overflow - 1));
  simd::AlignedBuffer<std::uint8_t> cells(row_size, 0);
  for (const std::uint8_t residue : sequence) {
    const std::uint8_t* costs = rows.msv + residue * row_size;
    std::uint8_t* cell = cells.data();
    Cells before = simd::HWY_NAMESPACE::lanes_moved_up<1>(
        kUnsigned, hn::Load(kUnsigned, cell + row_size - kLanes<Layout>), zero);
    for (std::size_t q = 0; q < rows.vectors; ++q, cell += kLanes<Layout>, costs += kLanes<Layout>) {
      const Cells biased = hn::SaturatedAdd(hn::Max(before, begin), bias);
      const Cells now = hn::SaturatedSub(biased, Layout::load(kUnsigned, costs));
      best = hn::Max(best, now);
      before = hn::Load(kUnsigned, cell);
      hn::Store(now, kUnsigned, cell);
    }
    if (hn::AllTrue(kUnsigned, hn::Eq(hn::Max(best, unimportant), unimportant))) continue;
    const int most = largest(kUnsigned, best);
    if (most >= overflow) return {ByteResult::Overflow, 0};
    begin = byte(most - model.end_cost - to_begin);
    unimportant = byte(most);
  }
  const int most = largest(kUnsigned, best);
  if (!sequence.empty() && most >= overflow) return {ByteResult::Overflow, 0};
  return {ByteResult::Score, most > model.end_cost ? most - model.end_cost : 0};
}

SsvMaximum ssv(const FilterProfile& model, Residues sequence) {
  const DiagonalCosts& diagonals = model.byte_tables.diagonals;
  if (!diagonals.empty() && !sequence.empty()) {
    return ssv_maximum_of(model.bytes,
                          largest(OfMachine::kSigned, DiagonalSsv(diagonals, sequence).maxima()));
  }
  return ssv_of<OfMachine>(model.bytes, model.byte_tables.rows(), sequence);
}
FirstStage msv(const FilterProfile& model, Residues sequence) {
  return msv_of<OfMachine>(model.bytes, model.byte_tables.rows(), sequence);
}
SsvMaximum striped_ssv(const StripedBytes& model, Residues sequence) {
  return ssv_of<OfHmmer3>(model, model.rows, sequence);
}
FirstStage striped_msv(const StripedBytes& model, Residues sequence) {
  return msv_of<OfHmmer3>(model, model.rows, sequence);
}

#endif

}  // namespace gpuhmm::hmmer3::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm::hmmer3 {

GPUHMM_SIMD_TABLE(widest_band);
GPUHMM_SIMD_TABLE(most_nodes_by_diagonals);
GPUHMM_SIMD_TABLE(ssv);
GPUHMM_SIMD_TABLE(msv);
GPUHMM_SIMD_TABLE(striped_ssv);
GPUHMM_SIMD_TABLE(striped_msv);

namespace {

template <class Model>
float msv_score_of(const ByteParameters& parameters, const Model& model, Residues sequence) {
  const auto length = static_cast<std::int64_t>(sequence.size());
  FirstStage stage{ByteResult::NeedsMsv, 0};
  if (ssv_applies(parameters, length)) {
    stage = ssv_result(parameters, fast_ssv_maximum(model, sequence), length);
  }
  if (stage.result == ByteResult::NeedsMsv) stage = fast_msv_result(model, sequence);
  return first_stage_score(stage, length);
}

}  // namespace

std::size_t widest_ssv_band() { return GPUHMM_SIMD_CALL(widest_band)(); }
std::size_t most_diagonal_nodes() { return GPUHMM_SIMD_CALL(most_nodes_by_diagonals)(); }

SsvMaximum fast_ssv_maximum(const FilterProfile& model, Residues sequence) {
  return GPUHMM_SIMD_CALL(ssv)(model, sequence);
}

SsvMaximum fast_ssv_maximum(const StripedBytes& model, Residues sequence) {
  return GPUHMM_SIMD_CALL(striped_ssv)(model, sequence);
}

FirstStage fast_msv_result(const FilterProfile& model, Residues sequence) {
  return GPUHMM_SIMD_CALL(msv)(model, sequence);
}

FirstStage fast_msv_result(const StripedBytes& model, Residues sequence) {
  return GPUHMM_SIMD_CALL(striped_msv)(model, sequence);
}

float fast_msv_score(const FilterProfile& model, Residues sequence) {
  return msv_score_of(model.bytes, model, sequence);
}

float fast_msv_score(const StripedBytes& model, Residues sequence) {
  return msv_score_of(model, model, sequence);
}

}  // namespace gpuhmm::hmmer3
#endif
