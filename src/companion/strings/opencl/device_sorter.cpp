// Keys and counts of words on a device.
#include "companion/strings/opencl/device_sorter.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "companion/strings/checked_sorter.hpp"

namespace gpuhmm {

namespace {

// The part of the device's memory that buffers may take: the driver needs the rest.
constexpr double kUsable = 0.9;

// Sorts everything on the device.
class DeviceSorter : public Sorter {
 public:
  explicit DeviceSorter(const DeviceInfo& device) : kernels_(device) {}

  std::span<std::uint64_t> sort_keys(std::span<std::uint64_t> keys,
                                     std::span<std::uint64_t> scratch) override {
    KeyBuffers buffers{
        kernels_.buffer<std::uint64_t>(keys.size()), kernels_.buffer<std::uint64_t>(keys.size()), {}, {}};
    kernels_.write(buffers.keys, keys.data(), keys.size_bytes());
    kernels_.sort(buffers, keys.size(), kernels_.varying_bits(buffers.keys, keys.size()), false);
    kernels_.read(buffers.keys, scratch.data(), keys.size_bytes());
    return scratch;
  }

  std::vector<std::uint32_t> count_lines(const EqualLines& lines) override {
    const std::uint64_t words = std::uint64_t{1} << lines.word_bits();
    const cl::Buffer text = kernels_.buffer<char>(lines.text.size());
    kernels_.write(text, lines.text.data(), lines.text.size());
    const cl::Buffer counts = count_lines_on(kernels_, lines, text);
    std::vector<std::uint32_t> result(words);
    kernels_.read(counts, result.data(), words * sizeof(std::uint32_t));
    return result;
  }

  SortedStrings sort_strings(const StringSet& set) override { return sort_strings_on(kernels_, set); }

 private:
  SortKernels kernels_;
};

}  // namespace

cl::Buffer count_lines_on(SortKernels& kernels, const EqualLines& lines, const cl::Buffer& text) {
  constexpr std::size_t kLinesEach = 64;  // of a work-item
  const std::size_t words = std::size_t{1} << lines.word_bits();
  const cl::Buffer codes = kernels.buffer<std::uint8_t>(lines.codes.size());
  kernels.write(codes, lines.codes.data(), lines.codes.size());
  cl::Buffer counts = kernels.buffer<std::uint32_t>(words);
  kernels.fill_zero(counts, words * sizeof(std::uint32_t));
  const std::size_t each = SortKernels::kGroup * kLinesEach;
  kernels.run("count_words", (lines.lines() + each - 1) / each, text,
              static_cast<std::uint32_t>(lines.lines()), static_cast<std::uint32_t>(kLinesEach), lines.length,
              lines.bits, codes, counts);
  return counts;
}

void write_lines_on(SortKernels& kernels, const EqualLines& lines, const cl::Buffer& counts,
                    const cl::Buffer& text) {
  const std::size_t words = std::size_t{1} << lines.word_bits();
  kernels.exclusive_scan(counts, words);
  const cl::Buffer letters = kernels.buffer<char>(lines.letters.size());
  kernels.write(letters, lines.letters.data(), lines.letters.size());
  const std::size_t each = SortKernels::kTextBytes / (SortKernels::kGroup * (lines.length + 1));
  const std::size_t group = SortKernels::kGroup * each;
  kernels.run("write_words", (lines.lines() + group - 1) / group, counts, static_cast<std::uint32_t>(words),
              static_cast<std::uint32_t>(lines.lines()), static_cast<std::uint32_t>(each), lines.length,
              lines.bits, letters, text);
}

std::unique_ptr<Sorter> make_device_sorter(const DeviceInfo& device, const DeviceSorterOptions& options) {
  CheckedSorterOptions checked;
  checked.device = device.name;
  checked.threads = options.threads;
  checked.host_after_failure = options.host_after_failure;
  checked.warn = options.warn;
  checked.suits = [device, smallest = options.smallest](std::size_t size, std::uint64_t largest_buffer,
                                                        std::uint64_t bytes) {
    return size > 1 && size >= smallest && size <= std::numeric_limits<std::int32_t>::max() &&
           largest_buffer <= device.max_allocation &&
           static_cast<double>(bytes) <= kUsable * static_cast<double>(device.memory);
  };
  return make_checked_sorter(std::make_unique<DeviceSorter>(device), std::move(checked));
}

}  // namespace gpuhmm
