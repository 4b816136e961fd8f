// Strings on a device, round by round (cl/sort_strings.cl).
#include <algorithm>
#include <array>
#include <vector>

#include "companion/strings/checked_sorter.hpp"
#include "companion/strings/opencl/device_sorter.hpp"
#include "opencl/wrong_result.hpp"

namespace gpuhmm {

namespace {

// The strings that are not yet in their final places.
struct Active {
  cl::Buffer strings, slots, groups;
};

class StringRounds {
 public:
  StringRounds(SortKernels& kernels, const StringSet& set)
      : kernels_(kernels),
        set_(set),
        size_(set.starts.size()),
        text_(kernels.buffer<char>(set.text.size())),
        starts_(kernels.buffer<std::uint64_t>(size_)),
        codes_(kernels.buffer<std::uint8_t>(256)),
        order_(kernels.buffer<std::uint32_t>(size_)),
        active_{numbers(size_), numbers(size_), numbers(size_)},
        spare_{numbers(size_), numbers(size_), numbers(size_)},
        sorting_{words(), words(), numbers(size_), numbers(size_)},
        words_(words()),
        stays_(numbers(size_ + 1)),
        heads_(numbers(size_ + 1)) {
    std::array<std::uint8_t, 256> codes;
    for (std::size_t c = 0; c < codes.size(); ++c) codes[c] = set.packing.code(static_cast<char>(c));
    kernels.write(codes_, codes.data(), codes.size());
    kernels.write(text_, set.text.data(), set.text.size());
    kernels.write(starts_, set.starts.data(), size_ * sizeof(std::uint64_t));
  }

  SortedStrings run() {
    kernels_.run_over("begin_strings", size_, number(size_), active_.strings, active_.slots, active_.groups);
    std::uint32_t groups = 1;
    for (std::uint64_t depth = 0; left_ > 0; depth += set_.packing.per_word()) groups = round(depth, groups);
    std::vector<std::uint32_t> order(size_);
    kernels_.read(order_, order.data(), size_ * sizeof(std::uint32_t));
    return strings_in_order(set_, order, kernels_.device().name);
  }

 private:
  static std::uint32_t number(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
  cl::Buffer numbers(std::size_t size) const { return kernels_.buffer<std::uint32_t>(size); }
  cl::Buffer words() const { return kernels_.buffer<std::uint64_t>(size_); }

  // Sorts the active strings by the word at `depth` inside their groups. Gives the number of groups that are
  // left.
  std::uint32_t round(std::uint64_t depth, std::uint32_t groups) {
    if (depth > std::min<std::uint64_t>(set_.limit, set_.text.size())) {
      throw WrongDeviceResult(kernels_.device().name, "strings that do not end");
    }
    const CharacterPacking& packing = set_.packing;
    const std::uint64_t most = std::min<std::uint64_t>(packing.per_word(), set_.limit - depth);
    const std::size_t size = left_;
    kernels_.run_over("load_words", size, text_, cl_ulong{set_.text.size()}, starts_, active_.strings,
                      number(size), cl_ulong{depth}, number(most), packing.bits(), packing.per_word(), codes_,
                      words_, sorting_.values);
    sort_positions(groups);
    // gathered into buffers that the sort no longer needs
    kernels_.run_over("gather", size, sorting_.values, number(size), active_.strings, active_.groups, words_,
                      spare_.strings, spare_.groups, sorting_.keys);
    const std::uint64_t character = (std::uint64_t{1} << packing.bits()) - 1;
    const std::uint32_t last = depth + packing.per_word() >= set_.limit ? 1 : 0;
    kernels_.run_over("judge", size, spare_.groups, sorting_.keys, number(size), cl_ulong{character}, last,
                      spare_.strings, active_.slots, order_, stays_, heads_);
    const std::uint32_t kept = sums_before(stays_, size);
    const std::uint32_t new_groups = sums_before(heads_, size);
    if (kept > size || new_groups > kept) {
      throw WrongDeviceResult(kernels_.device().name, "more strings left than there are");
    }
    kernels_.run_over("keep", size, stays_, heads_, number(size), spare_.strings, active_.slots,
                      active_.strings, spare_.slots, active_.groups);
    std::swap(active_.slots, spare_.slots);
    left_ = kept;
    return new_groups;
  }

  // Puts into sorting_.values, for each place of the new order, the present place of its string.
  void sort_positions(std::uint32_t groups) {
    const std::size_t size = left_;
    const std::uint64_t varying = kernels_.varying_bits(words_, size);
    if (varying == 0) return;
    kernels_.copy(words_, sorting_.keys, size * sizeof(std::uint64_t));
    kernels_.sort(sorting_, size, varying, true);
    if (groups == 1) return;
    kernels_.run_over("load_groups", size, active_.groups, sorting_.values, number(size), sorting_.keys);
    kernels_.sort(sorting_, size, kernels_.varying_bits(sorting_.keys, size), true);
  }

  // Replaces each number by the sum of all before it, and the one after the last by the sum of all, which it
  // returns.
  std::uint32_t sums_before(const cl::Buffer& numbers, std::size_t size) {
    return kernels_.exclusive_scan(numbers, size + 1);
  }

  SortKernels& kernels_;
  const StringSet& set_;
  std::size_t size_;
  cl::Buffer text_, starts_, codes_, order_;
  Active active_, spare_;
  std::size_t left_ = size_;  // active strings
  KeyBuffers sorting_;
  cl::Buffer words_, stays_, heads_;
};

}  // namespace

std::uint64_t memory_to_sort_strings(const StringSet& set) {
  // starts; order, strings, slots and groups twice, values twice, stays and heads; words and keys twice;
  // counts
  return set.text.size() + set.starts.size() * (8 + 4 * 11 + 8 * 3 + 2);
}

SortedStrings sort_strings_on(SortKernels& kernels, const StringSet& set) {
  return StringRounds(kernels, set).run();
}

}  // namespace gpuhmm
