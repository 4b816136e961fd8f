// The vector kernel: for kHostStep lines g and two vectors of lines h all runs live in registers while the rows
// go by, last row first, so that a run is the best rectangle that begins at the row.
//   run = max(run + (upper[h] - lower[g]), 0)
// What is kept beside the best sum depends on what the smallest top is: the row where the sum is reached, or the
// line g ("by line", transposed matrices).

// Which of Highway's instruction sets: not those with vectors of unknown length. Before any Highway header.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "submatrix/host_walk_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

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
    V open[kHostStep][kVectors];
    V best_of_line[kHostStep];
    for (std::size_t a = 0; a < kHostStep; ++a) {
      best_of_line[a] = zero;
      for (std::size_t b = 0; b < kVectors; ++b) {
        run[a][b] = zero;
        const V line = hn::Iota(d, static_cast<T>(h + b * kLanes));
        open[a][b] = hn::VecFromMask(d, hn::Ge(line, hn::Set(d, static_cast<T>(g + a))));
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
          if constexpr (kDiagonal) sum = hn::And(sum, open[a][b]);
          run[a][b] = hn::Max(hn::Add(run[a][b], sum), zero);
          if constexpr (kByLine) {
            best_of_line[a] = hn::Max(best_of_line[a], run[a][b]);
          } else {
            best_of_row = hn::Max(best_of_row, run[a][b]);
          }
        }
      }
      if constexpr (!kByLine) {
        best_row = hn::IfThenElse(hn::Ge(best_of_row, best), hn::Set(d, static_cast<T>(row)), best_row);
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

HWY_EXPORT(walk_32);
HWY_EXPORT(walk_64);

}  // namespace submatrix

WalkResult walk_panel(const Planes<std::int32_t>& planes, bool by_line, std::size_t panel, std::size_t first,
                      std::size_t last) {
  using namespace submatrix;
  return HWY_DYNAMIC_DISPATCH(walk_32)(planes, by_line, panel, first, last);
}

WalkResult walk_panel(const Planes<std::int64_t>& planes, bool by_line, std::size_t panel, std::size_t first,
                      std::size_t last) {
  using namespace submatrix;
  return HWY_DYNAMIC_DISPATCH(walk_64)(planes, by_line, panel, first, last);
}

}  // namespace gpuhmm
#endif
