// Buffers and launches of the kernels of cl/subsequence.cl.
#include "companion/subsequence/device_levels.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "companion/subsequence/device_check.hpp"
#include "opencl/kernel_set.hpp"
#include "opencl/queue.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kGroup = 256;         // work-items of a work-group
constexpr std::size_t kSegment = 32;        // rows of the table that a work-item accumulates
constexpr std::size_t kMaximaGroups = 256;  // work-groups that search a level for its largest sum

// The block size for `count` elements: with larger blocks, comparisons inside blocks grow linearly, and the
// table shrinks with the square.
std::size_t choose_block(std::size_t count) {
  return count <= 500'000 ? 256 : count <= 4'000'000 ? 512 : 1024;
}

std::size_t ceiling(std::size_t count, std::size_t part) { return (count + part - 1) / part; }

std::string build_options(std::size_t sum_bytes, std::size_t block) {
  const bool wide = sum_bytes == sizeof(std::int64_t);
  return std::string(wide ? "-DSUM=long -DNONE=LONG_MIN" : "-DSUM=int -DNONE=INT_MIN") +
         " -DGROUP=" + std::to_string(kGroup) + " -DSPAN=" + std::to_string(block) +
         " -DSEGMENT=" + std::to_string(kSegment);
}

// One search on a device.
template <class Sum>
class Run {
 public:
  Run(const OpenDevice& device, const RankedVector<Sum>& vector, std::size_t block)
      : device_(device),
        vector_(vector),
        queue_(device),
        count_(vector.size()),
        block_(block),
        kernels_(device, {"subsequence.cl"}, build_options(sizeof(Sum), block)),
        ranks_(queue_.upload(vector.ranks, CL_MEM_READ_WRITE)),
        values_(queue_.upload(vector.values, CL_MEM_READ_WRITE)) {}

  DeviceTrace find(std::size_t elements, bool or_fewer, DeviceLevelMethod method) {
    compute_levels(elements, method);
    const BestLevel<Sum> best = best_level(elements, or_fewer);
    DeviceTrace trace;
    if (best.elements > 0) {
      trace.positions = walk(best);
      check_positions<Sum>(vector_, best, trace.positions, device_.info().name);
      check_levels(best);
    }
    if (first_kernel_() != nullptr) {
      const CommandTime whole{queue_.time_of(first_kernel_).start, queue_.time_of(last_kernel_).end};
      trace.kernel_seconds = whole.seconds();
    }
    return trace;
  }

 private:
  cl_int size() const { return static_cast<cl_int>(count_); }
  cl_int blocks() const { return static_cast<cl_int>(ceiling(count_, block_)); }

  /// Launches a kernel over `rows` rows of at least `items` work-items each, in work-groups of kGroup.
  template <class... Arguments>
  void launch(const char* name, std::size_t items, std::size_t rows, const Arguments&... arguments) {
    last_kernel_ = queue_.launch(kernels_[name],
                                 {cl::NDRange(ceiling(items, kGroup) * kGroup, rows), cl::NDRange(kGroup, 1)},
                                 arguments...);
    if (first_kernel_() == nullptr) first_kernel_ = last_kernel_;
  }

  void compute_levels(std::size_t elements, DeviceLevelMethod method) {
    if (method == DeviceLevelMethod::Elements) return compute_by_elements(elements);
    levels_.push_back(values_);
    if (method == DeviceLevelMethod::Blocks && elements > 1) prepare_blocks();
    while (levels_.size() < elements) {
      const cl::Buffer next = device_.buffer<Sum>(count_);
      if (method == DeviceLevelMethod::Blocks) {
        next_by_blocks(levels_.back(), next);
      } else {
        launch("next_by_pairs", count_, 1, ranks_, values_, levels_.back(), next, size());
      }
      levels_.push_back(next);
    }
  }

  /// The published method. It keeps all levels in one buffer; they are copied to a buffer each afterwards, as
  /// the other methods have them.
  void compute_by_elements(std::size_t elements) {
    const cl::Buffer all = device_.buffer<Sum>(elements * count_);
    const std::size_t bytes = count_ * sizeof(Sum);
    queue_.copy(values_, all, bytes);
    for (std::size_t i = count_; i-- > 0 && elements > 1;) {
      launch("levels_of_element", (elements - 1) * kGroup, 1, ranks_, values_, all, static_cast<cl_int>(i),
             size());
    }
    for (std::size_t level = 0; level < elements; ++level) {
      levels_.push_back(device_.buffer<Sum>(count_));
      queue_.copy(all, levels_.back(), bytes, level * bytes);
    }
  }

  void prepare_blocks() {
    const auto cells = static_cast<std::size_t>(blocks()) * static_cast<std::size_t>(blocks());
    const std::size_t segments = ceiling(static_cast<std::size_t>(blocks()), kSegment);
    order_ = device_.buffer<cl_int>(count_);
    places_ = device_.buffer<cl_ushort>(count_);
    in_rank_block_ = device_.buffer<Sum>(count_);
    table_ = device_.buffer<Sum>(cells);
    behind_ = device_.buffer<Sum>(segments * static_cast<std::size_t>(blocks()));
    launch("invert", count_, 1, ranks_, order_, size());
    launch("places_in_block", group_items(), 1, ranks_, places_, size());
  }

  /// Work-items of kernels that have one work-group per block.
  std::size_t group_items() const { return static_cast<std::size_t>(blocks()) * kGroup; }

