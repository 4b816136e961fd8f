// Calls today's sorter and collects its times.
#include "experiment/sort/today_sort.hpp"

#include <algorithm>

#include "companion/strings/opencl/device_sorter.hpp"
#include "experiment/resources.hpp"
#include "experiment/spread.hpp"
#include "util/parallel.hpp"

namespace gpuhmm::experiment::sorting {

namespace {

constexpr std::size_t kBlock = 4096;  // words that a thread writes, or strings that it copies, at a time
constexpr double kUsable = 0.9;       // of the device's memory

CharacterPacking::Seen letters_of(const WordShape& shape) {
  CharacterPacking::Seen seen{};
  for (const char letter : shape.alphabet) seen[static_cast<unsigned char>(letter)] = true;
  return seen;
}

EqualLines lines_of(const WordSet& set) { return {set.text, set.shape.length, letters_of(set.shape)}; }

bool is_counted(const WordSet& set) { return lines_of(set).word_bits() <= Sorter::kCountedBits; }

StringSet strings_of(const WordSet& set) {
  StringSet strings;
  strings.text = set.text;
  strings.packing = CharacterPacking(letters_of(set.shape));
  strings.starts.resize(set.shape.count);
  for (std::size_t i = 0; i < set.shape.count; ++i) {
    strings.starts[i] = static_cast<std::uint64_t>(set.word(i) - set.text.data());
  }
  return strings;
}

std::string text_of(const EqualLines& lines, const std::vector<std::uint32_t>& counts, unsigned threads) {
  const std::size_t size = lines.length + std::size_t{1};
  std::vector<std::size_t> before(counts.size());
  for (std::size_t word = 1; word < counts.size(); ++word) before[word] = before[word - 1] + counts[word - 1];
  std::string text(lines.text.size(), kStringEnd);
  parallel_for(threads, counts.size(), kBlock, [&](std::size_t first, std::size_t last) {
    for (std::size_t word = first; word < last; ++word) {
      for (std::size_t i = before[word]; i < before[word] + counts[word]; ++i) {
        lines.unpack(static_cast<std::uint32_t>(word), text.data() + i * size);
      }
    }
  });
  return text;
}

// Writes the words in the given order.
void copy_in_order(const WordSet& set, const SortedStrings& order, unsigned threads, std::string& text) {
  const std::size_t size = set.shape.length + std::size_t{1};
  parallel_for(threads, order.size(), kBlock, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      std::copy_n(set.text.data() + order[i].start(), size, text.data() + i * size);
    }
  });
}

}  // namespace

std::string sort_today_on_host(const WordSet& set, unsigned threads) {
  const auto sorter = make_host_sorter(threads);
  if (is_counted(set)) {
    const EqualLines lines = lines_of(set);
    return text_of(lines, sorter->count_lines(lines), threads);
  }
  std::string text(set.text.size(), kStringEnd);
  copy_in_order(set, sorter->sort_strings(strings_of(set)), threads, text);
  return text;
}

TodaySeconds sort_today_on(SortKernels& kernels, const WordSet& set, std::string& sorted) {
  TodaySeconds seconds;
  const std::map<std::string, double> before = kernels.seconds();
  seconds.with_copies = seconds_of([&] {
    if (is_counted(set)) {
      const EqualLines lines = lines_of(set);
      const cl::Buffer in = kernels.buffer<char>(set.text.size()),
                       out = kernels.buffer<std::uint32_t>(set.text.size() / 4 + 1);
      kernels.write(in, set.text.data(), set.text.size());
      write_lines_on(kernels, lines, count_lines_on(kernels, lines, in), out);
      kernels.read(out, sorted.data(), sorted.size());
    } else {
      copy_in_order(set, sort_strings_on(kernels, strings_of(set)), 1, sorted);
    }
  });
  for (auto [name, all] : kernels.seconds()) {
    const auto earlier = before.find(name);
    if (earlier != before.end()) all -= earlier->second;
    if (name == "read" || name == "write" || name == "fill" || name == "copy") continue;
    seconds.kernels += all;
    if (!is_counted(set)) continue;
    if (name == "count_words") seconds.counting += all;
    if (name.starts_with("scan")) seconds.scan += all;
    if (name == "write_words") seconds.writing += all;
  }
  return seconds;
}

std::optional<std::string> lacking_today(const DeviceInfo& device, const WordSet& set) {
  const bool counted = is_counted(set);
  const std::uint64_t all = counted ? 2 * set.text.size() : memory_to_sort_strings(strings_of(set));
  const std::uint64_t largest =
      counted ? set.text.size() : std::max(set.text.size(), sizeof(std::uint64_t) * set.shape.count);
  if (static_cast<double>(all) > kUsable * static_cast<double>(device.memory)) {
    return "needs " + grouped_digits(all) + " bytes of memory; the device has " +
           grouped_digits(device.memory);
  }
  return lacking(device, {.buffer = largest});
}

}  // namespace gpuhmm::experiment::sorting
