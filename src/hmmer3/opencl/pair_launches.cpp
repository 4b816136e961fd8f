// Models of about one size share a launch, as all its work-groups have equal local memory; long pairs, which
// it would wait for, have launches of their own.
#include "hmmer3/opencl/pair_launches.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

namespace gpuhmm::hmmer3 {

namespace {

// The launches of a kind, of which the last one is being filled.
struct Filling {
  std::vector<PairLaunch> launches;
  std::size_t smallest = 0, rows = 0;  // of the last

  // `sequences`: of a work-group with a model of this size.
  void add(const Pair& pair, std::size_t size, std::size_t sequences, const PairRoom& room) {
    const std::size_t cost = pair.length * size;
    if (launches.empty() || launches.back().sequences != sequences || !room.may_share(smallest, size) ||
        rows + pair.length + 1 > room.rows || launches.back().cells + cost > room.cells) {
      launches.push_back({{}, sequences, size});
      smallest = size;
      rows = 0;
    }
    rows += pair.length + 1;
    launches.back().cells += cost;
    launches.back().size = size;
    launches.back().pairs.push_back(pair);
  }
};

}  // namespace

std::size_t PairRoom::sequences_at(std::size_t size) const {
  if (size > largest) return 0;
  std::size_t count = std::bit_floor(sequences);
  while (count > 0 && bytes_of(size, count) > local_bytes) count /= 2;
  return count;
}

bool PairRoom::may_share(std::size_t smallest, std::size_t size) const {
  constexpr std::size_t kSmall = 8;
  if (classes.empty()) return size <= std::max(smallest, kSmall) * 3 / 2;
  return std::ranges::lower_bound(classes, smallest) == std::ranges::lower_bound(classes, size);
}

std::vector<PairLaunch> pair_launches(std::span<const PairQuery> queries, std::span<const std::size_t> sizes,
                                      const SequenceBatch& batch, const PairRoom& room) {
  // Pairs of more than this part of the most steps are long.
  const std::size_t long_cost =
      room.classes.empty() ? room.cost / 4 : std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> order(queries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::less(), [&](std::size_t q) { return sizes[q]; });
  std::vector<std::uint32_t> lengths(batch.size());  // in less memory than the batch has them in
  for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] = static_cast<std::uint32_t>(batch.length(i));
  Filling long_ones, others;
  for (const std::size_t q : order) {
    const std::size_t size = sizes[q], sequences = room.sequences_at(size);
    if (sequences == 0) break;
    for (std::size_t n = 0; n < queries[q].sequences.size(); ++n) {
      const std::size_t sequence = queries[q].sequences[n], length = lengths[sequence], cost = length * size;
      if (length + 1 > room.rows || cost > std::min(room.cost, room.cells)) continue;
      (cost > long_cost ? long_ones : others)
          .add({static_cast<std::uint32_t>(q), static_cast<std::uint32_t>(n),
                static_cast<std::uint32_t>(sequence), static_cast<std::uint32_t>(length)},
               size, sequences, room);
    }
  }
  std::vector<PairLaunch> launches = std::move(long_ones.launches);
  std::ranges::move(others.launches, std::back_inserter(launches));
  std::ranges::stable_sort(launches, std::ranges::greater(), &PairLaunch::cells);
  return launches;
}

std::vector<std::size_t> nodes_of(std::span<const PairQuery> queries) {
  std::vector<std::size_t> nodes;
  for (const PairQuery& query : queries)
    nodes.push_back(static_cast<std::size_t>(query.profile->profile.nodes));
  return nodes;
}

LaunchModels::LaunchModels(std::span<const Pair> pairs, std::size_t queries_in_all)
    : model_of(queries_in_all) {
  for (const Pair& pair : pairs) {
    if (!queries.empty() && queries.back() == pair.query) continue;
    model_of[pair.query] = static_cast<std::uint32_t>(queries.size());
    queries.push_back(pair.query);
  }
}

std::vector<Four> pair_groups(std::span<const Pair> pairs,
                              const std::function<std::size_t(std::uint32_t query)>& sequences,
                              const LaunchModels& models, std::span<const std::size_t> sizes) {
  std::vector<Four> groups;
  for (std::size_t first = 0; first < pairs.size();) {
    const std::size_t most = sequences(pairs[first].query);
    std::size_t last = first + 1;
    while (last < pairs.size() && last - first < most && pairs[last].query == pairs[first].query) ++last;
    groups.push_back({static_cast<cl_uint>(first), static_cast<cl_uint>(last - first),
                      models.model_of[pairs[first].query], 0});
    first = last;
  }
  std::ranges::stable_sort(groups, std::ranges::greater(), [&](const Four& group) {
    return pairs[group[0]].length * sizes[pairs[group[0]].query];
  });
  return groups;
}

std::vector<Four> pair_groups(std::span<const Pair> pairs, std::size_t sequences, const LaunchModels& models,
                              std::span<const std::size_t> sizes) {
  return pair_groups(
      pairs, [&](std::uint32_t) { return sequences; }, models, sizes);
}

std::vector<Four> pair_places(std::span<const Pair> pairs, const SequenceBatch& batch, std::uint64_t first) {
  const std::uint8_t* const begin = batch.all_residues().data();
  std::vector<Four> places;
  places.reserve(pairs.size());
  for (const Pair& pair : pairs) {
    const auto place = static_cast<std::uint64_t>(batch.residues(pair.sequence).data() - begin);
    places.push_back({static_cast<cl_uint>(first + place), pair.length, 0, 0});
  }
  return places;
}

}  // namespace gpuhmm::hmmer3
