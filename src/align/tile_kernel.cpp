// Computes one tile, row by row. Deletes are computed by doubling: runs of up to 1, 2, 4 (and 8) deletes
// after a match, then continuing from the D of the previous vector.
#include "align/tile_kernel.hpp"

#include "align/grid_model.hpp"

#define HWY_TARGET_INCLUDE "align/tile_kernel.cpp"
#include "simd/foreach_target.hpp"
// For each instruction set:
#include "filter/simd/score_vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::grid::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

using L = simd::HWY_NAMESPACE::WholeVectors<std::int32_t>;
using V = L::V;

// The deletes of a row, one vector after another.
class DeleteRow {
 public:
  HWY_INLINE DeleteRow(const Tile& tile, std::int32_t entering)
      : runs_(tile.runs), opening_before_(hn::Set(L::D(), entering)) {
    const V floor = hn::Set(L::D(), kNoPathYet);
    one_before_ = two_before_ = four_before_ = before_ = floor;
  }

  // D of the nodes from `place` on; `opening`: from M of each node into D of the next.
  HWY_INLINE V next(V opening, std::size_t place) {
    const auto score = [&](std::size_t run) { return hn::LoadU(L::D(), runs_[run] + place); };
    const V one = L::up<1>(opening, opening_before_);
    opening_before_ = opening;
    const V two = hn::Max(one, hn::Add(L::up<1>(one, one_before_), score(0)));
    one_before_ = one;
    V four = hn::Max(two, hn::Add(L::up<2>(two, two_before_), score(1)));
    two_before_ = two;
    if constexpr (L::kLanes == 8) {
      const V eight = hn::Max(four, hn::Add(L::up<4>(four, four_before_), score(2)));
      four_before_ = four;
      four = eight;
    }
    before_ = hn::Max(four, hn::Add(before_, score(L::kLanes == 8 ? 3 : 2)));
    return before_;
  }

 private:
  const std::array<const std::int32_t*, kDeleteRuns>& runs_;
  V opening_before_, one_before_, two_before_, four_before_, before_;
};

void fill(const Tile& t) {
  const L::D d;
  for (std::size_t row = 0; row < t.rows; ++row) {
    const TileEdge& edge = t.edge[row];
    const std::size_t emission = t.residues[row] * t.emission_stride;
    std::int32_t* HWY_RESTRICT match_row = t.cells + row * 3 * t.stride;
    std::int32_t* HWY_RESTRICT insert_row = match_row + t.stride;
    std::int32_t* HWY_RESTRICT delete_row = insert_row + t.stride;
    const V begin = hn::Set(d, edge.begin);
    V onward_before = hn::Set(d, edge.handed_on);
    DeleteRow deletes(t, edge.entering);
    for (std::size_t w = 0; w < t.places; w += L::kLanes) {
      const auto load = [&](const std::int32_t* scores) { return hn::LoadU(d, scores + w); };
      const V onward = load(t.onward);
      const V into = L::up<1>(onward, onward_before);
      onward_before = onward;
      const V match =
          hn::Add(hn::Max(into, hn::Add(begin, load(t.begin))), load(t.match_emission + emission));
      const V insert = hn::Add(load(t.inserting), load(t.insert_emission + emission));
      const V del = deletes.next(hn::Add(match, load(t.md)), w);
      hn::StoreU(match, d, match_row + w);
      hn::StoreU(insert, d, insert_row + w);
      hn::StoreU(del, d, delete_row + w);
      hn::StoreU(
          hn::Max(hn::Max(hn::Add(match, load(t.mm)), hn::Add(insert, load(t.im))), hn::Add(del, load(t.dm))),
          d, t.onward + w);
      hn::StoreU(hn::Max(hn::Add(match, load(t.mi)), hn::Add(insert, load(t.ii))), d, t.inserting + w);
    }
  }
}

#else  // no vectors: never called

void fill(const Tile&) {}

#endif

}  // namespace gpuhmm::grid::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm::grid {

GPUHMM_SIMD_TABLE(fill);

void fill_tile(const Tile& tile) { GPUHMM_SIMD_CALL(fill)(tile); }

}  // namespace gpuhmm::grid
#endif
