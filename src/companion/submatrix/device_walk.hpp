// Walks all pairs of columns on OpenCL devices (cl/submatrix.cl) to find the largest sum of a rectangle.
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

/// Shape of the kernel in cl/submatrix.cl. `g` and `h` are the first and the last line of a pair
/// (planes.hpp).
struct WalkTile {
  unsigned item_g = 8, item_h = 8;  ///< lines g and lines h that a work-item takes; item_h is even
  unsigned group_g = 8,
           group_h = 32;  ///< work-items of a work-group over g and h; the product a power of two
  bool multiply = false;  ///< subtract on the multiply-add pipe: NVIDIA, 32 bits; else without effect
  bool prefetch = false;  ///< read a row ahead

  unsigned lines_g() const { return item_g * group_g; }
  unsigned lines_h() const { return item_h * group_h; }
};

/// The shape for a device and a matrix with `lines` lines: on GPUs the largest that gives every compute unit
/// work, on other devices work-groups of one work-item with vectors.
WalkTile choose_walk_tile(const DeviceInfo& device, std::size_t lines);

/// A device that walks one matrix at a time. Not thread-safe. All calls throw EngineFailure.
class DeviceWalker {
 public:
  explicit DeviceWalker(const DeviceInfo& device);

  const DeviceInfo& info() const { return device_.info(); }

  /// A tile of pairs, that of one work-group: its first line g and its first line h.
  struct Tile {
    std::uint32_t g, h;
  };
  /// What a walk finds besides the largest sum, as WalkResult::first: nothing, the row, or the line where it
  /// begins.
  enum class Kept : std::uint8_t { Nothing, Row, Line };

  /// Lays a matrix out in the device's memory, as one panel of `sizes`, where it replaces the one before.
  /// `threads` host threads compute the sums, some rows at a time, while others are copied. `shape`: the
  /// shape of the tiles that walk() takes.
  template <class T>
  void load(const Matrix& matrix, const SumBounds& bounds, const PlaneSizes& sizes, const WalkTile& shape,
            unsigned threads);

  /// Walks `count` tiles and writes the result of each to `found`. A launch takes at most about a quarter of
  /// a second. `first` of the results is 0 with Kept::Nothing.
  void walk(const Tile* tiles, std::size_t count, Kept kept, WalkResult* found);

  /// The estimated number of tiles for one launch of that length.
  std::size_t tiles_at_once() const { return tiles_at_once_; }
  /// Seconds that kernels have run so far, measured by the device.
  double kernel_seconds() const { return kernel_seconds_; }
  /// Wall time in seconds of all calls of load() so far.
  double copy_seconds() const { return copy_seconds_; }

 private:
  template <class T>
  void launch(const Tile* tiles, std::size_t count, Kept kept, WalkResult* found);
  std::string build_options(Kept kept) const;

  OpenDevice device_;
  Queue queue_;
  cl::Buffer lower_, upper_;
  std::array<PinnedArray<std::byte>, 2> staged_;  // rows that are filled or copied
  WalkTile shape_;
  bool wide_ = false;       // sums of 64 bits
  bool one_plane_ = false;  // upper sums are lower sums one line further
  std::size_t length_ = 0, stride_ = 0;
  std::size_t tiles_at_once_ = 1;
  double kernel_seconds_ = 0, copy_seconds_ = 0;
};

/// The tiles that hold all pairs g <= h of `lines` lines, sorted by h, then g.
std::vector<DeviceWalker::Tile> walk_tiles(const WalkTile& shape, std::size_t lines);

/// The tiles of a matrix and the best sum of each.
struct WalkedTiles {
  WalkTile shape;
  std::vector<DeviceWalker::Tile> tiles;
  std::vector<WalkResult> found;  ///< of the tiles; `first` is 0
};

/// Walks all tiles on one or more devices, which share them. `shape`: used if given, else the shape for the
/// first device. Throws EngineFailure.
template <class T>
WalkedTiles walk_tiles_on_devices(const Matrix& matrix, const SumBounds& bounds,
                                  const std::vector<std::unique_ptr<DeviceWalker>>& devices, unsigned threads,
                                  const FractionDone& done, const WalkTile* shape = nullptr);

/// Does what walk_on_host does, on one or more devices, which share the tiles. `shape`: used if given, else
/// the shape for the first device. Throws EngineFailure.
template <class T>
WalkResult walk_on_devices(const Matrix& matrix, const SumBounds& bounds,
                           const std::vector<std::unique_ptr<DeviceWalker>>& devices, unsigned threads,
                           const FractionDone& done, const WalkTile* shape = nullptr);

}  // namespace gpuhmm
