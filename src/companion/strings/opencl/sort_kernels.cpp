// Launches of the sorting kernels.
#include "companion/strings/opencl/sort_kernels.hpp"

#include <algorithm>
#include <bit>

#include "opencl/wrong_result.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kScanTile = SortKernels::kGroup * 16;  // SCAN_TILE of sort_ops.cl
constexpr unsigned kDigitBits = 8;
// Keys of a work-item: a work-group then takes 41 KiB of local memory, 44 KiB with values, of the 48 KiB that
// every device is expected to have.
constexpr std::size_t kKeysEach = 15, kPairsEach = 11;
constexpr std::size_t kLeastForBuckets = std::size_t{1} << 18;  // keys
constexpr std::size_t kSampled =
    16;  // one in so many groups of keys is sampled to see how evenly keys are spread
constexpr std::size_t kMostCommands = 4096;  // noted before their times are added up

std::string options(std::size_t each, const std::string& more) {
  return "-DGROUP=" + std::to_string(SortKernels::kGroup) + " -DITEMS=" + std::to_string(each) + more;
}

std::uint32_t number(std::size_t value) { return static_cast<std::uint32_t>(value); }

}  // namespace

SortKernels::SortKernels(const DeviceInfo& device)
    : device_(device),
      queue_(device_),
      keys_(sorting_build(kKeysEach)),
      pairs_(sorting_build(kPairsEach, " -DPAIRS")),
      single_{kGroup,
              {device_,
               {"sort_ops.cl", "sort_strings.cl", "count_words.cl"},
               options(1, " -DSLOTS=1024 -DTEXT_BYTES=" + std::to_string(kTextBytes))}} {}

SortKernels::Build SortKernels::sorting_build(std::size_t each, const std::string& more) const {
  return {each * kGroup, {device_, {"sort_ops.cl", "sort_keys.cl"}, options(each, more)}};
}

void SortKernels::note(const std::string& name, cl::Event event) {
  commands_.note(name, std::move(event));
  if (commands_.size() >= kMostCommands) seconds();
}

std::map<std::string, double> SortKernels::seconds() {
  queue_.finish();
  commands_.take(queue_,
                 [&](const std::string& name, const CommandTime& time) { seconds_[name] += time.seconds(); });
  return seconds_;
}

void SortKernels::write(const cl::Buffer& to, const void* from, std::size_t bytes) {
  if (bytes > 0) note("write", queue_.write(to, static_cast<const char*>(from), bytes));
}

void SortKernels::read(const cl::Buffer& from, void* to, std::size_t bytes, std::size_t offset) {
  if (bytes > 0) note("read", queue_.read(from, static_cast<char*>(to), bytes, offset));
}

void SortKernels::copy(const cl::Buffer& from, const cl::Buffer& to, std::size_t bytes) {
  note("copy", queue_.copy(from, to, bytes));
}

void SortKernels::fill_zero(const cl::Buffer& buffer, std::size_t bytes) {
  note("fill", queue_.fill(buffer, cl_uint{0}, bytes / sizeof(cl_uint)));
}

void SortKernels::scan_levels(const cl::Buffer& numbers, std::size_t size, const cl::Buffer& sums) {
  const std::size_t tiles = (size + kScanTile - 1) / kScanTile;
  run("scan_reduce", tiles, numbers, number(size), sums);
  run("scan_sums", 1, sums, number(tiles));
  run("scan_apply", tiles, numbers, number(size), sums);
}

std::uint32_t SortKernels::exclusive_scan(const cl::Buffer& numbers, std::size_t size) {
  const std::size_t tiles = (size + kScanTile - 1) / kScanTile;
  const cl::Buffer sums = buffer<std::uint32_t>(tiles + 1);
  scan_levels(numbers, size, sums);
  std::uint32_t total = 0;
  read(sums, &total, sizeof total, tiles * sizeof total);
  return total;
}

std::uint64_t SortKernels::varying_bits(const cl::Buffer& keys, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t groups = std::clamp<std::size_t>(size / (kGroup * 16), 1, 1024);
  const cl::Buffer both = buffer<std::uint64_t>(2 * groups);
  launch(keys_, "key_bits", groups, keys, number(size), both);
  std::vector<std::uint64_t> parts(2 * groups);
  read(both, parts.data(), parts.size() * sizeof(std::uint64_t));
  std::uint64_t all = ~std::uint64_t{0}, any = 0;
  for (std::size_t group = 0; group < groups; ++group) {
    all &= parts[2 * group];
    any |= parts[2 * group + 1];
  }
  return all ^ any;
}

