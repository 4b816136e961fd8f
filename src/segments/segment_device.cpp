// Launching the kernels of cl/segments.cl; see the header.
#include "segments/segment_device.hpp"

#include <algorithm>
#include <stdexcept>

#include "opencl/enumerate.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kSmallGroup = 64;      // work-items, of kernels without local memory
constexpr std::size_t kSumGroups = 2048;     // work-groups of the plain sum
constexpr std::size_t kTilesOfThread = 512;  // joined by a thread of the host at a time

// Same layout as the kernels' long4.
struct DeviceSegment {
  std::int64_t begin, end, low, high;
};
static_assert(sizeof(BlockSegment<std::int64_t>) == sizeof(DeviceSegment));
static_assert(sizeof(TileSums) == sizeof(DeviceSegment));

struct Range {
  std::uint32_t first, second;
};

}  // namespace

struct SegmentDevice::Tiles {
  cl::Buffer places, lows, highs, joints, counts, bases;
  std::vector<std::uint32_t> found;         // segments, and joints << 16
  std::vector<std::int64_t> base;           // prefix sums before the tiles
  std::vector<std::uint32_t> joint_offset;  // joints of the tiles before; one more for all
  std::int64_t total = 0;
};

SegmentDevice::SegmentDevice(const DeviceInfo& info, const SegmentShape& shape)
    : session_(info), shape_(shape) {
  session_.guarded([&] {
    queue_ = cl::CommandQueue(session_.context(), enumerate_devices()[info.index].device,
                              CL_QUEUE_PROFILING_ENABLE);
  });
}

std::size_t SegmentDevice::most_for_best(std::size_t element_size) const {
  const std::uint64_t bytes = std::min(info().memory / 4 * 3, info().max_allocation);
  return std::max<std::size_t>(bytes / element_size, shape_.sum_tile(element_size));
}

std::size_t SegmentDevice::most_for_all() const {
  // An element of 8 bytes, 11.5 for the slots of all tiles, 32 for each joint and each segment of the answer
  // (half as many as elements at worst); half of the memory, for the rest may be in use.
  constexpr std::uint64_t kBytes = 52;
  const std::uint64_t fits = std::min(info().memory / 2 / kBytes, info().max_allocation / 16);
  return std::clamp<std::uint64_t>(fits, shape_.segment_tile(), std::uint64_t{1} << 31);
}

cl::Kernel SegmentDevice::kernel(const char* name) {
  return session_.kernel({"segments.cl"}, name,
                         std::string("-cl-std=CL1.2 -DELEMENT=") + (wide_ ? "long" : "int") +
                             " -DGROUP=" + std::to_string(shape_.group) +
                             " -DQUADS=" + std::to_string(sum_tile() / shape_.group / 4) +
                             " -DCHUNK=" + std::to_string(shape_.chunk));
}

template <class T>
cl::Buffer SegmentDevice::buffer(std::size_t count) const {
  return cl::Buffer(session_.context(), CL_MEM_READ_WRITE, std::max<std::size_t>(count, 1) * sizeof(T));
}

template <class T>
const cl::Buffer& SegmentDevice::at_least(std::size_t count, Space& space) const {
  if (space.bytes < count * sizeof(T) || space.bytes == 0) {
    space.buffer = cl::Buffer();  // gives the old one back first
    space.buffer = buffer<T>(count);
    space.bytes = std::max<std::size_t>(count, 1) * sizeof(T);
  }
  return space.buffer;
}

template <class T>
std::vector<T> SegmentDevice::read(const cl::Buffer& from, std::size_t count) const {
  std::vector<T> values(count);
  if (count > 0) queue_.enqueueReadBuffer(from, CL_TRUE, 0, count * sizeof(T), values.data());
  return values;
}

template <class T>
cl::Buffer SegmentDevice::written(const std::vector<T>& values) const {
  cl::Buffer to = buffer<T>(values.size());
  if (!values.empty()) queue_.enqueueWriteBuffer(to, CL_TRUE, 0, values.size() * sizeof(T), values.data());
  return to;
}

void SegmentDevice::run(const cl::Kernel& kernel, std::size_t groups, std::size_t group) {
  events_.emplace_back(kernel.getInfo<CL_KERNEL_FUNCTION_NAME>(), cl::Event());
  queue_.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(groups * group), cl::NDRange(group), nullptr,
                              &events_.back().second);
}

void SegmentDevice::collect_times() {
  queue_.finish();
  kernel_times_.clear();
  for (const auto& [name, event] : events_) {
    const cl_ulong start = event.getProfilingInfo<CL_PROFILING_COMMAND_START>();
    const cl_ulong end = event.getProfilingInfo<CL_PROFILING_COMMAND_END>();
    kernel_times_.push_back({name, static_cast<double>(end - start) * 1e-9});
  }
  events_.clear();
}

double SegmentDevice::kernel_seconds() const {
  double sum = 0;
  for (const KernelTime& time : kernel_times_) sum += time.seconds;
  return sum;
}

