// MSD radix sort of (word, start) records. A group is a run of records whose strings are
// equal up to some depth; large groups are split by all threads together, small ones by a thread each.
#include "companion/strings/string_sort.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <utility>

#include "util/common_prefix.hpp"
#include "util/large_bytes.hpp"
#include "util/parallel.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kInsertion = 24;                // records: below it, insertion sort
constexpr std::size_t kAhead = 12;                    // records whose characters are fetched ahead
constexpr std::size_t kLarge = std::size_t{1} << 16;  // records of a group that several threads split

struct Item {
  std::uint64_t word;   // the characters at the group's depth
  std::uint64_t start;  // the string
};

struct Group {
  std::size_t first, count;
  std::uint64_t depth;
  bool loaded;  // the words are those at `depth`
};

struct Difference {
  std::uint64_t all = ~std::uint64_t{0}, any = 0;

  void add(std::uint64_t word) {
    all &= word;
    any |= word;
  }
  void add(const Difference& other) {
    all &= other.all;
    any |= other.any;
  }
  std::uint64_t bits() const { return all ^ any; }
};

// The digit of a counting pass: the highest bits that differ.
struct Digit {
  unsigned shift;
  std::uint64_t mask;

  Digit(std::uint64_t varying, unsigned most) {
    const auto top = static_cast<unsigned>(std::bit_width(varying));
    const unsigned width = std::min(most, top - static_cast<unsigned>(std::countr_zero(varying)));
    shift = top - width;
    mask = (std::uint64_t{1} << width) - 1;
  }
  std::size_t of(std::uint64_t word) const { return (word >> shift) & mask; }
};

class GroupSorter {
 public:
  GroupSorter(const StringSet& set, unsigned threads)
      : set_(set),
        threads_(std::max(threads, 1U)),
        size_(set.starts.size()),
        storage_(large_bytes(2 * size_ * sizeof(Item))),
        items_(reinterpret_cast<Item*>(storage_.get())),
        scratch_(items_ + size_),
        repeated_(std::make_unique<bool[]>(size_)) {}