void SortKernels::pass(Build& build, KeyBuffers& buffers, std::size_t size, unsigned shift,
                       std::uint32_t mask, bool pairs, const cl::Buffer& counts, const cl::Buffer& sums) {
  const std::size_t tiles = (size + build.tile - 1) / build.tile;
  launch(build, "digit_counts", tiles, buffers.keys, number(size), shift, mask, counts, number(tiles));
  scan_levels(counts, tiles * (std::size_t{mask} + 1), sums);
  if (pairs) {
    launch(build, "scatter", tiles, buffers.keys, buffers.other_keys, buffers.values, buffers.other_values,
           number(size), shift, mask, counts, number(tiles));
    std::swap(buffers.values, buffers.other_values);
  } else {
    launch(build, "scatter", tiles, buffers.keys, buffers.other_keys, number(size), shift, mask, counts,
           number(tiles));
  }
  std::swap(buffers.keys, buffers.other_keys);
}

void SortKernels::sort(KeyBuffers& buffers, std::size_t size, std::uint64_t varying, bool pairs) {
  if (size < 2 || varying == 0) return;
  if (!pairs && sort_by_buckets(buffers, size, varying)) return;
  Build& build = pairs ? pairs_ : keys_;
  const std::size_t entries = (size + build.tile - 1) / build.tile << kDigitBits;
  const cl::Buffer counts = buffer<std::uint32_t>(entries);
  const cl::Buffer sums = buffer<std::uint32_t>((entries + kScanTile - 1) / kScanTile + 1);
  while (varying != 0) {
    // the digit begins where keys differ and is as wide as there are differing bits in reach
    const auto shift = static_cast<unsigned>(std::countr_zero(varying));
    const std::uint64_t digit = varying >> shift & ((1U << kDigitBits) - 1);
    const std::uint32_t mask = (1U << std::bit_width(digit)) - 1;
    varying &= ~(std::uint64_t{mask} << shift);
    pass(build, buffers, size, shift, mask, pairs, counts, sums);
  }
}

SortKernels::Build& SortKernels::bucket_build(std::size_t largest) {
  for (const std::size_t each :
       {std::size_t{4}, std::size_t{6}, std::size_t{8}, std::size_t{10}, std::size_t{12}}) {
    if (largest > each * kGroup) continue;
    return buckets_.try_emplace(each, sorting_build(each)).first->second;
  }
  return keys_;
}

/// Sorts by passes over the high bits alone, and by the other bits in local memory. Returns false, with the
/// keys in any order, if they are too few, differ in too few bits or are spread too unevenly.
bool SortKernels::sort_by_buckets(KeyBuffers& buffers, std::size_t size, std::uint64_t varying) {
  const auto low = static_cast<unsigned>(std::countr_zero(varying));
  const auto end = static_cast<unsigned>(std::bit_width(varying));
  unsigned high_bits = 1;
  while (size >> high_bits > keys_.tile * 3 / 4) ++high_bits;
  const unsigned passes = (high_bits + kDigitBits - 1) / kDigitBits;
  // searching for the buckets pays if it saves two passes
  if (size < kLeastForBuckets || (passes + 2) * kDigitBits > end - low) return false;
  const unsigned shift = end - high_bits;
  const std::size_t count = std::size_t{1} << high_bits;
  const std::uint32_t mask = number(count - 1);
  const cl::Buffer starts = buffer<std::uint32_t>(count + 1);
  std::vector<std::uint32_t> found(count + 1);

  fill_zero(starts, (count + 1) * sizeof(std::uint32_t));
  launch(keys_, "sample_buckets", (size + kGroup * kSampled - 1) / (kGroup * kSampled), buffers.keys,
         number(size), number(kSampled), shift, mask, starts);
  read(starts, found.data(), count * sizeof(std::uint32_t));
  if (*std::max_element(found.begin(), found.end()) * kSampled > keys_.tile * 9 / 10) return false;

  const std::size_t entries = (size + keys_.tile - 1) / keys_.tile << kDigitBits;
  const cl::Buffer counts = buffer<std::uint32_t>(entries);
  const cl::Buffer sums = buffer<std::uint32_t>((entries + kScanTile - 1) / kScanTile + 1);
  const unsigned width = (high_bits + passes - 1) / passes;
  for (unsigned at = shift; at < end; at += width) {
    pass(keys_, buffers, size, at, (1U << std::min(width, end - at)) - 1, false, counts, sums);
  }
  launch(keys_, "bucket_starts", (size + kGroup - 1) / kGroup, buffers.keys, number(size), shift, mask,
         starts);
  read(starts, found.data(), (count + 1) * sizeof(std::uint32_t));
  if (found.front() != 0 || found.back() != size || !std::is_sorted(found.begin(), found.end())) {
    throw WrongDeviceResult(device().name, "buckets of other keys");
  }
  std::size_t largest = 0;
  for (std::size_t bucket = 0; bucket < count; ++bucket) {
    largest = std::max<std::size_t>(largest, found[bucket + 1] - found[bucket]);
  }
  if (largest > keys_.tile) return false;
  launch(bucket_build(largest), "sort_buckets", count, buffers.keys, starts, low, shift);
  return true;
}

}  // namespace gpuhmm
