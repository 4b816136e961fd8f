// Copies a matrix to the devices and walks its tiles there.
#include "companion/submatrix/device_walk.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <type_traits>

#include "util/parallel.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm {

namespace {

constexpr double kLaunchSeconds = 0.25;                      // of a launch: watchdogs end those of seconds
constexpr std::size_t kStagedBytes = std::size_t{16} << 20;  // of rows filled and copied at a time

// Shapes from large to small. A larger shape reads less memory per pair.
constexpr std::array<WalkTile, 4> kGpuShapes = {{{8, 4, 8, 32, false, false},
                                                 {8, 4, 4, 32, false, false},
                                                 {4, 4, 2, 32, false, false},
                                                 {2, 2, 2, 32, false, false}}};
constexpr WalkTile kCpuShape{4, 16, 1, 1, false, false};

bool is_nvidia(const DeviceInfo& device) { return device.vendor.find("NVIDIA") != std::string::npos; }

std::size_t tile_count(const WalkTile& shape, std::size_t lines) {
  return (lines / shape.lines_g() + 1) * (lines / shape.lines_h() + 1) / 2;
}

}  // namespace

WalkTile choose_walk_tile(const DeviceInfo& device, std::size_t lines) {
  if (device.type != DeviceType::Gpu) return kCpuShape;
  WalkTile shape;
  for (const WalkTile& next : kGpuShapes) {
    shape = next;
    shape.multiply = is_nvidia(device);
    const std::size_t items = std::size_t{shape.group_g} * shape.group_h;
    const std::size_t enough = std::size_t{8} * device.compute_units * (256 / items);
    if (items <= device.max_work_group && tile_count(shape, lines) >= enough) break;
  }
  return shape;
}

std::vector<DeviceWalker::Tile> walk_tiles(const WalkTile& shape, std::size_t lines) {
  std::vector<DeviceWalker::Tile> tiles;
  for (std::size_t h = 0; h < lines; h += shape.lines_h()) {
    for (std::size_t g = 0; g < h + shape.lines_h() && g < lines; g += shape.lines_g()) {
      tiles.push_back({static_cast<std::uint32_t>(g), static_cast<std::uint32_t>(h)});
    }
  }
  return tiles;
}

DeviceWalker::DeviceWalker(const DeviceInfo& device) : device_(device), queue_(device_) {}

template <class T>
void DeviceWalker::load(const Matrix& matrix, const SumBounds& bounds, const PlaneSizes& sizes,
                        const WalkTile& shape, unsigned threads) {
  const Stopwatch watch(copy_seconds_);
  wide_ = sizeof(T) == 8;
  shape_ = shape;
  one_plane_ = sizes.one_plane;
  length_ = sizes.length;
  stride_ = sizes.stride();
  tiles_at_once_ = std::max<std::size_t>(1, 2 * device_.info().compute_units);
  const std::size_t row_bytes = sizes.sums(1) * sizeof(T);
  const std::size_t planes = one_plane_ ? 1 : 2;
  lower_ = upper_ = cl::Buffer();  // frees them before new ones are allocated
  lower_ = device_.buffer<std::byte>(row_bytes * length_, CL_MEM_READ_ONLY);
  upper_ = one_plane_ ? lower_ : device_.buffer<std::byte>(row_bytes * length_, CL_MEM_READ_ONLY);
  const std::size_t rows = std::clamp<std::size_t>(kStagedBytes / (row_bytes * planes), 1, length_);
  for (PinnedArray<std::byte>& staged : staged_) {
    if (staged.size() >= rows * row_bytes * planes) continue;
    staged = {};
    staged = PinnedArray<std::byte>(queue_, rows * row_bytes * planes);
  }
  // One buffer is filled while the other is copied.
  std::array<cl::Event, 2> copied;
  for (std::size_t first = 0, turn = 0; first < length_; first += rows, turn = 1 - turn) {
    const std::size_t last = std::min(first + rows, length_);
    queue_.wait(copied[turn]);
    std::byte* const lower = staged_[turn].data();
    std::byte* const upper = lower + (planes - 1) * rows * row_bytes;
    fill_rows(matrix, bounds, sizes, first, last, reinterpret_cast<T*>(lower), reinterpret_cast<T*>(upper),
              threads);
    const auto copy = [&](const cl::Buffer& to, const std::byte* from) {
      copied[turn] = queue_.send(to, from, (last - first) * row_bytes, first * row_bytes);
    };
    copy(lower_, lower);
    if (!one_plane_) copy(upper_, upper);
    queue_.flush();
  }
  queue_.finish();
}

