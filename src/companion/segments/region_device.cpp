// Places batches in the memory of a device and launches the kernels.
#include "companion/segments/region_device.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <string>

#include "opencl/wrong_result.hpp"
#include "util/parallel.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kSequences = 512;  // that a thread unpacks at a time

// A sequence in the device's memory. Has the layout of the kernels' uint4.
struct Placed {
  cl_uint start, length;  // in residues
  cl_uint slot;           // first of its slots for segments
  cl_uint place;          // index of the sequence in the result
};
static_assert(sizeof(Placed) == sizeof(cl_uint4));

// A segment. Has the layout of the kernels' int4 or long4.
template <class Sum>
struct PlacedSegment {
  Sum begin, end, low, high;
};

// The segments of a sequence in the result buffer. Has the layout of the kernels' uint2.
struct Range {
  cl_uint first, count;
};
static_assert(sizeof(Range) == sizeof(cl_uint2));

template <class Sum>
Region region_of(const PlacedSegment<Sum>& segment) {
  return {static_cast<std::uint64_t>(segment.begin), static_cast<std::uint64_t>(segment.end),
          std::int64_t{segment.high} - segment.low};
}

// Sorts by length, longest first: the work-items of a group then get about equal work, and the last groups
// little.
std::vector<Placed> by_falling_length(const std::vector<Placed>& sequences) {
  cl_uint longest = 0;
  for (const Placed& sequence : sequences) longest = std::max(longest, sequence.length);
  std::vector<std::size_t> next(std::size_t{longest} + 2);  // next position, by longest - length
  for (const Placed& sequence : sequences) ++next[longest - sequence.length + 1];
  for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  std::vector<Placed> sorted(sequences.size());
  for (const Placed& sequence : sequences) sorted[next[longest - sequence.length]++] = sequence;
  return sorted;
}

}  // namespace

struct RegionDevice::Layout {
  std::size_t last = 0;              // end of the batch's sequences that were considered
  std::vector<std::size_t> numbers;  // of the sequences in the batch, by Placed::place
  std::vector<Placed> sequences;     // by falling length
  std::size_t group_count = 0;       // this many of `sequences`, the first ones, get a work-group
  std::vector<std::span<const std::uint8_t>> runs;  // contiguous residues in the host's memory
  std::size_t residues = 0;

  std::size_t longest() const { return sequences.empty() ? 0 : sequences.front().length; }
  // Slots of all sequences so far. A sequence of n residues gets at least n / 2, rounded up for odd n: it
  // cannot have more maximal segments.
  std::size_t slots() const { return (residues + sequences.size()) / 2; }
  // Work-groups for the sequences that get a work-item.
  std::size_t item_groups(std::size_t group) const {
    return (sequences.size() - group_count + group - 1) / group;
  }
};

struct RegionDevice::Loaded {
  cl::Buffer residues, scores, sequences;
};

BatchShape BatchShape::suiting(const DeviceInfo& info) {
  BatchShape shape;
  if (info.type == DeviceType::Cpu) shape.most_of_item = shape.most_of_group;
  // There are half as many slots as residues, of at most 32 bytes each: at most 16 bytes per residue.
  shape.most_at_once =
      std::clamp<std::size_t>(info.max_allocation / 16, shape.most_of_group, shape.most_at_once);
  return shape;
}

RegionDevice::RegionDevice(const DeviceInfo& info, const BatchShape& shape, unsigned threads)
    : device_(info, {"segments_stack.cl", "segments_batch.cl"}), shape_(shape), threads_(threads) {}

