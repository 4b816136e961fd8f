// The checks of sorted keys, counts and strings, and the way back to the host.
#include "companion/strings/checked_sorter.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "companion/strings/opencl/device_sorter.hpp"
#include "opencl/host_fallback.hpp"
#include "util/parallel.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kPart = std::size_t{1} << 18;  // elements that a thread checks at a time
constexpr std::size_t kSample = 1024;                // lines or pairs of strings that are checked

// A checksum of numbers that does not depend on their order: the sum of the numbers after a bijection of 64
// bits (the finaliser of splitmix64).
template <class NumberAt>
std::uint64_t checksum(unsigned threads, std::size_t size, const NumberAt& number_at) {
  std::atomic<std::uint64_t> sum{0};
  parallel_for(threads, size, kPart, [&](std::size_t first, std::size_t last) {
    std::uint64_t part = 0;
    for (std::size_t i = first; i < last; ++i) {
      std::uint64_t mixed = number_at(i);
      mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9U;
      mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebU;
      part += mixed ^ mixed >> 31;
    }
    sum += part;
  });
  return sum;
}

std::string_view string_at(const StringSet& set, std::uint64_t start) {
  return set.text.substr(start, std::min<std::uint64_t>(set.text.find(kStringEnd, start) - start, set.limit));
}

class CheckedSorter : public Sorter {
 public:
  CheckedSorter(std::unique_ptr<Sorter> device, CheckedSorterOptions options)
      : device_(std::move(device)),
        host_(make_host_sorter(options.threads)),
        options_(std::move(options)),
        fallback_(
            options_.host_after_failure ? HostFallback::After::AnyFailure : HostFallback::After::WrongResult,
            options_.warn) {}

  std::span<std::uint64_t> sort_keys(std::span<std::uint64_t> keys,
                                     std::span<std::uint64_t> scratch) override {
    const std::uint64_t bytes = keys.size_bytes();
    return choose(
        options_.suits(keys.size(), bytes, 2 * bytes + bytes / 4),
        [&] {
          const auto sum_of = [this](std::span<const std::uint64_t> numbers) {
            return checksum(options_.threads, numbers.size(), [&](std::size_t i) { return numbers[i]; });
          };
          const std::span<std::uint64_t> sorted = device_->sort_keys(keys, scratch);
          require(sorted.size() == keys.size() && ascends(sorted), "keys out of order");
          require(sum_of(sorted) == sum_of(keys), "sorted keys that are not those given");
          return sorted;
        },
        [&] { return host_->sort_keys(keys, scratch); });
  }

  std::vector<std::uint32_t> count_lines(const EqualLines& lines) override {
    const std::uint64_t words = std::uint64_t{1} << lines.word_bits();
    return choose(
        options_.suits(lines.lines(), lines.text.size(), lines.text.size() + words * sizeof(std::uint32_t)),
        [&] {
          std::vector<std::uint32_t> counts = device_->count_lines(lines);
          check_counts(lines, counts);
          return counts;
        },
        [&] { return host_->count_lines(lines); });
  }

  SortedStrings sort_strings(const StringSet& set) override {
    const std::uint64_t starts = set.starts.size() * sizeof(std::uint64_t);
    return choose(
        options_.suits(set.starts.size(), std::max<std::uint64_t>(set.text.size(), starts),
                       memory_to_sort_strings(set)),
        [&] {
          SortedStrings sorted = device_->sort_strings(set);
          check_strings(set, sorted);
          return sorted;
        },
        [&] { return host_->sort_strings(set); });
  }

 private:
  template <class Device, class Host>
  std::invoke_result_t<Host> choose(bool suits, const Device& on_device, const Host& on_host) {
    if (!suits) return on_host();
    using Sorted = std::optional<std::invoke_result_t<Host>>;
    Sorted sorted = fallback_.run(
        [&]() -> Sorted {
          try {
            return on_device();
          } catch (const EngineFailure& failure) {
            if (!failure.out_of_memory()) throw;
            return std::nullopt;  // a later, smaller set may fit
          }
        },
        [] { return Sorted(); });
    return sorted ? *std::move(sorted) : on_host();
  }

  void require(bool sound, const char* otherwise) const {
    if (!sound) throw WrongDeviceResult(options_.device, otherwise);
  }

