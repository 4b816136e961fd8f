// The vector kernel. For kHostStep lines g and two vectors of lines h it keeps all runs in registers and
// walks the rows from last to first, so that a run is the largest sum of a rectangle that begins at the row:
//   run = max(run + (upper[h] - lower[g]), 0)
// It keeps only the largest sum, because no registers are left for the row where it begins. Tiles of pairs
// that reach the largest sum so far are walked again to find the smallest top: the row where the sum is
// reached, or the line g if the matrix is transposed.

#include <algorithm>

#include "companion/submatrix/host_walk.hpp"

#define HWY_TARGET_INCLUDE "companion/submatrix/host_walk_kernel.cpp"
#include "simd/foreach_target.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::submatrix::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// What a walk finds: only the largest sum, or also the row or line where it begins.
enum class Kept { Sum, Row, Line };

template <class T>
struct Kernel {
  using D = hn::CappedTag<T, 32 / sizeof(T)>;
  using V = hn::Vec<D>;
  static constexpr std::size_t kLanes = hn::MaxLanes(D());
  static constexpr std::size_t kVectors = 2;
  static constexpr std::size_t kWidth = kVectors * kLanes;  // lines h that are walked at a time
  static_assert(kHostPanel % kWidth == 0);

  const T* HWY_RESTRICT lower;  // lines g of the first row
  const T* HWY_RESTRICT upper;  // lines h of the first row
  std::size_t length;

  // The largest lane of `sums`, and the smallest lane of `places` among the lanes with that sum.
  static WalkResult reduce(V sums, V places) {
    const D d;
    HWY_ALIGN T sum[kLanes];
    HWY_ALIGN T place[kLanes];
    hn::Store(sums, d, sum);
    hn::Store(places, d, place);
    WalkResult best;
    for (std::size_t l = 0; l < kLanes; ++l) best.merge({sum[l], static_cast<std::size_t>(place[l])});
    return best;
  }

  // Walks kHostStep x kWidth pairs, from lines `g` and `h` on. kDiagonal: some of the pairs have g > h and
  // are left out. With Kept::Sum the result's `first` is 0.
  template <Kept kKept, bool kDiagonal>
  HWY_INLINE WalkResult walk(std::size_t g, std::size_t h) const {
    const D d;
    const V zero = hn::Zero(d);
    V run[kHostStep][kVectors];
    V closed[kHostStep][kVectors];  // all bits set for pairs with g > h
    V best_of_line[kHostStep];
    for (std::size_t a = 0; a < kHostStep; ++a) {
      best_of_line[a] = zero;
      for (std::size_t b = 0; b < kVectors; ++b) {
        run[a][b] = zero;
        const V line = hn::Iota(d, static_cast<T>(h + b * kLanes));
        closed[a][b] = hn::VecFromMask(d, hn::Gt(hn::Set(d, static_cast<T>(g + a)), line));
      }
    }
    V best[kVectors];  // one for each vector, so that they do not wait for each other
    V best_row[kVectors];
    for (std::size_t b = 0; b < kVectors; ++b) best[b] = best_row[b] = zero;
    for (std::size_t row = length; row-- > 0;) {
      V top[kVectors];
      V best_of_row[kVectors];
      for (std::size_t b = 0; b < kVectors; ++b) {
        top[b] = hn::LoadU(d, upper + row * kHostPanel + b * kLanes);
        best_of_row[b] = zero;
      }
      for (std::size_t a = 0; a < kHostStep; ++a) {
        const V low = hn::Set(d, lower[row * kHostPanel + a]);
        for (std::size_t b = 0; b < kVectors; ++b) {
          V sum = hn::Sub(top[b], low);
          if constexpr (kDiagonal) sum = hn::AndNot(closed[a][b], sum);
          run[a][b] = hn::Max(hn::Add(run[a][b], sum), zero);
          if constexpr (kKept == Kept::Sum) best[b] = hn::Max(best[b], run[a][b]);
          if constexpr (kKept == Kept::Row) best_of_row[b] = hn::Max(best_of_row[b], run[a][b]);
          if constexpr (kKept == Kept::Line) best_of_line[a] = hn::Max(best_of_line[a], run[a][b]);
        }
      }
      if constexpr (kKept == Kept::Row) {
        for (std::size_t b = 0; b < kVectors; ++b) {
          const auto keep = hn::Gt(best[b], best_of_row[b]);
          best_row[b] = hn::IfThenElse(keep, best_row[b], hn::Set(d, static_cast<T>(row)));
          best[b] = hn::Max(best[b], best_of_row[b]);
        }
      }
    }
    WalkResult result;
    if constexpr (kKept != Kept::Line) {
      for (std::size_t b = 0; b < kVectors; ++b) result.merge(reduce(best[b], best_row[b]));
      return result;
    }
    for (std::size_t a = 0; a < kHostStep; ++a) {
      result.merge(reduce(best_of_line[a], hn::Set(d, static_cast<T>(g + a))));
    }
    return result;
  }

  template <Kept kKept>
  WalkResult walk(std::size_t g, std::size_t h) const {
    return g + kHostStep <= h + 1 ? walk<kKept, false>(g, h) : walk<kKept, true>(g, h);
  }
};

template <class T>
WalkResult walk_lines(const Planes<T>& planes, bool by_line, const PanelShare& share, std::int64_t floor) {
  using K = Kernel<T>;
  const std::size_t panel_size = planes.length * kHostPanel;
  WalkResult best{floor, planes.length + planes.lines()};
  for (std::size_t part = 0; part < kHostPanel; part += K::kWidth) {
    const std::size_t h = share.panel * kHostPanel + part;
    for (std::size_t g = share.first; g < std::min(share.last, h + K::kWidth); g += kHostStep) {
      const K kernel{planes.lower.data() + g / kHostPanel * panel_size + g % kHostPanel,
                     planes.upper.data() + share.panel * panel_size + part, planes.length};
      if (kernel.template walk<Kept::Sum>(g, h).sum < std::max<std::int64_t>(best.sum, 1)) continue;
      best.merge(by_line ? kernel.template walk<Kept::Line>(g, h) : kernel.template walk<Kept::Row>(g, h));
    }
  }
  return best;
}

WalkResult walk_32(const Planes<std::int32_t>& planes, bool by_line, const PanelShare& share,
                   std::int64_t floor) {
  return walk_lines(planes, by_line, share, floor);
}

WalkResult walk_64(const Planes<std::int64_t>& planes, bool by_line, const PanelShare& share,
                   std::int64_t floor) {
  return walk_lines(planes, by_line, share, floor);
}

}  // namespace gpuhmm::submatrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm {
namespace submatrix {

GPUHMM_SIMD_TABLE(walk_32);
GPUHMM_SIMD_TABLE(walk_64);

}  // namespace submatrix

WalkResult walk_panel(const Planes<std::int32_t>& planes, bool by_line, const PanelShare& share,
                      std::int64_t floor) {
  using namespace submatrix;
  return GPUHMM_SIMD_CALL(walk_32)(planes, by_line, share, floor);
}

WalkResult walk_panel(const Planes<std::int64_t>& planes, bool by_line, const PanelShare& share,
                      std::int64_t floor) {
  using namespace submatrix;
  return GPUHMM_SIMD_CALL(walk_64)(planes, by_line, share, floor);
}

}  // namespace gpuhmm
#endif