template <class T>
void SegmentDevice::load(std::span<const T> values) {
  session_.guarded([&] {
    const cl::Buffer& place = at_least<T>(values.size(), values_);
    if (!values.empty()) queue_.enqueueWriteBuffer(place, CL_TRUE, 0, values.size_bytes(), values.data());
  });
  size_ = values.size();
  wide_ = sizeof(T) == sizeof(std::int64_t);
}

template void SegmentDevice::load(std::span<const std::int32_t>);
template void SegmentDevice::load(std::span<const std::int64_t>);

std::vector<TileSums> SegmentDevice::sums() {
  return session_.guarded([&] {
    const std::size_t tiles = (size_ + sum_tile() - 1) / sum_tile();
    if (tiles == 0) return std::vector<TileSums>();
    const cl::Buffer found = buffer<TileSums>(tiles);
    cl::Kernel sums = kernel("tile_sums");
    sums.setArg(0, values_.buffer);
    sums.setArg(1, static_cast<cl_ulong>(size_));
    sums.setArg(2, found);
    run(sums, tiles, shape_.group);
    // The kernel gives sum, best prefix, best suffix, best segment: the order of TileSums.
    auto result = read<TileSums>(found, tiles);
    collect_times();
    return result;
  });
}

std::int64_t SegmentDevice::plain_sum() {
  return session_.guarded([&] {
    const cl::Buffer found = buffer<std::int64_t>(kSumGroups);
    cl::Kernel sum = kernel("plain_sum");
    sum.setArg(0, values_.buffer);
    sum.setArg(1, static_cast<cl_ulong>(size_));
    sum.setArg(2, found);
    run(sum, kSumGroups, shape_.group);
    std::int64_t total = 0;
    for (const std::int64_t part : read<std::int64_t>(found, kSumGroups)) total += part;
    collect_times();
    return total;
  });
}

SegmentDevice::Tiles SegmentDevice::find_in_tiles(std::size_t tiles) {
  const std::size_t slots = tiles * shape_.segment_tile() / 2;
  Tiles result{at_least<std::uint32_t>(slots, places_),
               at_least<std::int64_t>(slots, lows_),
               at_least<std::int64_t>(slots, highs_),
               at_least<std::uint16_t>(slots, slot_joints_),
               buffer<std::uint32_t>(tiles),
               buffer<std::int64_t>(tiles),
               {},
               {},
               {},
               0};
  const cl::Buffer totals = buffer<std::int64_t>(tiles);
  cl::Kernel find = kernel("tile_segments");
  find.setArg(0, values_.buffer);
  find.setArg(1, static_cast<cl_ulong>(size_));
  find.setArg(2, result.places);
  find.setArg(3, result.lows);
  find.setArg(4, result.highs);
  find.setArg(5, result.joints);
  find.setArg(6, result.counts);
  find.setArg(7, totals);
  run(find, tiles, shape_.group);
  result.found = read<std::uint32_t>(result.counts, tiles);
  result.joint_offset.push_back(0);
  for (const std::int64_t total : read<std::int64_t>(totals, tiles)) {
    result.base.push_back(result.total);
    result.total += total;
    const std::uint32_t joints = result.found[result.base.size() - 1] >> 16;
    result.joint_offset.push_back(result.joint_offset.back() + joints);
  }
  queue_.enqueueWriteBuffer(result.bases, CL_TRUE, 0, tiles * sizeof(std::int64_t), result.base.data());
  return result;
}

namespace {

using Joint = BlockSegment<std::int64_t>;

// Joins the joints of all tiles and gives the segments that cross borders of tiles, in order.
std::vector<Joint> crossing_segments(const std::vector<Joint>& joints,
                                     const std::vector<std::uint32_t>& offsets,
                                     const std::vector<std::int64_t>& bases, std::int64_t total,
                                     std::uint64_t tile, unsigned threads) {
  const std::size_t tiles = bases.size();
  const std::size_t parts = (tiles + kTilesOfThread - 1) / kTilesOfThread;
  std::vector<std::vector<Joint>> inside(parts), outside(parts);  // crossing ones; those that can join on
  parallel_for(threads, parts, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t part = first; part < last; ++part) {
      const std::size_t first_tile = part * kTilesOfThread,
                        last_tile = std::min(first_tile + kTilesOfThread, tiles);
      const std::int64_t base = bases[first_tile], end = last_tile < tiles ? bases[last_tile] : total;
      MaximalSegmentStack<std::int64_t> stack;
      for (std::size_t i = offsets[first_tile]; i < offsets[last_tile]; ++i) {
        stack.push(joints[i].begin, joints[i].end, joints[i].low - base, joints[i].high - base);
      }
      const auto found = stack.segments();
      std::vector<Joint> joined;
      for (std::size_t i = 0; i < found.size(); ++i) {
        joined.push_back({found[i].begin, found[i].end, stack.low(i), stack.low(i) + found[i].score});
        const bool crosses = found[i].begin / tile != (found[i].end - 1) / tile;
        if (crosses) inside[part].push_back(joined.back());
      }
      for (const std::size_t i : joinable<std::int64_t>(joined, end - base))
        outside[part].push_back(joined[i]);
      for (std::vector<Joint>* list : {&inside[part], &outside[part]}) {
        for (Joint& joint : *list) {
          joint.low += base;
          joint.high += base;
        }
      }
    }
  });
  MaximalSegmentStack<std::int64_t> stack;
  for (const std::vector<Joint>& part : outside) {
    for (const Joint& joint : part) stack.push(joint.begin, joint.end, joint.low, joint.high);
  }
  const auto joined = stack.segments();
  std::vector<Joint> crossing;
  std::size_t next = 0;
  const auto take = [&] {
    const Segment<std::int64_t>& segment = joined[next];
    if (segment.begin / tile != (segment.end - 1) / tile) {
      crossing.push_back({segment.begin, segment.end, stack.low(next), stack.low(next) + segment.score});
    }
    ++next;
  };
  for (const std::vector<Joint>& part : inside) {
    for (const Joint& segment : part) {
      while (next < joined.size() && joined[next].begin <= segment.begin) take();
      if (next == 0 || joined[next - 1].end <= segment.begin) crossing.push_back(segment);
    }
  }
  while (next < joined.size()) take();
  return crossing;
}

