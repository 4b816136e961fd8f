// Launches the kernels of cl/segments*.cl.
#include "companion/segments/segment_device.hpp"

#include <algorithm>
#include <stdexcept>

#include "companion/segments/crossing.hpp"
#include "opencl/wrong_result.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kSmallGroup = 64;   // work-items, of kernels without local memory
constexpr std::size_t kSumGroups = 2048;  // work-groups of the plain sum
constexpr std::size_t kManyJoints = 64;   // mean joints of a tile above which the host joins all

// The layout of the kernels' long4.
struct DeviceSegment {
  std::int64_t begin, end, low, high;
};
static_assert(sizeof(BlockSegment<std::int64_t>) == sizeof(DeviceSegment));
static_assert(sizeof(TileSums) == sizeof(DeviceSegment));

using Joint = BlockSegment<std::int64_t>;

}  // namespace

struct SegmentDevice::Tiles {
  std::size_t count = 0;
  cl::Buffer places, lows, highs, joints, counts;
  cl::Buffer bases;          // prefix sum before each tile; one more entry for the sum of all
  cl::Buffer joint_offsets;  // number of joints before each tile; one more entry for all
  std::uint32_t joint_count = 0;
  std::int64_t total = 0;
};

struct SegmentDevice::Nodes {
  std::size_t count = 0, tiles_of_node = 1;
  cl::Buffer starts, counts;             // of the lists in the buffer "items"
  cl::Buffer crossing, crossing_counts;  // segments that cross borders of the nodes' children
};

SegmentDevice::SegmentDevice(const DeviceInfo& info, const SegmentShape& shape)
    : device_(info, {"segments_stack.cl", "segments.cl", "segments_tiles.cl", "segments_joins.cl"}),
      shape_(shape) {}

std::size_t SegmentDevice::most_for_best(std::size_t element_size) const {
  const std::uint64_t bytes = std::min(info().memory / 4 * 3, info().max_allocation);
  return std::max<std::size_t>(bytes / element_size, shape_.sum_tile(element_size));
}

std::size_t SegmentDevice::most_for_all() const {
  // Bytes per element: 8 for itself, 11.5 for the slots of all tiles, and, for each second element at worst,
  // 36 for a joint and 32 for a segment of the answer. Only half of the memory counts, because the rest may
  // be in use.
  constexpr std::uint64_t kBytes = 54;
  const std::uint64_t fits = std::min(info().memory / 2 / kBytes, info().max_allocation / 16);
  return std::clamp<std::uint64_t>(fits, shape_.segment_tile(), std::uint64_t{1} << 31);
}

std::string SegmentDevice::options() const {
  return std::string("-cl-std=CL1.2 -DELEMENT=") + (wide_ ? "long" : "int") +
         " -DGROUP=" + std::to_string(shape_.group) +
         " -DQUADS=" + std::to_string(sum_tile() / shape_.group / 4) +
         " -DCHUNK=" + std::to_string(shape_.chunk);
}

template <class... Arguments>
void SegmentDevice::launch_items(const char* kernel, std::size_t items, const Arguments&... arguments) {
  launch(kernel, (items + kSmallGroup - 1) / kSmallGroup, kSmallGroup, arguments...);
}

double SegmentDevice::kernel_seconds() const {
  double sum = 0;
  for (const WorkingDevice::KernelTime& time : kernel_times()) sum += time.seconds;
  return sum;
}

template <class T>
void SegmentDevice::load(std::span<const T> values) {
  values_ = cl::Buffer();
  values_ = device_.memory<T>("values", values.size());
  device_.queue().write(values_, values.data(), values.size());
  size_ = values.size();
  wide_ = sizeof(T) == sizeof(std::int64_t);
}

template void SegmentDevice::load(std::span<const std::int32_t>);
template void SegmentDevice::load(std::span<const std::int64_t>);

std::vector<TileSums> SegmentDevice::sums() {
  const std::size_t tiles = (size_ + sum_tile() - 1) / sum_tile();
  if (tiles == 0) return std::vector<TileSums>();
  const cl::Buffer& found = device_.memory<TileSums>("sums", tiles);
  launch("tile_sums", tiles, shape_.group, values_, static_cast<cl_ulong>(size_), found);
  // The kernel writes sum, best prefix, best suffix, best segment: the members of TileSums in order.
  auto result = device_.queue().read<TileSums>(found, tiles);
  device_.collect_times();
  return result;
}

