// The host's threads behind the interface of Sorter.
#include "strings/radix_sort.hpp"
#include "strings/sorter.hpp"
#include "strings/string_sort.hpp"

namespace gpuhmm {

namespace {

class HostSorter : public Sorter {
 public:
  explicit HostSorter(unsigned threads) : threads_(threads) {}

  std::span<std::uint64_t> sort_keys(std::span<std::uint64_t> keys,
                                     std::span<std::uint64_t> scratch) override {
    return radix_sort(keys, scratch, threads_);
  }
  SortedStrings sort_strings(const StringSet& set) override { return gpuhmm::sort_strings(set, threads_); }

 private:
  unsigned threads_;
};

}  // namespace

std::unique_ptr<Sorter> make_host_sorter(unsigned threads) { return std::make_unique<HostSorter>(threads); }

}  // namespace gpuhmm