std::string DeviceWalker::build_options(Kept kept) const {
  const auto set = [](const char* name, unsigned value) {
    return " -D" + std::string(name) + "=" + std::to_string(value);
  };
  return std::string("-cl-std=CL1.2 -DVALUE=") + (wide_ ? "long -DVALUE4=long4" : "int -DVALUE4=int4") +
         set("ITEM_G", shape_.item_g) + set("ITEM_H", shape_.item_h) + set("GROUP_G", shape_.group_g) +
         set("GROUP_H", shape_.group_h) +
         set("MULTIPLY", shape_.multiply && !wide_ && is_nvidia(device_.info()) ? 1 : 0) +
         set("PREFETCH", shape_.prefetch ? 1 : 0) + set("KEPT", static_cast<unsigned>(kept));
}

template <class T>
void DeviceWalker::launch(const Tile* tiles, std::size_t count, Kept kept, WalkResult* found) {
  static_assert(sizeof(Tile) == sizeof(cl_uint2));
  const cl::Buffer list = device_.buffer<Tile>(count, CL_MEM_READ_ONLY);
  const cl::Buffer sums = device_.buffer<T>(count, CL_MEM_WRITE_ONLY);
  const cl::Buffer firsts = device_.buffer<cl_uint>(count, CL_MEM_WRITE_ONLY);
  queue_.send(list, tiles, count);
  // In one plane, the upper sum of line h is the lower sum of line h + 1.
  const auto upper_place = static_cast<cl_ulong>(one_plane_ ? 1 : 0);
  const cl::Event walked = queue_.launch(
      device_.kernel({"submatrix.cl"}, "submatrix_walk", build_options(kept)),
      {cl::NDRange(count * shape_.group_h, shape_.group_g), cl::NDRange(shape_.group_h, shape_.group_g)},
      lower_, upper_, upper_place, static_cast<cl_ulong>(stride_), static_cast<cl_uint>(length_),
      static_cast<T>(-1), list, sums, firsts);
  std::vector<T> sum(count);
  std::vector<cl_uint> first(count);
  queue_.receive(sums, sum.data(), count);
  queue_.read(firsts, first.data(), count);
  for (std::size_t i = 0; i < count; ++i) found[i] = {sum[i], first[i]};
  const double seconds = queue_.time_of(walked).seconds();
  kernel_seconds_ += seconds;
  const double fitting = static_cast<double>(count) * kLaunchSeconds / std::max(seconds, 1e-6);
  const auto most = static_cast<double>(std::size_t{1} << 20);
  tiles_at_once_ = static_cast<std::size_t>(std::clamp(fitting, 1.0, most));
}

void DeviceWalker::walk(const Tile* tiles, std::size_t count, Kept kept, WalkResult* found) {
  for (std::size_t done = 0; done < count;) {
    const std::size_t now = std::min(count - done, tiles_at_once_);
    wide_ ? launch<std::int64_t>(tiles + done, now, kept, found + done)
          : launch<std::int32_t>(tiles + done, now, kept, found + done);
    done += now;
  }
}