// Places sequences from `first` on, up to `last`, as many as the device takes at a time; at least one.
RegionDevice::Layout RegionDevice::lay_out(const SequenceBatch& batch, std::size_t first,
                                           std::size_t last) const {
  Layout layout;
  std::size_t i = first;
  for (; i < last; ++i) {
    const auto residues = batch.residues(i);
    if (residues.size() > shape_.most_of_group) continue;
    if (!layout.sequences.empty() && layout.residues + residues.size() > shape_.most_at_once) break;
    layout.sequences.push_back({static_cast<cl_uint>(layout.residues), static_cast<cl_uint>(residues.size()),
                                static_cast<cl_uint>(layout.slots()),
                                static_cast<cl_uint>(layout.sequences.size())});
    layout.numbers.push_back(i);
    layout.residues += residues.size();
    const bool follows =
        !layout.runs.empty() && layout.runs.back().data() + layout.runs.back().size() == residues.data();
    if (follows) {
      layout.runs.back() = {layout.runs.back().data(), layout.runs.back().size() + residues.size()};
    } else {
      layout.runs.push_back(residues);
    }
  }
  layout.last = i;
  layout.sequences = by_falling_length(layout.sequences);
  const auto end_of_long = std::ranges::find_if(
      layout.sequences, [&](const Placed& sequence) { return sequence.length <= shape_.most_of_item; });
  layout.group_count = static_cast<std::size_t>(end_of_long - layout.sequences.begin());
  return layout;
}

template <class Sum>
RegionDevice::Loaded RegionDevice::load(const Layout& layout, const ResidueScores& scores, Sum bottom) {
  std::array<Sum, std::tuple_size_v<decltype(scores.scores)>> table;
  for (std::size_t code = 0; code < table.size(); ++code) {
    const std::int64_t score = std::max<std::int64_t>(scores.scores[code], bottom);
    table[code] = scores.ends_part[code] ? bottom : static_cast<Sum>(score);
  }
  // One extra word, because kernels read the whole word at the end of a sequence.
  Loaded loaded{device_.memory<cl_uint>("residues", layout.residues / 4 + 1),
                device_.memory<Sum>("scores", table.size()),
                device_.memory<Placed>("sequences", layout.sequences.size())};
  std::size_t at = 0;
  for (const auto run : layout.runs) {
    device_.queue().write(loaded.residues, run.data(), run.size(), at);
    at += run.size();
  }
  device_.queue().write(loaded.scores, table.data(), table.size());
  device_.queue().write(loaded.sequences, layout.sequences.data(), layout.sequences.size());
  return loaded;
}

template <class Sum, class... Arguments>
void RegionDevice::launch(const char* kernel, std::size_t groups, const Arguments&... arguments) {
  if (groups == 0) return;
  device_.launch(std::string("-cl-std=CL1.2 -DSUM=") + (sizeof(Sum) == sizeof(cl_long) ? "long" : "int") +
                     " -DGROUP=" + std::to_string(shape_.group),
                 kernel, groups, shape_.group, arguments...);
}

template <class Sum>
void RegionDevice::find_best(const Layout& layout, const Loaded& loaded, Sum bottom,
                             std::vector<std::vector<Region>>& found) {
  const std::size_t count = layout.sequences.size();
  const cl::Buffer& answer = device_.memory<PlacedSegment<Sum>>("answer", count);
  launch<Sum>("best_by_groups", layout.group_count, loaded.residues, loaded.scores, loaded.sequences, bottom,
              answer);
  launch<Sum>("best_by_items", layout.item_groups(shape_.group), loaded.residues, loaded.scores,
              loaded.sequences, static_cast<cl_uint>(layout.group_count), static_cast<cl_uint>(count),
              answer);
  const auto best = device_.queue().read<PlacedSegment<Sum>>(answer, count);
  for (std::size_t place = 0; place < count; ++place) {
    const Region region = region_of(best[place]);
    if (region.score > 0) found[layout.numbers[place]] = {region};
  }
}