std::int64_t SegmentDevice::plain_sum() {
  const cl::Buffer& found = device_.memory<std::int64_t>("plain sums", kSumGroups);
  launch("plain_sum", kSumGroups, shape_.group, values_, static_cast<cl_ulong>(size_), found);
  std::int64_t total = 0;
  for (const std::int64_t part : device_.queue().read<std::int64_t>(found, kSumGroups)) total += part;
  device_.collect_times();
  return total;
}

void SegmentDevice::require(bool sound) const {
  if (!sound) throw WrongDeviceResult(info().name, "more segments than there can be");
}

SegmentDevice::Tiles SegmentDevice::find_in_tiles() {
  Tiles tiles;
  tiles.count = (size_ + shape_.segment_tile() - 1) / shape_.segment_tile();
  const std::size_t slots = tiles.count * shape_.segment_tile() / 2;
  tiles.places = device_.memory<std::uint32_t>("places", slots);
  tiles.lows = device_.memory<std::int64_t>("lows", slots);
  tiles.highs = device_.memory<std::int64_t>("highs", slots);
  tiles.joints = device_.memory<std::uint16_t>("joints", slots);
  tiles.counts = device_.memory<std::uint32_t>("counts", tiles.count);
  tiles.bases = device_.memory<std::int64_t>("bases", tiles.count + 1);
  tiles.joint_offsets = device_.memory<std::uint32_t>("joint offsets", tiles.count + 1);
  const cl::Buffer& totals = device_.memory<std::int64_t>("totals", tiles.count);
  const auto count = static_cast<cl_uint>(tiles.count);
  launch("tile_segments", tiles.count, shape_.group, values_, static_cast<cl_ulong>(size_), tiles.places,
         tiles.lows, tiles.highs, tiles.joints, tiles.counts, totals);
  launch("scan_counts", 1, shape_.group, count, tiles.counts, cl_uint{16}, tiles.joint_offsets);
  launch("scan_totals", 1, shape_.group, count, totals, tiles.bases);
  tiles.joint_count = device_.queue().read<std::uint32_t>(tiles.joint_offsets, 1, tiles.count)[0];
  tiles.total = device_.queue().read<std::int64_t>(tiles.bases, 1, tiles.count)[0];
  require(tiles.joint_count <= slots);
  return tiles;
}

// Returns the levels of joined lists; level 0 has the lists of the tiles.
std::vector<SegmentDevice::Nodes> SegmentDevice::join_on_device(const Tiles& tiles) {
  const cl::Buffer& items = device_.memory<Joint>("items", tiles.joint_count);
  const auto tile_count = static_cast<cl_uint>(tiles.count);
  std::vector<Nodes> levels(1);
  levels[0].count = tiles.count;
  levels[0].starts = tiles.joint_offsets;
  levels[0].counts = device_.memory<std::uint32_t>("joint counts", tiles.count);
  launch_items("gather_joints", tiles.count, tile_count, tiles.places, tiles.lows, tiles.highs, tiles.joints,
               tiles.counts, tiles.joint_offsets, tiles.bases, items, levels[0].counts);
  if (tiles.joint_count / tiles.count > kManyJoints) return levels;
  const cl::Buffer& links = device_.memory<std::uint32_t>("links", tiles.joint_count);
  while (levels.back().count > shape_.host_lists) {
    const Nodes& children = levels.back();
    const std::string level = " of level " + std::to_string(levels.size());
    Nodes nodes;
    nodes.count = (children.count + shape_.span - 1) / shape_.span;
    nodes.tiles_of_node = children.tiles_of_node * shape_.span;
    nodes.starts = device_.memory<std::uint32_t>("starts" + level, nodes.count);
    nodes.counts = device_.memory<std::uint32_t>("counts" + level, nodes.count);
    nodes.crossing = device_.memory<Joint>("crossing" + level, nodes.count * shape_.span);
    nodes.crossing_counts = device_.memory<std::uint32_t>("crossing counts" + level, nodes.count);
    launch_items("join_children", nodes.count, static_cast<cl_uint>(children.count),
                 static_cast<cl_uint>(shape_.span), static_cast<cl_uint>(children.tiles_of_node), tile_count,
                 tiles.bases, children.starts, children.counts, items, links, nodes.starts, nodes.counts,
                 nodes.crossing, nodes.crossing_counts);
    levels.push_back(nodes);
  }
  return levels;
}

