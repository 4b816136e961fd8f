// Links of sampled segments: by vectors as pair by pair, and pair by pair as the specification has it.
#include "hmmer3/segment_clusters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <random>
#include <vector>

#include "hmmer3/segment_links.hpp"

namespace gpuhmm::hmmer3 {
namespace {

// docs/spec/hmmer3/domains.md, 6, word by word.
bool linked_by_division(const SegmentEnds& a, const SegmentEnds& b) {
  const auto enough = [](int overlap, int shorter) {
    return static_cast<float>(overlap) / static_cast<float>(shorter) >= 0.8F;
  };
  return enough(std::min(a.to, b.to) - std::max(a.from, b.from) + 1,
                std::min(a.to - a.from, b.to - b.from) + 1) &&
         enough(std::min(a.model_to, b.model_to) - std::max(a.model_from, b.model_from),
                std::min(a.model_to - a.model_from, b.model_to - b.model_from) + 1) &&
         (std::abs((a.from - a.model_from) - (b.from - b.model_from)) <= 4 ||
          std::abs((a.to - a.model_to) - (b.to - b.model_to)) <= 4);
}

// Segments around a few domains, many of them equal, as tracebacks have them.
std::vector<SampledSegment> random_segments(std::mt19937& random, std::size_t count) {
  const auto below = [&](int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random); };
  const int domains = 1 + below(4), length = 1 + below(120), wobble = 1 + below(12);
  std::vector<SampledSegment> segments;
  for (std::size_t i = 0; i < count; ++i) {
    const int from = 1 + below(domains) * (length + 5) + below(wobble), model_from = 1 + below(wobble);
    const int nodes = std::max(0, length - below(wobble)), residues = std::max(0, nodes + below(5) - 2);
    segments.push_back({static_cast<int>(i / 3), static_cast<std::size_t>(from),
                        static_cast<std::size_t>(from + residues), model_from, model_from + nodes});
  }
  return segments;
}

bool same(const SegmentEnds& a, const SegmentEnds& b) {
  return a.from == b.from && a.to == b.to && a.model_from == b.model_from && a.model_to == b.model_to &&
         a.place == b.place;
}

TEST(SegmentLinks, VectorsTakeWhatPairsTake) {
  std::mt19937 random(1);
  for (std::size_t count = 1; count < 300; count += 1 + count / 8) {
    for (int round = 0; round < 20; ++round) {
      const std::vector<SampledSegment> segments = random_segments(random, count);
      OpenSegments by_vectors(segments), by_pairs(segments);
      while (by_pairs.size() > 0) {
        ASSERT_EQ(by_vectors.size(), by_pairs.size());
        const SegmentEnds segment = by_pairs.take_next().value();
        ASSERT_TRUE(same(by_vectors.take_next().value(), segment));
        std::vector<SegmentEnds> expected, taken;
        by_pairs.take_linked_plainly(segment, expected);
        by_vectors.take_linked(segment, taken);
        ASSERT_TRUE(std::ranges::equal(taken, expected, same)) << count << " segments, round " << round;
      }
      ASSERT_FALSE(by_vectors.take_next());
    }
  }
}

// Places of the members of each cluster, sorted.
template <class Open>
std::vector<std::vector<std::int32_t>> members_by(const std::vector<SampledSegment>& segments) {
  Open open(segments);
  std::vector<std::vector<std::int32_t>> clusters;
  while (const std::optional<SegmentEnds> next = open.take_next()) {
    std::vector<SegmentEnds> taken = {*next};
    for (std::size_t done = 0; done < taken.size(); ++done) open.take_linked(SegmentEnds(taken[done]), taken);
    std::ranges::sort(taken, {}, &SegmentEnds::place);
    std::vector<std::int32_t>& places = clusters.emplace_back();
    for (const SegmentEnds& segment : taken) places.push_back(segment.place);
  }
  std::ranges::sort(clusters);
  return clusters;
}

TEST(SegmentLinks, FromLeftToRightClustersAreTheSame) {
  std::mt19937 random(3);
  std::size_t large = 0;
  for (std::size_t count = 0; count < 3000; count += 1 + count / 4) {
    for (int round = 0; round < 10; ++round) {
      const std::vector<SampledSegment> segments = random_segments(random, count);
      const auto expected = members_by<OpenSegments>(segments);
      ASSERT_EQ(members_by<PlacedSegments>(segments), expected) << count << " segments, round " << round;
      for (const auto& members : expected) large += members.size() > 10;
    }
  }
  EXPECT_GT(large, 100U);
}

TEST(SegmentLinks, ComparesAsTheDivisionDoes) {
  std::mt19937 random(2);
  std::size_t links = 0, pairs = 0;
  for (int round = 0; round < 200; ++round) {
    const OpenSegments segments(random_segments(random, 60));
    for (std::size_t i = 0; i < segments.size(); ++i) {
      for (std::size_t j = 0; j < segments.size(); ++j) {
        const bool expected = linked_by_division(segments[i], segments[j]);
        ASSERT_EQ(linked(segments[i], segments[j]), expected);
        links += expected;
        ++pairs;
      }
    }
  }
  EXPECT_GT(links, pairs / 20);
  EXPECT_LT(links, pairs * 19 / 20);
  // Four fifths exactly, and one residue less, of every length that a sequence may have.
  for (std::int32_t length = 5; length <= 100'000; length += length < 2000 ? 1 : 997) {
    const SegmentEnds whole{1, length, 1, length, 0};
    const std::int32_t enough = (4 * length + 4) / 5;
    for (const std::int32_t overlap : {enough - 1, enough}) {
      const std::int32_t shift = length - overlap;
      const SegmentEnds shifted{1 + shift, length + shift, 1, length, 1};
      const SegmentEnds with_diagonal{1 + shift, length + shift, 1 + shift, length + shift, 1};
      ASSERT_EQ(linked(whole, shifted), linked_by_division(whole, shifted)) << length;
      ASSERT_EQ(linked(whole, with_diagonal), linked_by_division(whole, with_diagonal)) << length;
    }
  }
}

void expect_one_cluster(const std::vector<ClusterEnds>& clusters, const ClusterEnds& expected) {
  ASSERT_EQ(clusters.size(), 1U);
  EXPECT_EQ(clusters[0].from, expected.from);
  EXPECT_EQ(clusters[0].to, expected.to);
  EXPECT_EQ(clusters[0].model_from, expected.model_from);
  EXPECT_EQ(clusters[0].model_to, expected.model_to);
  EXPECT_EQ(clusters[0].probability, expected.probability);
}

// Two equal segments of four nodes are not linked: each is a cluster, in too few tracebacks.
TEST(SegmentClusters, ShortSegmentsAreNotLinked) {
  const auto clusters_of = [](int nodes) {
    std::vector<SampledSegment> segments;
    for (int t = 0; t < kTracebacks; ++t)
      segments.push_back({t, 10, 10 + static_cast<std::size_t>(nodes) - 1, 3, 3 + nodes - 1});
    return cluster_segments(segments);
  };
  EXPECT_TRUE(clusters_of(4).empty());
  expect_one_cluster(clusters_of(5), {10, 14, 3, 7, 1});
}

// An end that fifty of two hundred have counts, however far out; one that three have does not.
TEST(SegmentClusters, EndsAreThoseOfEnoughTracebacks) {
  std::vector<SampledSegment> segments;
  for (int t = 0; t < kTracebacks; ++t) {
    const std::size_t from = t < 3 ? 8 : t < 53 ? 9 : 10, to = t < 3 ? 112 : t < 53 ? 111 : 110;
    segments.push_back({t, from, to, static_cast<int>(from) - 5, static_cast<int>(to) - 5});
  }
  expect_one_cluster(cluster_segments(segments), {9, 111, 4, 106, 1});
}

TEST(SegmentClusters, EndsAreTheFirstOfTheMostFrequentIfNoneHasEnoughTracebacks) {
  std::vector<std::size_t> ends = {30, 40};  // three times each, all others twice; four would be enough
  for (std::size_t end = 0; end < 99; ++end) ends.insert(ends.end(), 2, end);
  std::ranges::sort(ends);
  std::vector<SampledSegment> segments;
  for (const std::size_t end : ends) {
    const auto node = static_cast<int>(end);
    segments.push_back({static_cast<int>(segments.size()), 10 + end, 1010 + end, 5 + node, 1005 + node});
  }
  ASSERT_EQ(segments.size(), std::size_t{kTracebacks});
  expect_one_cluster(cluster_segments(segments), {40, 1040, 35, 1035, 1});
}

// Of two that begin at the same residue and are as frequent the later one in the reference's order is left,
// however many segments there are.
TEST(SegmentClusters, ThoseThatBeginTogetherKeepTheirOrder) {
  constexpr std::size_t kFrom = 5010;
  std::mt19937 random(4);
  for (int round = 0; round < 20; ++round) {
    std::vector<int> nodes(kTracebacks, 1);
    std::fill_n(nodes.begin(), kTracebacks / 2, 201);
    std::ranges::shuffle(nodes, random);
    std::vector<SampledSegment> segments;
    for (int t = 0; t < kTracebacks; ++t) {
      for (std::size_t from = 1010; from < 12'000; from += 1000) {
        const int node = from == kFrom ? nodes[static_cast<std::size_t>(t)] : 1;
        segments.push_back({t, from, from + 100, node, node + 100});
      }
    }
    int later = 0;
    OpenSegments open(segments);
    while (const std::optional<SegmentEnds> next = open.take_next()) {
      std::vector<SegmentEnds> taken;
      open.take_linked_plainly(*next, taken);
      if (next->from == kFrom) later = next->model_from;
    }
    const std::vector<ClusterEnds> clusters = cluster_segments(segments);
    ASSERT_EQ(clusters.size(), 11U);
    EXPECT_EQ(clusters[4].from, kFrom);
    EXPECT_EQ(clusters[4].model_from, later) << round;
  }
}

}  // namespace
}  // namespace gpuhmm::hmmer3