  bool ascends(std::span<const std::uint64_t> keys) const {
    std::atomic<bool> sound{true};
    parallel_for(options_.threads, keys.size(), kPart, [&](std::size_t first, std::size_t last) {
      const auto from = keys.begin() + static_cast<std::ptrdiff_t>(first - (first > 0 ? 1 : 0));
      if (!std::is_sorted(from, keys.begin() + static_cast<std::ptrdiff_t>(last))) sound = false;
    });
    return sound;
  }

  void check_counts(const EqualLines& lines, const std::vector<std::uint32_t>& counts) const {
    require(counts.size() == std::size_t{1} << lines.word_bits(), "counts of other lines");
    std::uint64_t sum = 0;
    for (const std::uint32_t count : counts) sum += count;
    require(sum == lines.lines(), "counts that are not those of all lines");
    std::vector<std::uint64_t> words;
    const std::size_t step = std::max<std::size_t>(1, lines.lines() / kSample);
    for (std::size_t i = 0; i < lines.lines(); i += step) {
      words.push_back(lines.word(lines.text.data() + i * (lines.length + 1)));
    }
    std::sort(words.begin(), words.end());
    for (auto first = words.begin(); first != words.end();) {
      const auto last = std::upper_bound(first, words.end(), *first);
      require(counts[*first] >= static_cast<std::uint64_t>(last - first), "too low a count of a line");
      first = last;
    }
  }

  void check_strings(const StringSet& set, const SortedStrings& sorted) const {
    const std::size_t size = set.starts.size();
    require(sorted.size() == size, "another number of strings");
    const auto given = [&](std::size_t i) { return set.starts[i]; };
    const auto got = [&](std::size_t i) { return sorted[i].start(); };
    require(checksum(options_.threads, size, given) == checksum(options_.threads, size, got),
            "strings that are not those given");
    require(sorted.empty() || !sorted[0].repeated(), "a first string that repeats another");
    const std::size_t step = std::max<std::size_t>(1, size / kSample);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> equal;  // their starts
    for (std::size_t i = 1; i < size; i += step) {
      const SortedString before = sorted[i - 1], here = sorted[i];
      const int order = string_at(set, before.start()).compare(string_at(set, here.start()));
      require(order <= 0 && (order == 0) == here.repeated(), "strings out of order");
      if (order == 0) equal.emplace_back(before.start(), here.start());
    }
    if (equal.empty()) return;
    const auto place = places(set, equal);
    for (const auto& [before, here] : equal) {
      require(place(before) < place(here), "equal strings out of order");
    }
  }

  // Gives the place of a string that `pairs` has in the input order by its start: starts need not ascend, as
  // those of words that are read in both directions.
  std::function<std::uint64_t(std::uint64_t)> places(
      const StringSet& set, const std::vector<std::pair<std::uint64_t, std::uint64_t>>& pairs) const {
    if (ascends(set.starts)) return [](std::uint64_t start) { return start; };
    std::unordered_map<std::uint64_t, std::uint64_t> found;
    for (const auto& [before, here] : pairs) found[before] = found[here] = 0;
    for (std::uint64_t i = 0; i < set.starts.size() && !found.empty(); ++i) {
      const auto known = found.find(set.starts[i]);
      if (known != found.end()) known->second = i;
    }
    return [found](std::uint64_t start) { return found.at(start); };
  }

  std::unique_ptr<Sorter> device_, host_;
  CheckedSorterOptions options_;
  HostFallback fallback_;
};

}  // namespace

std::unique_ptr<Sorter> make_checked_sorter(std::unique_ptr<Sorter> device, CheckedSorterOptions options) {
  return std::make_unique<CheckedSorter>(std::move(device), std::move(options));
}

SortedStrings strings_in_order(const StringSet& set, std::span<const std::uint32_t> order,
                               const std::string& device) {
  constexpr std::uint32_t kRepeated = std::uint32_t{1} << 31;
  SortedStrings sorted;
  sorted.reserve(order.size());
  for (const std::uint32_t entry : order) {
    const std::uint32_t number = entry & ~kRepeated;
    if (number >= set.starts.size()) throw WrongDeviceResult(device, "a string number out of range");
    sorted.emplace_back(set.starts[number], (entry & kRepeated) != 0);
  }
  return sorted;
}

}  // namespace gpuhmm
