// The walk over all pairs on OpenCL devices.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "companion/submatrix/host_walk.hpp"
#include "companion/submatrix/planes.hpp"
#include "opencl/pinned_array.hpp"

namespace gpuhmm {

/// Shape of the kernel (cl/submatrix.cl).
struct WalkTile {
  unsigned item_g = 8, item_h = 8;  ///< lines g and h of a work-item; item_h is even
  unsigned group_g = 8,
           group_h = 32;  ///< work-items of a work-group over g and h; the product a power of two
  bool multiply = false;  ///< subtract on the multiply-add pipe: NVIDIA, 32 bits; else without effect
  bool prefetch = false;  ///< read a row ahead

  unsigned lines_g() const { return item_g * group_g; }
  unsigned lines_h() const { return item_h * group_h; }
};

/// The shape that suits a device for a matrix with `lines` lines: on GPUs the largest that still gives every
/// compute unit work, elsewhere vectors of one work-item.
WalkTile choose_walk_tile(const DeviceInfo& device, std::size_t lines);

/// One device. Not thread-safe. Every call throws EngineFailure.
class DeviceWalker {
 public:
  explicit DeviceWalker(const DeviceInfo& device);

  const DeviceInfo& info() const { return device_.info(); }

  /// A tile of pairs: the first lines g and h of a work-group.
  struct Tile {
    std::uint32_t g, h;
  };
  /// What a walk finds out beside the best sum (WalkResult::first).
  enum class Kept : std::uint8_t { Nothing, Row, Line };

  /// Lays a matrix out in the device's memory, as one panel of `sizes`; what was there is given up. The sums
  /// are made by `threads` threads and copied some rows at a time. `shape` decides the tiles that can be
  /// walked.
  template <class T>
  void load(const Matrix& matrix, const SumBounds& bounds, const PlaneSizes& sizes, const WalkTile& shape,
            unsigned threads);

  /// The best of each of the tiles, written to `found` (as many). The launches are kept below about a quarter
  /// of a second. `first` is 0 if nothing is kept.
  void walk(const Tile* tiles, std::size_t count, Kept kept, WalkResult* found);

  /// How many tiles make one launch of that length, as far as is known.
  std::size_t tiles_at_once() const { return tiles_at_once_; }
  /// Seconds that kernels have run so far, by the device's clock.
  double kernel_seconds() const { return kernel_seconds_; }
  /// Seconds that making and copying planes has taken so far.
  double copy_seconds() const { return copy_seconds_; }

 private:
  template <class T>
  void launch(const Tile* tiles, std::size_t count, Kept kept, WalkResult* found);
  std::string build_options(Kept kept) const;

  OpenDevice device_;
  Queue queue_;
  cl::Buffer lower_, upper_;
  std::array<PinnedArray<std::byte>, 2> staged_;  // rows on their way to the device
  WalkTile shape_;
  bool wide_ = false;       // 64 bits
  bool one_plane_ = false;  // upper is lower, one line further
  std::size_t length_ = 0, stride_ = 0;
  std::size_t tiles_at_once_ = 1;
  double kernel_seconds_ = 0, copy_seconds_ = 0;
};

/// All tiles of pairs of `lines` lines, those with most work of a kind together.
std::vector<DeviceWalker::Tile> walk_tiles(const WalkTile& shape, std::size_t lines);

/// The tiles of a matrix and the best sum of each.
struct WalkedTiles {
  WalkTile shape;
  std::vector<DeviceWalker::Tile> tiles;
  std::vector<WalkResult> found;  ///< of the tiles; `first` is 0
};

/// Walks all tiles on one device or several, which share them. `shape`, if given, instead of that chosen for
/// the first device. Throws EngineFailure.
template <class T>
WalkedTiles walk_tiles_on_devices(const Matrix& matrix, const SumBounds& bounds,
                                  const std::vector<std::unique_ptr<DeviceWalker>>& devices, unsigned threads,
                                  const FractionDone& done, const WalkTile* shape = nullptr);

/// As walk_on_host, on one device or several, which share the tiles. `shape`, if given, instead of that
/// chosen for the first device. Throws EngineFailure.
template <class T>
WalkResult walk_on_devices(const Matrix& matrix, const SumBounds& bounds,
                           const std::vector<std::unique_ptr<DeviceWalker>>& devices, unsigned threads,
                           const FractionDone& done, const WalkTile* shape = nullptr);

}  // namespace gpuhmm