  SortedStrings run() {
    parallel_for(threads_, size_, kLarge, [this](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) items_[i].start = set_.starts[i];
    });
    std::vector<Group> large, small;
    sort_into(large, small, {0, size_, 0, false});
    while (!large.empty()) {
      const Group group = large.back();
      large.pop_back();
      split_together(group, large, small);
    }
    parallel_for(threads_, small.size(), 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) sort_alone(small[i]);
    });
    SortedStrings sorted(size_);
    parallel_for(threads_, size_, kLarge, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) sorted[i] = {items_[i].start, repeated_[i]};
    });
    return sorted;
  }

 private:
  void sort_into(std::vector<Group>& large, std::vector<Group>& small, const Group& group) const {
    if (group.count < 2) return;
    (threads_ > 1 && group.count >= std::max(kLarge, size_ / (8 * threads_)) ? large : small)
        .push_back(group);
  }

  bool ended(std::uint64_t word, std::uint64_t depth) const {
    return set_.packing.ends_in(word) || depth + set_.packing.per_word() >= set_.limit;
  }

  // Loads the words of records [first, last) at `depth`.
  Difference load(std::size_t first, std::size_t last, std::uint64_t depth) {
    const char* text = set_.text.data() + depth;
    const auto most =
        static_cast<unsigned>(std::min<std::uint64_t>(set_.packing.per_word(), set_.limit - depth));
    Difference difference;
    for (std::size_t i = first; i < last; ++i) {
      if (i + kAhead < last) __builtin_prefetch(text + items_[i + kAhead].start);
      items_[i].word = set_.packing.word(text + items_[i].start, most);
      difference.add(items_[i].word);
    }
    return difference;
  }

  // Number of characters from `depth` on that record `model` and records [first, last) share. Reads only
  // little more than them, however long the strings are.
  std::uint64_t shared(std::size_t model, std::size_t first, std::size_t last, std::uint64_t depth) const {
    constexpr std::uint64_t kFirstPiece = 64, kLargestPiece = 65536;
    std::uint64_t total = 0;
    for (std::uint64_t piece = kFirstPiece;; piece = std::min(2 * piece, kLargestPiece)) {
      const std::uint64_t same = shared_piece(model, first, last, depth + total, piece);
      total += same;
      if (same < piece) return total;
    }
  }

  // The same for at most `most` characters.
  std::uint64_t shared_piece(std::size_t model, std::size_t first, std::size_t last, std::uint64_t depth,
                             std::uint64_t most) const {
    const char* text = set_.text.data() + depth;
    const std::uint64_t text_left = set_.text.size() - depth;
    const std::uint64_t start = items_[model].start;
    most = std::min({most, set_.limit - depth, text_left - start});
    const void* end = std::memchr(text + start, kStringEnd, most);
    if (end != nullptr) most = static_cast<std::uint64_t>(static_cast<const char*>(end) - (text + start));
    for (std::size_t i = first; i < last && most > 0; ++i) {
      if (i + kAhead < last) __builtin_prefetch(text + items_[i + kAhead].start);
      const std::uint64_t other = items_[i].start;
      most = common_prefix(text + start, text + other, std::min(most, text_left - other));
    }
    return most;
  }

  void mark_repeated(const Group& group) {
    std::fill_n(repeated_.get() + group.first + 1, group.count - 1, true);
  }

  // Splits a group by its highest differing bits, with all threads. The parts are new groups.
  void split_together(Group group, std::vector<Group>& large, std::vector<Group>& small) {
    constexpr unsigned kDigitBits = 8;
    const std::size_t blocks = 4 * threads_;
    const auto begin = [&](std::size_t block) { return group.first + group.count * block / blocks; };
    std::vector<Difference> differences(blocks);
    Difference difference;
    for (;;) {
      parallel_for(threads_, blocks, 1, [&](std::size_t block, std::size_t) {
        differences[block] = {};
        if (!group.loaded) {
          differences[block] = load(begin(block), begin(block + 1), group.depth);
        } else {
          for (std::size_t i = begin(block); i < begin(block + 1); ++i)
            differences[block].add(items_[i].word);
        }
      });
      difference = {};
      for (const Difference& part : differences) difference.add(part);
      if (difference.bits() != 0) break;
      if (ended(difference.any, group.depth)) return mark_repeated(group);
      group.depth += set_.packing.per_word();
      group.loaded = false;
      std::vector<std::uint64_t> prefixes(blocks);
      parallel_for(threads_, blocks, 1, [&](std::size_t block, std::size_t) {
        prefixes[block] = shared(group.first, begin(block), begin(block + 1), group.depth);
      });
      group.depth += *std::min_element(prefixes.begin(), prefixes.end());
    }
    const Digit digit(difference.bits(), kDigitBits);
    std::vector<std::array<std::size_t, std::size_t{1} << kDigitBits>> places(blocks);
    parallel_for(threads_, blocks, 1, [&](std::size_t block, std::size_t) {
      auto& counts = places[block];
      counts.fill(0);
      for (std::size_t i = begin(block); i < begin(block + 1); ++i) ++counts[digit.of(items_[i].word)];
    });
    std::size_t before = group.first;
    for (std::size_t value = 0; value <= digit.mask; ++value) {
      const std::size_t first = before;
      for (auto& counts : places) before += std::exchange(counts[value], before);
      sort_into(large, small, {first, before - first, group.depth, true});
    }
    parallel_for(threads_, blocks, 1, [&](std::size_t block, std::size_t) {
      for (std::size_t i = begin(block); i < begin(block + 1); ++i) {
        scratch_[places[block][digit.of(items_[i].word)]++] = items_[i];
      }
    });
    parallel_for(threads_, blocks, 1, [&](std::size_t block, std::size_t) {
      std::copy(scratch_ + begin(block), scratch_ + begin(block + 1), items_ + begin(block));
    });
  }

  // Sorts a group completely, with an explicit stack: long shared prefixes would overflow the call stack.
  void sort_alone(const Group& group) {
    std::vector<Group> stack{group};
    while (!stack.empty()) {
      Group next = stack.back();
      stack.pop_back();
      Difference difference;
      if (!next.loaded) {
        difference = load(next.first, next.first + next.count, next.depth);
      } else {
        for (std::size_t i = 0; i < next.count; ++i) difference.add(items_[next.first + i].word);
      }
      if (difference.bits() != 0) {
        split(next, difference.bits(), stack);
      } else if (ended(difference.any, next.depth)) {
        mark_repeated(next);
      } else {
        next.depth += set_.packing.per_word();
        next.depth += shared(next.first, next.first + 1, next.first + next.count, next.depth);
        next.loaded = false;
        stack.push_back(next);
      }
    }
  }

  // Sorts a group by its words or some of their bits; records equal in them go on the stack as a group.
  void split(const Group& group, std::uint64_t varying, std::vector<Group>& stack) {
    Item* items = items_ + group.first;
    if (group.count <= kInsertion) {
      for (std::size_t i = 1; i < group.count; ++i) {
        const Item item = items[i];
        std::size_t to = i;
        for (; to > 0 && items[to - 1].word > item.word; --to) items[to] = items[to - 1];
        items[to] = item;
      }
      for (std::size_t first = 0, i = 1; i <= group.count; ++i) {
        if (i < group.count && items[i].word == items[first].word) continue;
        if (i - first > 1) stack.push_back({group.first + first, i - first, group.depth, true});
        first = i;
      }
      return;
    }
    const Digit digit(varying, group.count < 1024 ? 5 : 8);
    std::array<std::size_t, 256> places{};
    for (std::size_t i = 0; i < group.count; ++i) ++places[digit.of(items[i].word)];
    std::size_t before = 0;
    for (std::size_t value = 0; value <= digit.mask; ++value) {
      const std::size_t count = std::exchange(places[value], before);
      if (count > 1) stack.push_back({group.first + before, count, group.depth, true});
      before += count;
    }
    Item* scratch = scratch_ + group.first;
    for (std::size_t i = 0; i < group.count; ++i) scratch[places[digit.of(items[i].word)]++] = items[i];
    std::copy(scratch, scratch + group.count, items);
  }

  const StringSet& set_;
  unsigned threads_;
  std::size_t size_;
  LargeBytes storage_;  // of items and scratch
  Item *items_, *scratch_;
  std::unique_ptr<bool[]> repeated_;
};

}  // namespace

SortedStrings sort_strings(const StringSet& set, unsigned threads) { return GroupSorter(set, threads).run(); }

}  // namespace gpuhmm
