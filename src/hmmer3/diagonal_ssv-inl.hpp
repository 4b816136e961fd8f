// SSV of small models: each lane has a diagonal of its own, and the diagonals of some vectors go from node to
// node together. A node's costs, one for each residue code, are in registers, in which the lanes look up
// their residues. No lane waits for another one, and none is behind the last node, as they do and are in
// bands (byte_filters.cpp).
#if defined(GPUHMM_HMMER3_DIAGONAL_SSV_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GPUHMM_HMMER3_DIAGONAL_SSV_INL
#undef GPUHMM_HMMER3_DIAGONAL_SSV_INL
#else
#define GPUHMM_HMMER3_DIAGONAL_SSV_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "hmmer3/fast_filters.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::hmmer3::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

class DiagonalSsv {
  static constexpr hwy::HWY_NAMESPACE::CappedTag<std::int8_t, 32> kTag{};
  static constexpr std::size_t kLanes = hwy::HWY_NAMESPACE::MaxLanes(kTag);

 public:
  using Cells = hwy::HWY_NAMESPACE::Vec<decltype(kTag)>;

  DiagonalSsv(const DiagonalCosts& costs, Residues sequence)
      : costs_(costs.data()), nodes_(costs.nodes()), before_(nodes_ - 1), sequence_(sequence) {}

  /// The largest cells, of which each lane has one. There is at least one residue.
  Cells maxima() {
    namespace hn = hwy::HWY_NAMESPACE;
    // A diagonal begins at each residue, and some begin behind the first node.
    const std::size_t vectors = (before_ + sequence_.size() + kLanes - 1) / kLanes;
    Cells best = lowest();
    for (std::size_t first = 0; first < vectors; first += kVectorsOfPart) {
      const std::size_t last = std::min(first + kVectorsOfPart, vectors);
      take_residues(first * kLanes, last * kLanes);
      std::size_t block = first;
      for (; block + kVectorsOfBlock <= last; block += kVectorsOfBlock)
        best = hn::Max(best, block_maxima<kVectorsOfBlock>(*this, (block - first) * kLanes));
      if (block < last) best = hn::Max(best, kBlocks[last - block - 1](*this, (block - first) * kLanes));
    }
    return best;
  }

 private:
  // Vectors of diagonals whose cells fit into registers with what else is needed; of a part of the sequence.
  static constexpr std::size_t kVectorsOfBlock = 8, kVectorsOfPart = 4 * kVectorsOfBlock;
  static constexpr std::int8_t kHalf = DiagonalCosts::kCodes / 2;

  static HWY_INLINE Cells lowest() { return hwy::HWY_NAMESPACE::Set(kTag, kSsvFloor); }

  // Residues as places in the second half of a node's costs: negative ones are in the first half.
  static HWY_INLINE Cells places(const std::uint8_t* residues) {
    namespace hn = hwy::HWY_NAMESPACE;
    const hn::RebindToUnsigned<decltype(kTag)> codes;
    return hn::Sub(hn::BitCast(kTag, hn::LoadU(codes, residues)), hn::Set(kTag, kHalf));
  }

  // The places of the residues at the first nodes of diagonals `first` to `last`, and of those that follow;
  // in front of the sequence and behind it a residue that costs nothing.
  void take_residues(std::size_t first, std::size_t last) {
    namespace hn = hwy::HWY_NAMESPACE;
    const Cells nothing = hn::Set(kTag, static_cast<std::int8_t>(DiagonalCosts::kFree - kHalf));
    std::int8_t* to = places_ + kLanes;
    if (first == 0) {
      for (std::size_t i = 0; i < before_; i += kLanes) hn::Store(nothing, kTag, to + i);
      to += before_;
    }
    const std::size_t begin = first == 0 ? 0 : first - before_;
    const std::uint8_t* const from = sequence_.data() + begin;
    const std::size_t count = std::min(sequence_.size(), last) - begin;
    if (sequence_.size() < kLanes) {
      std::uint8_t residues[kLanes] = {};
      std::memcpy(residues, sequence_.data(), count);
      hn::StoreU(places(residues), kTag, to);
    } else {
      for (std::size_t i = 0; i + kLanes < count; i += kLanes) hn::StoreU(places(from + i), kTag, to + i);
      // The last ones; there may be less than a vector of them, but more in front.
      hn::StoreU(places(from + count - kLanes), kTag, to + count - kLanes);
    }
    for (std::size_t i = 0; i < before_ + kLanes; i += kLanes) hn::StoreU(nothing, kTag, to + count + i);
  }

  // The largest cells of kVectors vectors of diagonals, whose first residues are at `first`.
  template <std::size_t kVectors>
  static Cells block_maxima(const DiagonalSsv& self, std::size_t first) {
    namespace hn = hwy::HWY_NAMESPACE;
    Cells cells[kVectors], best[2] = {lowest(), lowest()};
    begin<0>(cells);
    const std::int8_t *at = self.places_ + kLanes + first, *costs = self.costs_;
    for (std::size_t k = 0; k < self.nodes_; ++k, ++at, costs += DiagonalCosts::kCodes)
      step<0>(cells, best, hn::LoadDup128(kTag, costs), hn::LoadDup128(kTag, costs + kHalf), at);
    return hn::Max(best[0], best[1]);
  }
  template <std::size_t kAt, std::size_t kVectors>
  static HWY_INLINE void begin(Cells (&cells)[kVectors]) {
    if constexpr (kAt < kVectors) {
      cells[kAt] = lowest();
      begin<kAt + 1>(cells);
    }
  }
  template <std::size_t kAt, std::size_t kVectors>
  static HWY_INLINE void step(Cells (&cells)[kVectors], Cells (&best)[2], Cells first_half, Cells second_half,
                              const std::int8_t* places) {
    namespace hn = hwy::HWY_NAMESPACE;
    if constexpr (kAt < kVectors) {
      // A negative place finds 0. The other bits turned over make 0 to 15 of the places in the first half.
      const Cells place = hn::LoadU(kTag, places + kAt * kLanes);
      const Cells in_first = hn::Xor(place, hn::Set(kTag, static_cast<std::int8_t>(0xF0)));
      const Cells cost =
          hn::Or(hn::TableLookupBytesOr0(first_half, in_first), hn::TableLookupBytesOr0(second_half, place));
      cells[kAt] = hn::SaturatedSub(cells[kAt], cost);
      best[kAt % 2] = hn::Max(best[kAt % 2], cells[kAt]);
      step<kAt + 1>(cells, best, first_half, second_half, places);
    }
  }

  using Block = Cells (*)(const DiagonalSsv&, std::size_t);
  template <std::size_t... kVectors>
  static constexpr std::array<Block, sizeof...(kVectors)> blocks(std::index_sequence<kVectors...>) {
    return {&block_maxima<kVectors + 1>...};
  }
  static constexpr std::size_t kPlaces =
      (1 + kVectorsOfPart + 1) * kLanes + (2 * DiagonalCosts::kMostNodes + kLanes) / kLanes * kLanes;
  static const std::array<Block, kVectorsOfBlock - 1> kBlocks;

  const std::int8_t* costs_;
  std::size_t nodes_, before_;  // the nodes, and those in front of the last one
  Residues sequence_;
  alignas(32) std::int8_t places_[kPlaces];  // a vector that is not read, then those of take_residues()
};

inline const std::array<DiagonalSsv::Block, DiagonalSsv::kVectorsOfBlock - 1> DiagonalSsv::kBlocks =
    DiagonalSsv::blocks(std::make_index_sequence<DiagonalSsv::kVectorsOfBlock - 1>());

#endif

}  // namespace gpuhmm::hmmer3::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