  void next_by_blocks(const cl::Buffer& level, const cl::Buffer& next) {
    const auto columns = static_cast<std::size_t>(blocks());
    const std::size_t segments = ceiling(columns, kSegment);
    launch("best_of_rank_blocks", group_items(), 1, order_, level, in_rank_block_, size());
    launch("table_rows", group_items(), 1, ranks_, places_, level, table_, blocks(), size());
    launch("accumulate_segments", columns, segments, table_, blocks());
    launch("carry_segments", columns, 1, table_, behind_, blocks(), static_cast<cl_int>(segments));
    launch("next_by_blocks", group_items(), 1, ranks_, values_, level, in_rank_block_, table_, behind_, next,
           blocks(), size());
  }

  BestLevel<Sum> best_level(std::size_t elements, bool or_fewer) {
    const std::size_t first = or_fewer ? 1 : elements;
    std::vector<Sum> maxima(kMaximaGroups * (elements - first + 1));
    std::vector<cl::Buffer> buffers;
    for (std::size_t level = first; level <= elements; ++level) {
      buffers.push_back(device_.buffer<Sum>(kMaximaGroups));
      launch("level_maxima", kMaximaGroups * kGroup, 1, levels_[level - 1], buffers.back(), size());
      queue_.receive(buffers.back(), maxima.data() + (level - first) * kMaximaGroups, kMaximaGroups);
    }
    queue_.finish();
    BestLevel<Sum> best;
    for (std::size_t level = first; level <= elements; ++level) {
      improve(best, level,
              std::span<const Sum>(maxima).subspan((level - first) * kMaximaGroups, kMaximaGroups));
    }
    return best;
  }

  std::vector<std::size_t> walk(const BestLevel<Sum>& best) {
    const cl::Buffer chain = device_.buffer<cl_int>(best.elements);
    queue_.fill(chain, std::numeric_limits<cl_int>::max(), best.elements);
    launch("trace_first", count_, 1, levels_[best.elements - 1], chain, best.sum, size());
    for (std::size_t step = 0; step + 1 < best.elements; ++step) {
      const std::size_t level = best.elements - 1 - step;
      launch("trace_next", count_, 1, ranks_, values_, levels_[level], levels_[level - 1], chain,
             static_cast<cl_int>(step), size());
    }
    const auto positions = queue_.read<cl_int>(chain, best.elements);
    return {positions.begin(), positions.end()};
  }

  // Checks the level of the answer: its largest sum must be best.sum, and a sample of it must follow from the
  // level below.
  void check_levels(const BestLevel<Sum>& best) {
    const std::vector<Sum> level = queue_.read<Sum>(levels_[best.elements - 1], count_);
    const std::vector<Sum> below =
        best.elements > 1 ? queue_.read<Sum>(levels_[best.elements - 2], count_) : std::vector<Sum>();
    if (*std::max_element(level.begin(), level.end()) != best.sum) {
      throw WrongDeviceResult(device_.info().name, "a sum that is not the largest");
    }
    check_level<Sum>(vector_, below, level, device_.info().name);
  }

  const OpenDevice& device_;
  const RankedVector<Sum>& vector_;
  Queue queue_;
  std::size_t count_, block_;
  KernelSet kernels_;
  cl::Buffer ranks_, values_;
  std::vector<cl::Buffer> levels_;
  cl::Buffer order_, places_, in_rank_block_, table_, behind_;  // of DeviceLevelMethod::Blocks
  cl::Event first_kernel_, last_kernel_;
};

}  // namespace

DeviceLevels::DeviceLevels(const DeviceInfo& device) : device_(device) {}

std::string DeviceLevels::obstacle(std::size_t count, std::size_t elements, std::size_t sum_bytes,
                                   DeviceLevelMethod method) const {
  const DeviceInfo& device = device_.info();
  if (device.max_work_group < kGroup) return "the device takes no work-groups of " + std::to_string(kGroup);
  // Computed in double, which cannot overflow.
  const double level = static_cast<double>(count) * static_cast<double>(sum_bytes);
  const bool elementwise = method == DeviceLevelMethod::Elements;
  double largest = elementwise ? level * static_cast<double>(elements) : level;
  double all = level * static_cast<double>(elements + 2) + largest;
  if (method == DeviceLevelMethod::Blocks) {
    const auto blocks = static_cast<double>(ceiling(count, choose_block(count)));
    const double table = blocks * blocks * static_cast<double>(sum_bytes);
    largest = std::max(largest, table);
    all += 2 * table;
  }
  constexpr double kUsable = 0.8;  // part of the device's memory
  if (largest > static_cast<double>(device.max_allocation) ||
      all > kUsable * static_cast<double>(device.memory)) {
    return "the levels do not fit the device's memory";
  }
  return "";
}

template <class Sum>
DeviceTrace DeviceLevels::find(const RankedVector<Sum>& vector, std::size_t elements, bool or_fewer,
                               DeviceLevelMethod method, std::size_t block) {
  const std::size_t span = block == 0 ? choose_block(vector.size()) : block;
  return Run<Sum>(device_, vector, span).find(elements, or_fewer, method);
}

template DeviceTrace DeviceLevels::find(const RankedVector<std::int32_t>&, std::size_t, bool,
                                        DeviceLevelMethod, std::size_t);
template DeviceTrace DeviceLevels::find(const RankedVector<std::int64_t>&, std::size_t, bool,
                                        DeviceLevelMethod, std::size_t);

}  // namespace gpuhmm
