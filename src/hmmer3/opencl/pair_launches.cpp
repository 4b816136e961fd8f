// Models of about one size share a launch, as all its work-groups have equal local memory; long pairs, which
// it would wait for, have launches of their own.
#include "hmmer3/opencl/pair_launches.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

#include "util/parallel.hpp"

namespace gpuhmm::hmmer3 {

namespace {

// Pairs of queries in their order.
struct QueryPairs {
  std::vector<Pair> long_ones, others;
};

// The launches of a kind, of which the last one is being filled.
class Filling {
 public:
  explicit Filling(const PairRoom& room) : room_(room) {}

  // Adds pairs of a query, which must live until take(). `sequences`: of a work-group with a model of this
  // size.
  void add(std::span<const Pair> pairs, std::size_t size, std::size_t sequences) {
    bool has_place =
        !launches_.empty() && launches_.back().sequences == sequences && room_.may_share(smallest_, size);
    std::size_t added = 0;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const std::size_t rows = pairs[p].length + 1, cost = pairs[p].length * size;
      if (!has_place || rows_ + rows > room_.rows || launches_.back().cells + cost > room_.cells) {
        add_to_last(pairs.subspan(added, p - added));
        added = p;
        launches_.push_back({{}, sequences, size});
        parts_.emplace_back();
        smallest_ = size;
        rows_ = 0;
        has_place = true;
      }
      rows_ += rows;
      launches_.back().cells += cost;
      launches_.back().size = size;
    }
    add_to_last(pairs.subspan(added));
  }

  // The launches with their pairs, which `threads` threads put there.
  std::vector<PairLaunch> take(unsigned threads) {
    parallel_for(threads, launches_.size(), 1, [&](std::size_t l, std::size_t) {
      std::size_t count = 0;
      for (const std::span<const Pair> part : parts_[l]) count += part.size();
      launches_[l].pairs.reserve(count);
      for (const std::span<const Pair> part : parts_[l])
        launches_[l].pairs.insert(launches_[l].pairs.end(), part.begin(), part.end());
    });
    return std::move(launches_);
  }

 private:
  void add_to_last(std::span<const Pair> part) {
    if (!part.empty()) parts_.back().push_back(part);
  }

  const PairRoom& room_;
  std::vector<PairLaunch> launches_;
  std::vector<std::vector<std::span<const Pair>>> parts_;  // of each launch
  std::size_t smallest_ = 0, rows_ = 0;                    // of the last
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

PairRoom PairRoom::for_rows(std::size_t all) const {
  // Each launch ends between two pairs.
  constexpr double kSpare = 1.02;
  PairRoom room = *this;
  if (launches > 0) {
    const double each = kSpare * static_cast<double>(all) / static_cast<double>(launches);
    room.rows = std::max(rows, std::min(static_cast<std::size_t>(each), most_rows));
  }
  return room;
}

std::vector<PairLaunch> pair_launches(std::span<const PairQuery> queries, std::span<const std::size_t> sizes,
                                      const SequenceBatch& batch, const PairRoom& room, unsigned threads) {
  // Pairs of more than this part of the most steps are long.
  const std::size_t long_cost =
      room.classes.empty() ? room.cost / 4 : std::numeric_limits<std::size_t>::max();
  std::vector<std::uint32_t> lengths(batch.size());  // in less memory than the batch has them in
  for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] = static_cast<std::uint32_t>(batch.length(i));
  std::vector<QueryPairs> pairs(queries.size());
  std::atomic<std::size_t> all_rows = 0;
  parallel_for(threads, queries.size(), 1, [&](std::size_t q, std::size_t) {
    if (room.sequences_at(sizes[q]) == 0) return;
    pairs[q].others.reserve(queries[q].sequences.size());
    std::size_t rows = 0;
    for (std::size_t n = 0; n < queries[q].sequences.size(); ++n) {
      const std::uint32_t sequence = queries[q].sequences[n];
      const std::size_t length = lengths[sequence];
      const std::size_t cost = length * sizes[q];
      if (length + 1 > room.rows || cost > std::min(room.cost, room.cells)) continue;
      rows += length + 1;
      (cost > long_cost ? pairs[q].long_ones : pairs[q].others)
          .push_back({static_cast<std::uint32_t>(q), static_cast<std::uint32_t>(n), sequence,
                      static_cast<std::uint32_t>(length)});
    }
    all_rows += rows;
  });
  const PairRoom enough = room.for_rows(all_rows);
  std::vector<std::size_t> order(queries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::less(), [&](std::size_t q) { return sizes[q]; });
  Filling long_ones(enough), others(enough);
  for (const std::size_t q : order) {
    const std::size_t sequences = room.sequences_at(sizes[q]);
    long_ones.add(pairs[q].long_ones, sizes[q], sequences);
    others.add(pairs[q].others, sizes[q], sequences);
  }
  std::vector<PairLaunch> launches = long_ones.take(threads);
  std::ranges::move(others.take(threads), std::back_inserter(launches));
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
