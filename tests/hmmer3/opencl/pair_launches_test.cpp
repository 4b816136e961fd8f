// Launches hold pairs of models that may share them, and no more than there is room for; work-groups hold
// pairs of one query, the longest first.
#include "hmmer3/opencl/pair_launches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "hmmer3/opencl/envelope_stream.hpp"
#include "hmmer3/opencl/sweep_shapes.hpp"

namespace gpuhmm::hmmer3 {
namespace {

// `count` sequences whose lengths differ by `step`.
SequenceBatch sequences_of(int count, int step, int most) {
  SequenceBatch batch;
  for (int i = 0; i < count; ++i) {
    batch.begin_sequence("s", "", "");
    batch.append_residues(std::vector<std::uint8_t>(static_cast<std::size_t>(1 + step * i % most)));
  }
  return batch;
}

// Queries of all sequences, by falling length, as a search gives them. Launches do not look at profiles.
std::vector<PairQuery> queries_of(std::size_t count, const SequenceBatch& batch) {
  std::vector<std::uint32_t> order(batch.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::uint32_t i) { return batch.length(i); });
  return std::vector<PairQuery>(count, PairQuery{nullptr, order});
}

TEST(PairLaunches, HoldModelsOfAClassAndNoMoreThanThereIsRoomFor) {
  const std::vector<std::size_t> sizes = {20, 30, 90, 200, 210};
  const SequenceBatch batch = sequences_of(30, 9, 1000);
  PairRoom room{8, 0, 1'000'000, 200 * 250, no_local_bytes};
  room.largest = 205;
  room.classes = {100, 300};
  room.cells = 200 * 300;
  std::size_t pairs = 0;
  bool mixed = false;
  for (const PairLaunch& launch : pair_launches(queries_of(sizes.size(), batch), sizes, batch, room)) {
    std::size_t cells = 0, largest = 0, smallest = 1000;
    for (const Pair& pair : launch.pairs) {
      const std::size_t size = sizes[pair.query];
      largest = std::max(largest, size);
      smallest = std::min(smallest, size);
      cells += size * pair.length;
    }
    EXPECT_LE(cells, room.cells);
    EXPECT_EQ(largest, launch.size);
    EXPECT_EQ(smallest <= 100, largest <= 100);
    mixed = mixed || 2 * smallest < largest;
    pairs += launch.pairs.size();
  }
  EXPECT_TRUE(mixed);
  // The largest model has no room, nor has the next one with the longest two sequences.
  EXPECT_EQ(pairs, 4U * 30 - 2);
}

bool same(const Pair& a, const Pair& b) {
  return a.query == b.query && a.n == b.n && a.sequence == b.sequence && a.length == b.length;
}

TEST(PairLaunches, DoNotDependOnTheNumberOfThreads) {
  const std::vector<std::size_t> sizes = {7, 90, 30, 31, 8};
  const SequenceBatch batch = sequences_of(60, 9, 1000);
  const std::vector<PairQuery> queries = queries_of(sizes.size(), batch);
  const PairRoom room{8, 40'000, 3000, 9'000, envelope_local_bytes};
  const std::vector<PairLaunch> expected = pair_launches(queries, sizes, batch, room, 1);
  EXPECT_GT(expected.size(), 10U);
  for (const unsigned threads : {2U, 7U}) {
    const std::vector<PairLaunch> launches = pair_launches(queries, sizes, batch, room, threads);
    ASSERT_EQ(launches.size(), expected.size());
    for (std::size_t l = 0; l < launches.size(); ++l) {
      EXPECT_TRUE(std::ranges::equal(launches[l].pairs, expected[l].pairs, same)) << l;
      EXPECT_EQ(launches[l].cells, expected[l].cells);
    }
  }
}

TEST(PairLaunches, AreFewIfTheyMayHaveMoreRows) {
  const std::vector<std::size_t> sizes = {20, 40, 60};
  const SequenceBatch batch = sequences_of(300, 7, 90);
  const std::vector<PairQuery> queries = queries_of(sizes.size(), batch);
  std::size_t all = 0;
  for (std::size_t i = 0; i < batch.size(); ++i) all += sizes.size() * (batch.length(i) + 1);
  PairRoom room{8, 0, 1000, 1'000'000, no_local_bytes};
  room.classes = {100};
  EXPECT_GT(pair_launches(queries, sizes, batch, room).size(), all / 1000);
  room.launches = 4;
  room.most_rows = all;
  EXPECT_EQ(pair_launches(queries, sizes, batch, room).size(), 4U);
  room.most_rows = all / 8;
  EXPECT_GT(pair_launches(queries, sizes, batch, room).size(), 7U);
  room.most_rows = 10;  // fewer than a launch may have anyway
  EXPECT_LE(pair_launches(queries, sizes, batch, room).size(), all / 900);
}

TEST(SweepShapes, ShareAClassIfTheyShareAProgram) {
  const SweepShapes shapes = {{4, 1, 1}, {8, 2, 1}, {8, 4}, {8, 8}};
  EXPECT_EQ(domain_classes(shapes), (std::vector<std::size_t>{4, 16, 64}));
  EXPECT_EQ(domain_classes({{8, 1}, {8, 2}, {8, 8}}), (std::vector<std::size_t>{8, 64}));
  EXPECT_EQ(program_classes(shapes), (std::vector<std::size_t>{4, 16, 64}));
}

TEST(PairGroups, BeginWithTheLongestAndHoldPairsOfOneQuery) {
  const std::vector<std::size_t> sizes = {2, 75, 25};
  const SequenceBatch batch = sequences_of(50, 7, 90);
  const std::vector<PairQuery> queries = queries_of(sizes.size(), batch);
  constexpr std::size_t kCost = 8'000;
  const std::vector<PairLaunch> launches =
      pair_launches(queries, sizes, batch, {8, 40'000, 900, kCost, envelope_local_bytes});
  std::size_t pairs = 0;
  for (const PairLaunch& launch : launches) {
    const auto is_long = [&](const Pair& pair) { return pair.length * sizes[pair.query] > kCost / 4; };
    EXPECT_TRUE(std::ranges::all_of(launch.pairs, is_long) || std::ranges::none_of(launch.pairs, is_long));
    std::size_t rows = 0;
    for (const Pair& pair : launch.pairs) rows += pair.length + 1;
    EXPECT_LE(rows, 900U);
    pairs += launch.pairs.size();
    const LaunchModels models(launch.pairs, queries.size());
    std::size_t in_groups = 0, before = ~std::size_t{0};
    for (const auto& [first, count, model, unused] :
         pair_groups(launch.pairs, launch.sequences, models, sizes)) {
      EXPECT_LE(count, launch.sequences);
      in_groups += count;
      const std::size_t cost = launch.pairs[first].length * sizes[models.queries[model]];
      EXPECT_LE(cost, before);
      before = cost;
      for (std::size_t p = first; p < first + count; ++p) {
        EXPECT_EQ(launch.pairs[p].query, models.queries[model]);
        EXPECT_LE(launch.pairs[p].length, launch.pairs[first].length);
      }
    }
    EXPECT_EQ(in_groups, launch.pairs.size());
  }
  EXPECT_EQ(pairs, 150U);
}

}  // namespace
}  // namespace gpuhmm::hmmer3
