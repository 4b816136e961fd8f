// The vector kernel for tiles of strips with barriers: the runs and best sums of kOpenStep lines g and two
// vectors of lines h live in registers while the rows go by.
//   run = barrier[g] > h ? max(run + (upper[h] - lower[g]), 0) : 0
#include "companion/submatrix/open_sums.hpp"

#define HWY_TARGET_INCLUDE "companion/submatrix/open_tile_kernel.cpp"
#include "simd/foreach_target.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::submatrix::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
void walk_tile(const OpenTile<T>& tile, T* HWY_RESTRICT best_of_strip) {
  using D = hn::CappedTag<T, 32 / sizeof(T)>;
  using V = hn::Vec<D>;
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  constexpr std::size_t kVectors = kLanes < kHostPanel ? 2 : 1;
  constexpr std::size_t kWidth = kVectors * kLanes;
  static_assert(kHostPanel % kWidth == 0);
  const D d;
  const V zero = hn::Zero(d);
  for (std::size_t part = 0; part < kHostPanel; part += kWidth) {
    const T* HWY_RESTRICT lower = tile.lower;
    const T* HWY_RESTRICT upper = tile.upper + part;
    const std::int32_t* HWY_RESTRICT barriers = tile.barriers;
    V run[kOpenStep][kVectors];
    V best[kOpenStep][kVectors];
    V line[kVectors];
    for (std::size_t b = 0; b < kVectors; ++b) {
      line[b] = hn::Iota(d, static_cast<T>(static_cast<std::size_t>(tile.line) + part + b * kLanes));
      for (std::size_t a = 0; a < kOpenStep; ++a) run[a][b] = best[a][b] = zero;
    }
    for (std::size_t row = 0; row < tile.rows; ++row) {
      V top[kVectors];
      for (std::size_t b = 0; b < kVectors; ++b) top[b] = hn::LoadU(d, upper + row * kHostPanel + b * kLanes);
      for (std::size_t a = 0; a < kOpenStep; ++a) {
        const V low = hn::Set(d, lower[row * kHostPanel + a]);
        const V barrier = hn::Set(d, static_cast<T>(barriers[row * kHostPanel + a]));
        for (std::size_t b = 0; b < kVectors; ++b) {
          const V longer = hn::Max(hn::Add(run[a][b], hn::Sub(top[b], low)), zero);
          run[a][b] = hn::IfThenElseZero(hn::Gt(barrier, line[b]), longer);
          best[a][b] = hn::Max(best[a][b], run[a][b]);
        }
      }
    }
    for (std::size_t a = 0; a < kOpenStep; ++a) {
      for (std::size_t b = 0; b < kVectors; ++b) {
        hn::StoreU(best[a][b], d, best_of_strip + a * kHostPanel + part + b * kLanes);
      }
    }
  }
}

void walk_tile_32(const OpenTile<std::int32_t>& tile, std::int32_t* best) { walk_tile(tile, best); }
void walk_tile_64(const OpenTile<std::int64_t>& tile, std::int64_t* best) { walk_tile(tile, best); }

}  // namespace gpuhmm::submatrix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm {
namespace submatrix {

GPUHMM_SIMD_TABLE(walk_tile_32);
GPUHMM_SIMD_TABLE(walk_tile_64);

}  // namespace submatrix

void walk_open_tile(const OpenTile<std::int32_t>& tile, std::int32_t* best) {
  using namespace submatrix;
  GPUHMM_SIMD_CALL(walk_tile_32)(tile, best);
}

void walk_open_tile(const OpenTile<std::int64_t>& tile, std::int64_t* best) {
  using namespace submatrix;
  GPUHMM_SIMD_CALL(walk_tile_64)(tile, best);
}

}  // namespace gpuhmm
#endif
