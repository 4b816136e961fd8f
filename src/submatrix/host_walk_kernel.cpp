// The vector kernel: for kHostStep lines g and two vectors of lines h all runs live in registers while the
// rows go by, last row first, so that a run is the best rectangle that begins at the row.
//   run = max(run + (upper[h] - lower[g]), 0)
// What is kept beside the best sum depends on what the smallest top is: the row where the sum is reached, or
// the line g ("by line", transposed matrices).

#include "filter/simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "submatrix/host_walk_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "filter/simd/dispatch.hpp"
#include "submatrix/host_walk.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::submatrix::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
struct Kernel {
  using D = hn::CappedTag<T, 32 / sizeof(T)>;
  using V = hn::Vec<D>;
  static constexpr std::size_t kLanes = hn::MaxLanes(D());
  static constexpr std::size_t kVectors = 2;
  static constexpr std::size_t kWidth = kVectors * kLanes;  // lines h at a time
  static_assert(kHostPanel % kWidth == 0);

  const T* HWY_RESTRICT lower;  // lines g of the first row
  const T* HWY_RESTRICT upper;  // lines h of the first row
  std::size_t length;

  // The largest lane of `sums`, and the smallest `places` among the lanes that have it.
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

  // Walks kHostStep x kWidth pairs; the first of each are line `g` and line `h`. kDiagonal: some pairs have
  // g > h and must not count.
  template <bool kByLine, bool kDiagonal>
  HWY_INLINE WalkResult walk(std::size_t g, std::size_t h) const {
    const D d;
    const V zero = hn::Zero(d);
    V run[kHostStep][kVectors];
    V closed[kHostStep][kVectors];  // of pairs with g > h
    V best_of_line[kHostStep];
    for (std::size_t a = 0; a < kHostStep; ++a) {
      best_of_line[a] = zero;
      for (std::size_t b = 0; b < kVectors; ++b) {
        run[a][b] = zero;
        const V line = hn::Iota(d, static_cast<T>(h + b * kLanes));
        closed[a][b] = hn::VecFromMask(d, hn::Gt(hn::Set(d, static_cast<T>(g + a)), line));
      }
    }
    V best = zero;
    V best_row = zero;
    for (std::size_t row = length; row-- > 0;) {
      V top[kVectors];
      for (std::size_t b = 0; b < kVectors; ++b) {
        top[b] = hn::LoadU(d, upper + row * kHostPanel + b * kLanes);
      }
      V best_of_row = zero;
      for (std::size_t a = 0; a < kHostStep; ++a) {
        const V low = hn::Set(d, lower[row * kHostPanel + a]);
        for (std::size_t b = 0; b < kVectors; ++b) {
          V sum = hn::Sub(top[b], low);
          if constexpr (kDiagonal) sum = hn::AndNot(closed[a][b], sum);
          run[a][b] = hn::Max(hn::Add(run[a][b], sum), zero);
          if constexpr (kByLine) {
            best_of_line[a] = hn::Max(best_of_line[a], run[a][b]);
          } else {
            best_of_row = hn::Max(best_of_row, run[a][b]);
          }
        }
      }
      if constexpr (!kByLine) {
        best_row = hn::IfThenElse(hn::Gt(best, best_of_row), best_row, hn::Set(d, static_cast<T>(row)));
        best = hn::Max(best, best_of_row);
      }
    }
    if constexpr (!kByLine) return reduce(best, best_row);
    WalkResult result;
    for (std::size_t a = 0; a < kHostStep; ++a) {
      result.merge(reduce(best_of_line[a], hn::Set(d, static_cast<T>(g + a))));
    }
    return result;
  }
};

template <bool kByLine, class T>
WalkResult walk_lines(const Planes<T>& planes, std::size_t panel, std::size_t first, std::size_t last) {
  using K = Kernel<T>;
  const std::size_t panel_size = planes.length * kHostPanel;
  WalkResult best;
  for (std::size_t part = 0; part < kHostPanel; part += K::kWidth) {
    const std::size_t h = panel * kHostPanel + part;
    for (std::size_t g = first; g < std::min(last, h + K::kWidth); g += kHostStep) {
      const K kernel{planes.lower.data() + g / kHostPanel * panel_size + g % kHostPanel,
                     planes.upper.data() + panel * panel_size + part, planes.length};
      best.merge(g + kHostStep <= h + 1 ? kernel.template walk<kByLine, false>(g, h)
                                        : kernel.template walk<kByLine, true>(g, h));
    }
  }
  return best;
}

WalkResult walk_32(const Planes<std::int32_t>& planes, bool by_line, std::size_t panel, std::size_t first,
                   std::size_t last) {
  return by_line ? walk_lines<true>(planes, panel, first, last)
                 : walk_lines<false>(planes, panel, first, last);
}

WalkResult walk_64(const Planes<std::int64_t>& planes, bool by_line, std::size_t panel, std::size_t first,
                   std::size_t last) {
  return by_line ? walk_lines<true>(planes, panel, first, last)
                 : walk_lines<false>(planes, panel, first, last);
}

}  // namespace gpuhmm::submatrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm {
namespace submatrix {

GPUHMM_SIMD_TABLE(walk_32);
GPUHMM_SIMD_TABLE(walk_64);

}  // namespace submatrix

WalkResult walk_panel(const Planes<std::int32_t>& planes, bool by_line, std::size_t panel, std::size_t first,
                      std::size_t last) {
  using namespace submatrix;
  return GPUHMM_SIMD_CALL(walk_32)(planes, by_line, panel, first, last);
}

WalkResult walk_panel(const Planes<std::int64_t>& planes, bool by_line, std::size_t panel, std::size_t first,
                      std::size_t last) {
  using namespace submatrix;
  return GPUHMM_SIMD_CALL(walk_64)(planes, by_line, panel, first, last);
}

}  // namespace gpuhmm
#endif
