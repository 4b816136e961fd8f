// The device's sorts against the plain references, on the OpenCL CPU device (PoCL): keys, counts of lines,
// strings.
#include <gtest/gtest.h>

#include <algorithm>

#include "companion/strings/opencl/device_sorter.hpp"
#include "companion/strings/reference.hpp"
#include "random_strings.hpp"

namespace gpuhmm {
namespace {

DeviceInfo device() {
  const std::vector<DeviceInfo> all = list_devices();
  const std::optional<DeviceInfo> found = select_device(all, "pthread");
  if (!found) throw std::runtime_error("no OpenCL CPU device: install pocl-opencl-icd");
  return *found;
}

// A sorter that uses the device for everything.
Sorter& sorter() {
  const auto fail = [](const std::string& message) { ADD_FAILURE() << message; };
  static const std::unique_ptr<Sorter> one = make_device_sorter(device(), {.threads = 2, .warn = fail});
  return *one;
}

TEST(DeviceSort, SortsKeysAsStdSort) {
  Generator rng(2);
  for (const std::size_t size : {0, 1, 2, 255, 3839, 3840, 3841, 50021, 1200007}) {
    for (const std::uint64_t mask : {~std::uint64_t{0}, std::uint64_t{0x3ffff}, std::uint64_t{0},
                                     std::uint64_t{0xff00000000000001}, std::uint64_t{0x0000070000000000}}) {
      if (size > 100000 && mask != 0x3ffff) continue;
      std::vector<std::uint64_t> keys(size), scratch(size);
      for (auto& key : keys) key = (rng() & mask) | 0x10;
      std::vector<std::uint64_t> expected = keys;
      std::sort(expected.begin(), expected.end());
      const auto sorted = sorter().sort_keys(keys, scratch);
      EXPECT_TRUE(std::equal(sorted.begin(), sorted.end(), expected.begin(), expected.end()))
          << size << " " << mask;
    }
  }
}

TEST(DeviceSort, SortsKeysInBuckets) {
  constexpr std::size_t kSize = 300007;
  Generator rng(6);
  // evenly spread; all in one bucket; unevenly in a way that a sample of the keys does not show; few bits to
  // sort in the buckets
  for (const int shape : {0, 1, 2, 3}) {
    std::vector<std::uint64_t> keys(kSize), scratch(kSize);
    for (std::size_t i = 0; i < kSize; ++i) {
      keys[i] = rng();
      if (shape == 1 && i > 0) keys[i] >>= 20;
      if (shape == 2 && i / 256 % 16 != 0) keys[i] >>= 20;
      if (shape == 3) keys[i] &= 0x00ffffff80000000;
    }
    std::vector<std::uint64_t> expected = keys;
    std::sort(expected.begin(), expected.end());
    const auto sorted = sorter().sort_keys(keys, scratch);
    EXPECT_TRUE(std::equal(sorted.begin(), sorted.end(), expected.begin(), expected.end())) << shape;
  }
}

TEST(DeviceSort, CountsAndWritesLines) {
  Generator rng(3);
  SortKernels kernels(device());
  for (const auto& [letters, length, count] : {std::tuple{std::string("ACGT"), 9U, 60001},
                                               {std::string("ACGT"), 1U, 5},
                                               {std::string("x"), 20U, 1000},
                                               {std::string("abcde"), 6U, 20481},
                                               {every_byte(), 2U, 40000},
                                               {std::string("ab"), 19U, 2049}}) {
    std::vector<std::string> lines(static_cast<std::size_t>(count));
    for (std::string& line : lines) {
      // some lines come very often
      for (unsigned i = 0; i < length; ++i)
        line += letters[below(rng, &line - lines.data() < count / 3 ? 1 : letters.size())];
    }
    const auto join = [&lines] {
      std::string text;
      for (const std::string& line : lines) text += line + kStringEnd;
      return text;
    };
    const std::string text = join();
    CharacterPacking::Seen seen{};
    for (const char c : text) seen[static_cast<unsigned char>(c)] = true;
    const EqualLines equal(text, length, seen);
    const std::vector<std::uint32_t> counts = sorter().count_lines(equal);
    EXPECT_EQ(counts, make_host_sorter(3)->count_lines(equal));
    std::sort(lines.begin(), lines.end());
    const cl::Buffer in = kernels.buffer<char>(text.size()),
                     out = kernels.buffer<std::uint32_t>(text.size() / 4 + 1);
    kernels.write(in, text.data(), text.size());
    write_lines_on(kernels, equal, count_lines_on(kernels, equal, in), out);
    std::string written(text.size(), ' ');
    kernels.read(out, written.data(), written.size());
    EXPECT_TRUE(written == join()) << length;
  }
}

TEST(DeviceSort, SortsStringsAsTheReference) {
  Generator rng(4);
  for (const Shape& shape : shapes()) {
    const std::string text = random_lines(rng, shape);
    const StringSet set = strings_of(text);
    EXPECT_TRUE(sorter().sort_strings(set) == reference_sort(set))
        << shape.count << " of " << shape.alphabet.size();
  }
}

TEST(DeviceSort, SortsOverlappingStringsOfLimitedLength) {
  Generator rng(5);
  for (const std::uint64_t limit : {1, 20, 21, 22, 33, 300}) {
    std::string text;
    const StringSet set = overlapping_strings(rng, limit, text);
    EXPECT_TRUE(sorter().sort_strings(set) == reference_sort(set)) << limit;
  }
}

}  // namespace
}  // namespace gpuhmm
