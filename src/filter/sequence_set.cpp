// Sorts a set of sequences by length.
#include "filter/sequence_set.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace gpuhmm {

// A counting sort, as there may be millions of sequences and most lengths are small; the few sequences longer
// than kLongestCounted are sorted by comparison.
LengthOrder::LengthOrder(const SequenceSet& sequences)
    : lengths(sequences.size()), ranks(sequences.size(), kNowhere) {
  constexpr std::uint32_t kLongestCounted = 1U << 15;
  const std::size_t size = lengths.size();
  std::uint32_t counted = 1;  // each length up to here has its own key
  for (std::size_t i = 0; i < size; ++i) {
    lengths[i] = static_cast<std::uint32_t>(sequences.length(i));
    counted = std::max(counted, lengths[i]);
  }
  counted = std::min(counted, kLongestCounted);
  const auto key = [&](std::size_t i) { return counted - std::min(lengths[i], counted); };
  std::vector<std::uint32_t> ends(std::size_t{counted} + 2, 0);  // after the sums: where a key's begin
  for (std::size_t i = 0; i < size; ++i) ++ends[key(i) + 1];
  const std::uint32_t longer = ends[1];
  const std::uint32_t empty = ends[counted + 1];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  longest_first.resize(size - empty);
  for (std::uint32_t i = 0; i < size; ++i) {
    if (lengths[i] == 0) continue;
    ranks[i] = ends[key(i)]++;
    longest_first[ranks[i]] = i;
  }
  std::ranges::stable_sort(longest_first.begin(), longest_first.begin() + longer, std::ranges::greater(),
                           [&](std::uint32_t i) { return lengths[i]; });
  for (std::uint32_t rank = 0; rank < longer; ++rank) ranks[longest_first[rank]] = rank;
}

std::shared_ptr<const LengthOrder> SequenceSet::by_length() const {
  return by_length_ ? by_length_ : std::make_shared<const LengthOrder>(*this);
}

std::vector<std::size_t> longest_first(const SequenceSet& sequences) {
  const std::shared_ptr<const LengthOrder> order = sequences.by_length();
  return {order->longest_first.begin(), order->longest_first.end()};
}

}  // namespace gpuhmm