// Returns the segments that cross borders between the nodes of the top level.
std::vector<Joint> SegmentDevice::join_on_host(const Tiles& tiles, const Nodes& top, unsigned threads) {
  const cl::Buffer& offsets = device_.memory<std::uint32_t>("list offsets", top.count + 1);
  const cl::Buffer& bases = device_.memory<std::int64_t>("node bases", top.count + 1);
  const cl::Buffer& packed = device_.memory<Joint>("answer", tiles.joint_count);  // still unused
  launch("scan_counts", 1, shape_.group, static_cast<cl_uint>(top.count), top.counts, cl_uint{0}, offsets);
  launch("pack_lists", top.count, kSmallGroup, static_cast<cl_uint>(top.tiles_of_node),
         static_cast<cl_uint>(tiles.count), top.starts, offsets,
         device_.memory<Joint>("items", tiles.joint_count), tiles.bases, packed, bases);
  const auto list_offsets = device_.queue().read<std::uint32_t>(offsets, top.count + 1);
  const auto node_bases = device_.queue().read<std::int64_t>(bases, top.count + 1);
  require(list_offsets.back() <= tiles.joint_count &&
          std::is_sorted(list_offsets.begin(), list_offsets.end()));
  return crossing_segments(device_.queue().read<Joint>(packed, list_offsets.back()), list_offsets, node_bases,
                           top.tiles_of_node * shape_.segment_tile(), threads);
}

// Writes all segments into the buffer "answer" and returns their number. `crossing`: the segments that cross
// borders between the nodes of the top level.
std::uint32_t SegmentDevice::write_answer(const Tiles& tiles, const std::vector<Nodes>& levels,
                                          const std::vector<Joint>& crossing) {
  const auto count = static_cast<cl_uint>(tiles.count);
  const cl::Buffer& cuts = device_.memory<cl_uint2>("cuts", tiles.count);
  const cl::Buffer& begins = device_.memory<Joint>("begins", tiles.count);
  const auto cover = [&](cl_uint fresh, std::size_t tiles_of_node, std::size_t span, const cl::Buffer& list,
                         const cl::Buffer& counts) {
    launch_items("cover_tiles", tiles.count, count, fresh, static_cast<cl_uint>(tiles_of_node),
                 static_cast<cl_uint>(span), list, counts, cuts, begins);
  };
  for (std::size_t i = 1; i < levels.size(); ++i) {
    const Nodes& nodes = levels[i];
    cover(i == 1 ? 1 : 0, nodes.tiles_of_node, shape_.span, nodes.crossing, nodes.crossing_counts);
  }
  const cl::Buffer& top = device_.memory<Joint>("top crossing", crossing.size());
  const cl::Buffer& top_count = device_.memory<std::uint32_t>("top crossing count", 1);
  const auto crossing_count = static_cast<std::uint32_t>(crossing.size());
  device_.queue().write(top, crossing.data(), crossing.size());
  device_.queue().write(top_count, &crossing_count, 1);
  cover(levels.size() == 1 ? 1 : 0, tiles.count, crossing.size(), top, top_count);

  const cl::Buffer& kept = device_.memory<cl_uint2>("kept", tiles.count);
  const cl::Buffer& counts = device_.memory<std::uint32_t>("answer counts", tiles.count);
  const cl::Buffer& offsets = device_.memory<std::uint32_t>("answer offsets", tiles.count + 1);
  launch_items("kept_ranges", tiles.count, count, tiles.places, tiles.counts, cuts, begins, kept, counts);
  launch("scan_counts", 1, shape_.group, count, counts, cl_uint{0}, offsets);
  const std::uint32_t found = device_.queue().read<std::uint32_t>(offsets, 1, tiles.count)[0];
  require(found <= tiles.count * shape_.segment_tile() / 2 + crossing.size());
  launch("write_segments", tiles.count, kSmallGroup, tiles.places, tiles.lows, tiles.highs, kept, begins,
         offsets, tiles.bases, device_.memory<Joint>("answer", found));
  device_.queue().finish();
  return found;
}

SegmentBlock<std::int64_t> SegmentDevice::segments(unsigned threads) {
  if (size_ > most_for_all()) throw std::length_error("the vector does not fit the device");
  const double start = seconds_now();
  SegmentBlock<std::int64_t> block;
  if (size_ == 0) return block;
  const Tiles tiles = find_in_tiles();
  const std::vector<Nodes> levels = join_on_device(tiles);
  const std::uint32_t count = write_answer(tiles, levels, join_on_host(tiles, levels.back(), threads));
  found_seconds_ = seconds_now() - start;
  block.total = tiles.total;
  block.segments = device_.queue().read<Joint>(device_.memory<Joint>("answer", count), count);
  device_.collect_times();
  return block;
}

}  // namespace gpuhmm
