// Joins the segments of parts in two steps: threads join groups of parts, then one thread joins the groups.
#include "companion/segments/crossing.hpp"

#include <algorithm>

namespace gpuhmm {

namespace {

constexpr std::size_t kPartsOfThread = 512;  // parts that a thread joins at a time

using Joint = BlockSegment<std::int64_t>;

}  // namespace

std::vector<Joint> crossing_segments(std::span<const Joint> segments, std::span<const std::uint32_t> offsets,
                                     std::span<const std::int64_t> bases, std::uint64_t size,
                                     unsigned threads) {
  const std::size_t count = bases.size() - 1;
  const std::size_t groups = (count + kPartsOfThread - 1) / kPartsOfThread;
  std::vector<std::vector<Joint>> inside(groups), outside(groups);  // crossing; joinable with other groups
  parallel_for(threads, groups, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t group = first; group < last; ++group) {
      const std::size_t first_part = group * kPartsOfThread,
                        last_part = std::min(first_part + kPartsOfThread, count);
      const std::int64_t base = bases[first_part], end = bases[last_part];
      MaximalSegmentStack<std::int64_t> stack;
      for (std::size_t i = offsets[first_part]; i < offsets[last_part]; ++i) {
        stack.push(segments[i].begin, segments[i].end, segments[i].low - base, segments[i].high - base);
      }
      const auto found = stack.segments();
      std::vector<Joint> joined;
      for (std::size_t i = 0; i < found.size(); ++i) {
        joined.push_back({found[i].begin, found[i].end, stack.low(i), stack.low(i) + found[i].score});
        const bool crosses = found[i].begin / size != (found[i].end - 1) / size;
        if (crosses) inside[group].push_back(joined.back());
      }
      for (const std::size_t i : joinable<std::int64_t>(joined, end - base))
        outside[group].push_back(joined[i]);
      for (std::vector<Joint>* list : {&inside[group], &outside[group]}) {
        for (Joint& joint : *list) {
          joint.low += base;
          joint.high += base;
        }
      }
    }
  });
  MaximalSegmentStack<std::int64_t> stack;
  for (const std::vector<Joint>& group : outside) {
    for (const Joint& joint : group) stack.push(joint.begin, joint.end, joint.low, joint.high);
  }
  const auto joined = stack.segments();
  std::vector<Joint> crossing;
  std::size_t next = 0;
  const auto take = [&] {
    const Segment<std::int64_t>& segment = joined[next];
    if (segment.begin / size != (segment.end - 1) / size) {
      crossing.push_back({segment.begin, segment.end, stack.low(next), stack.low(next) + segment.score});
    }
    ++next;
  };
  for (const std::vector<Joint>& group : inside) {
    for (const Joint& segment : group) {
      while (next < joined.size() && joined[next].begin <= segment.begin) take();
      if (next == 0 || joined[next - 1].end <= segment.begin) crossing.push_back(segment);
    }
  }
  while (next < joined.size()) take();
  return crossing;
}

}  // namespace gpuhmm