template <class Sum>
void RegionDevice::find_all(const Layout& layout, const Loaded& loaded, Sum bottom,
                            const RegionFilter& filter, std::vector<std::vector<Region>>& found) {
  const auto least = static_cast<Sum>(std::clamp<std::int64_t>(filter.min_score, 1, -std::int64_t{bottom}));
  const auto min_length =
      static_cast<Sum>(std::min<std::uint64_t>(filter.min_length, std::numeric_limits<cl_int>::max()));
  const cl::Buffer& slots = device_.memory<PlacedSegment<Sum>>("slots", layout.slots());
  const cl::Buffer& links = device_.memory<cl_uint>("links", layout.slots());
  const cl::Buffer& answer = device_.memory<PlacedSegment<Sum>>("answer", layout.slots());
  const cl::Buffer& ranges = device_.memory<Range>("ranges", layout.sequences.size());
  const cl::Buffer& counter = device_.memory<cl_uint>("counter", 1);
  constexpr cl_uint kNone = 0;
  device_.queue().write(counter, &kNone, 1);
  launch<Sum>("all_by_groups", layout.group_count, loaded.residues, loaded.scores, loaded.sequences, bottom,
              least, min_length, slots, links, counter, answer, ranges);
  launch<Sum>("all_by_items", layout.item_groups(shape_.group), loaded.residues, loaded.scores,
              loaded.sequences, static_cast<cl_uint>(layout.group_count),
              static_cast<cl_uint>(layout.sequences.size()), least, min_length, slots, links, counter, answer,
              ranges);
  const auto found_ranges = device_.queue().read<Range>(ranges, layout.sequences.size());
  const cl_uint total = device_.queue().read<cl_uint>(counter, 1)[0];
  const auto sound = [&](const Range& range) {
    return range.count <= total && range.first <= total - range.count;
  };
  if (total > layout.slots() || !std::ranges::all_of(found_ranges, sound)) {
    throw WrongDeviceResult(device_.info().name, "more regions than there can be");
  }
  const auto segments = device_.queue().read<PlacedSegment<Sum>>(answer, total);
  parallel_for(threads_, found_ranges.size(), kSequences, [&](std::size_t first, std::size_t last) {
    for (std::size_t place = first; place < last; ++place) {
      const Range range = found_ranges[place];
      std::vector<Region>& regions = found[layout.numbers[place]];
      regions.reserve(range.count);
      for (cl_uint k = 0; k < range.count; ++k) regions.push_back(region_of(segments[range.first + k]));
    }
  });
}

template <class Sum>
void RegionDevice::find_laid_out(const Layout& layout, const ResidueScores& scores, Sum bottom,
                                 const RegionFilter& filter, std::vector<std::vector<Region>>& found) {
  if (layout.sequences.empty()) return;
  const Loaded loaded = load(layout, scores, bottom);
  if (filter.only_best()) {
    find_best(layout, loaded, bottom, found);
  } else {
    find_all(layout, loaded, bottom, filter, found);
  }
}

void RegionDevice::find(const SequenceBatch& batch, std::size_t first, std::size_t last,
                        const ResidueScores& scores, const RegionFilter& filter,
                        std::vector<std::vector<Region>>& found) {
  const auto highest = std::max<std::int64_t>(*std::ranges::max_element(scores.scores), 1);
  for (std::size_t next = first; next < last;) {
    const Layout layout = lay_out(batch, next, last);
    // No segment contains a residue that scores `bottom` or less. Sums in the kernels are at most 2 *
    // |bottom| in magnitude.
    const std::int64_t bottom = -(highest * static_cast<std::int64_t>(layout.longest()) + 1);
    if (bottom >= std::numeric_limits<cl_int>::min() / 2) {
      find_laid_out(layout, scores, static_cast<cl_int>(bottom), filter, found);
    } else {
      find_laid_out(layout, scores, static_cast<cl_long>(bottom), filter, found);
    }
    next = layout.last;
  }
  device_.collect_times();
  parallel_for(threads_, last - first, kSequences, [&](std::size_t block_first, std::size_t block_last) {
    for (std::size_t i = first + block_first; i < first + block_last; ++i) {
      if (batch.length(i) > shape_.most_of_group) {
        found[i] = find_regions(batch.residues(i), scores, filter);
      } else {
        filter_regions(found[i], filter);
      }
    }
  });
}

}  // namespace gpuhmm
