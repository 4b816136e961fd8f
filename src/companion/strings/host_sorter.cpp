// The host's threads behind the interface of Sorter.
#include <algorithm>
#include <utility>

#include "companion/strings/radix_sort.hpp"
#include "companion/strings/sorter.hpp"
#include "companion/strings/string_sort.hpp"
#include "util/parallel.hpp"

namespace gpuhmm {

namespace {

class HostSorter : public Sorter {
 public:
  explicit HostSorter(unsigned threads) : threads_(threads) {}

  std::span<std::uint64_t> sort_keys(std::span<std::uint64_t> keys,
                                     std::span<std::uint64_t> scratch) override {
    return radix_sort(keys, scratch, threads_);
  }

  std::vector<std::uint32_t> count_lines(const EqualLines& lines) override {
    const unsigned parts = std::max(threads_, 1U);
    std::vector<std::vector<std::uint32_t>> tables(parts);
    const std::size_t size = std::size_t{1} << lines.word_bits();
    parallel_for(parts, parts, 1, [&](std::size_t part, std::size_t) {
      tables[part].resize(size);
      const std::size_t first = lines.lines() * part / parts, last = lines.lines() * (part + 1) / parts;
      const char* line = lines.text.data() + first * (lines.length + 1);
      for (std::size_t i = first; i < last; ++i, line += lines.length + 1) ++tables[part][lines.word(line)];
    });
    for (unsigned part = 1; part < parts; ++part) {
      for (std::size_t word = 0; word < size; ++word) tables[0][word] += tables[part][word];
    }
    return std::move(tables[0]);
  }

  SortedStrings sort_strings(const StringSet& set) override { return gpuhmm::sort_strings(set, threads_); }

 private:
  unsigned threads_;
};

}  // namespace

std::unique_ptr<Sorter> make_host_sorter(unsigned threads) { return std::make_unique<HostSorter>(threads); }

}  // namespace gpuhmm
