// Sorts a set of sequences by length.
#include "filter/sequence_set.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace gpuhmm {

// A counting sort, as there may be millions of sequences and most lengths are small; the few sequences longer
// than kLongestCounted are sorted by comparison.
std::vector<std::size_t> longest_first(const SequenceSet& sequences) {
  constexpr std::size_t kLongestCounted = std::size_t{1} << 15;
  std::size_t counted = 1;  // each length up to here has its own key
  for (std::size_t i = 0; i < sequences.size(); ++i) counted = std::max(counted, sequences.length(i));
  counted = std::min(counted, kLongestCounted);
  const auto key = [&](std::size_t i) { return counted - std::min(sequences.length(i), counted); };
  std::vector<std::size_t> ends(counted + 2, 0);  // after the sums: where the sequences of a key begin
  for (std::size_t i = 0; i < sequences.size(); ++i) ++ends[key(i) + 1];
  const std::size_t longer = ends[1];
  const std::size_t empty = ends[counted + 1];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<std::size_t> order(sequences.size());
  for (std::size_t i = 0; i < sequences.size(); ++i) order[ends[key(i)]++] = i;
  order.resize(order.size() - empty);
  std::ranges::stable_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(longer),
                           std::ranges::greater(), [&](std::size_t i) { return sequences.length(i); });
  return order;
}

}  // namespace gpuhmm