// What of each tile the crossing segments leave: places of the tile, first and end.
std::vector<Range> cuts_of(const std::vector<Joint>& crossing, std::size_t tiles, std::uint64_t tile) {
  std::vector<Range> cuts(tiles, Range{0, static_cast<std::uint32_t>(tile)});
  for (const Joint& segment : crossing) {
    const std::uint64_t first = segment.begin / tile, last = (segment.end - 1) / tile;
    cuts[first].second = static_cast<std::uint32_t>(segment.begin - first * tile);
    for (std::uint64_t t = first + 1; t < last; ++t) cuts[t].second = 0;
    cuts[last].first = static_cast<std::uint32_t>(segment.end - last * tile);
  }
  return cuts;
}

}  // namespace

SegmentBlock<std::int64_t> SegmentDevice::segments(unsigned threads) {
  if (size_ > most_for_all()) throw std::length_error("the vector does not fit the device");
  return session_.guarded([&] {
    const double start = seconds_now();
    SegmentBlock<std::int64_t> block;
    const std::uint64_t tile = shape_.segment_tile();
    const std::size_t tiles = (size_ + tile - 1) / tile;
    if (tiles == 0) return block;
    const Tiles found = find_in_tiles(tiles);
    const std::size_t small_groups = (tiles + kSmallGroup - 1) / kSmallGroup;

    const std::uint32_t joint_count = found.joint_offset.back();
    const cl::Buffer joints = at_least<Joint>(joint_count, joints_);
    const cl::Buffer joint_offsets = written(found.joint_offset);
    cl::Kernel gather = kernel("gather_joints");
    gather.setArg(0, static_cast<cl_uint>(tiles));
    gather.setArg(1, found.places);
    gather.setArg(2, found.lows);
    gather.setArg(3, found.highs);
    gather.setArg(4, found.joints);
    gather.setArg(5, found.counts);
    gather.setArg(6, joint_offsets);
    gather.setArg(7, found.bases);
    gather.setArg(8, joints);
    run(gather, small_groups, kSmallGroup);
    const std::vector<Joint> crossing = crossing_segments(
        read<Joint>(joints, joint_count), found.joint_offset, found.base, found.total, tile, threads);

    const cl::Buffer cuts = written(cuts_of(crossing, tiles, tile));
    const cl::Buffer kept = buffer<Range>(tiles);
    cl::Kernel ranges = kernel("kept_ranges");
    ranges.setArg(0, static_cast<cl_uint>(tiles));
    ranges.setArg(1, found.places);
    ranges.setArg(2, found.counts);
    ranges.setArg(3, cuts);
    ranges.setArg(4, kept);
    run(ranges, small_groups, kSmallGroup);
    // A crossing segment stands behind what is kept of the tile that it begins in.
    std::vector<std::uint32_t> offsets;
    std::vector<std::uint32_t> crossing_at;
    std::uint32_t count = 0;
    std::size_t next = 0;
    const std::vector<Range> kept_ranges = read<Range>(kept, tiles);
    for (std::size_t t = 0; t < tiles; ++t) {
      offsets.push_back(count);
      count += kept_ranges[t].second;
      if (next < crossing.size() && crossing[next].begin / tile == t) {
        crossing_at.push_back(count++);
        ++next;
      }
    }
    const cl::Buffer answer_offsets = written(offsets);
    const cl::Buffer answer = at_least<Joint>(count, answer_);
    cl::Kernel write = kernel("write_segments");
    write.setArg(0, found.places);
    write.setArg(1, found.lows);
    write.setArg(2, found.highs);
    write.setArg(3, kept);
    write.setArg(4, answer_offsets);
    write.setArg(5, found.bases);
    write.setArg(6, answer);
    run(write, tiles, kSmallGroup);
    queue_.finish();
    found_seconds_ = seconds_now() - start;
    block.total = found.total;
    block.segments = read<Joint>(answer, count);
    for (std::size_t i = 0; i < crossing.size(); ++i) block.segments[crossing_at[i]] = crossing[i];
    collect_times();
    return block;
  });
}

}  // namespace gpuhmm