namespace {

using Tile = DeviceWalker::Tile;
using Walkers = std::vector<std::unique_ptr<DeviceWalker>>;

// Walks all tiles; each device takes the tiles of one launch at a time.
std::vector<WalkResult> walk_all(const Walkers& devices, const std::vector<Tile>& tiles,
                                 DeviceWalker::Kept kept, const FractionDone& done) {
  std::vector<WalkResult> found(tiles.size());
  std::mutex mutex;
  std::size_t taken = 0;
  std::size_t finished = 0;
  const auto work = [&](DeviceWalker& device) {
    for (;;) {
      std::size_t first = 0;
      std::size_t count = 0;
      {
        const std::lock_guard lock(mutex);
        // No device takes more than its share of the remaining tiles, so that all finish at about the same
        // time.
        const std::size_t part = (tiles.size() - taken + devices.size() - 1) / devices.size();
        first = taken;
        count = std::min(device.tiles_at_once(), part);
        taken += count;
      }
      if (count == 0) return;
      device.walk(&tiles[first], count, kept, &found[first]);
      const std::lock_guard lock(mutex);
      finished += count;
      if (done) done(static_cast<double>(finished) / static_cast<double>(tiles.size()));
    }
  };
  parallel_for(static_cast<unsigned>(devices.size()), devices.size(), 1,
               [&](std::size_t device, std::size_t) { work(*devices[device]); });
  return found;
}

}  // namespace

template <class T>
WalkedTiles walk_tiles_on_devices(const Matrix& matrix, const SumBounds& bounds, const Walkers& devices,
                                  unsigned threads, const FractionDone& done, const WalkTile* shape) {
  const WalkShape walked = walk_shape(matrix);
  const WalkTile tile = shape != nullptr ? *shape : choose_walk_tile(devices.front()->info(), walked.lines);
  PlaneOptions options;
  options.column_multiple = std::max(tile.lines_g(), tile.lines_h());
  options.one_plane = bounds.ranges == 0;
  const PlaneSizes sizes = plane_sizes(matrix, options);
  const auto count = static_cast<unsigned>(devices.size());
  parallel_for(count, count, 1, [&](std::size_t device, std::size_t) {
    devices[device]->load<T>(matrix, bounds, sizes, tile, std::max(1U, threads / count));
  });

  WalkedTiles all{tile, walk_tiles(tile, walked.lines), {}};
  all.found = walk_all(devices, all.tiles, DeviceWalker::Kept::Nothing, done);
  return all;
}

template <class T>
WalkResult walk_on_devices(const Matrix& matrix, const SumBounds& bounds, const Walkers& devices,
                           unsigned threads, const FractionDone& done, const WalkTile* shape) {
  const WalkedTiles all = walk_tiles_on_devices<T>(matrix, bounds, devices, threads, done, shape);
  std::int64_t best = 0;
  for (const WalkResult& result : all.found) best = std::max(best, result.sum);
  if (best == 0) return {};
  // Only the tiles that reach the largest sum are walked again to find where it begins.
  std::vector<Tile> reaching;
  for (std::size_t i = 0; i < all.tiles.size(); ++i) {
    if (all.found[i].sum == best) reaching.push_back(all.tiles[i]);
  }
  const auto kept = walk_shape(matrix).transposed ? DeviceWalker::Kept::Line : DeviceWalker::Kept::Row;
  WalkResult first;
  for (const WalkResult& result : walk_all(devices, reaching, kept, {})) first.merge(result);
  return first;
}

template WalkedTiles walk_tiles_on_devices<std::int32_t>(const Matrix&, const SumBounds&, const Walkers&,
                                                         unsigned, const FractionDone&, const WalkTile*);
template WalkedTiles walk_tiles_on_devices<std::int64_t>(const Matrix&, const SumBounds&, const Walkers&,
                                                         unsigned, const FractionDone&, const WalkTile*);
template WalkResult walk_on_devices<std::int32_t>(const Matrix&, const SumBounds&, const Walkers&, unsigned,
                                                  const FractionDone&, const WalkTile*);
template WalkResult walk_on_devices<std::int64_t>(const Matrix&, const SumBounds&, const Walkers&, unsigned,
                                                  const FractionDone&, const WalkTile*);

}  // namespace gpuhmm
