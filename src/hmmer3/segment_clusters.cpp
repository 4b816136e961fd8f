// Single-linkage clustering of segments; end points by counting.
#include "hmmer3/segment_clusters.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "hmmer3/segment_links.hpp"

namespace gpuhmm::hmmer3 {

namespace {

// The members of each cluster, in the order of the segments. With OpenSegments the order of the clusters, and
// in which the open segments are tried, is the reference's.
template <class Open>
std::vector<std::vector<std::size_t>> single_linkage(std::span<const SampledSegment> segments) {
  Open open(segments);
  std::vector<SegmentEnds> stack;
  std::vector<std::vector<std::size_t>> clusters;
  while (const std::optional<SegmentEnds> next = open.take_next()) {
    std::vector<std::size_t>& members = clusters.emplace_back();
    stack.push_back(*next);
    while (!stack.empty()) {
      const SegmentEnds segment = stack.back();
      stack.pop_back();
      members.push_back(static_cast<std::size_t>(segment.place));
      open.take_linked(segment, stack);
    }
    std::sort(members.begin(), members.end());
  }
  return clusters;
}

// The first value, upward or downward, that at least `least` members have; else the most frequent one, the
// smallest of equals.
template <class Value>
std::int64_t end_of(std::span<const SampledSegment> segments, std::span<const std::size_t> members,
                    Value value, int least, bool downward) {
  const auto of = [&](std::size_t member) { return static_cast<std::int64_t>(segments[member].*value); };
  std::int64_t smallest = of(members.front()), largest = smallest;
  for (const std::size_t member : members) {
    smallest = std::min(smallest, of(member));
    largest = std::max(largest, of(member));
  }
  std::vector<int> counts(static_cast<std::size_t>(largest - smallest) + 1);
  for (const std::size_t member : members) ++counts[static_cast<std::size_t>(of(member) - smallest)];
  const auto enough = [least](int count) { return count >= least; };
  auto end = std::ranges::find_if(counts, enough);
  if (end == counts.end()) {
    end = std::ranges::max_element(counts);
  } else if (downward) {
    end = std::prev(std::find_if(counts.rbegin(), counts.rend(), enough).base());
  }
  return smallest + (end - counts.begin());
}

std::optional<ClusterEnds> ends_of(std::span<const SampledSegment> segments,
                                   std::span<const std::size_t> members) {
  constexpr float kLeastShare = 0.25F, kLeastEndShare = 0.02F;
  int tracebacks = 0, last = -1;
  for (const std::size_t member : members) {
    tracebacks += segments[member].traceback != last;
    last = segments[member].traceback;
  }
  const float share = static_cast<float>(tracebacks) / static_cast<float>(kTracebacks);
  if (share < kLeastShare) return std::nullopt;
  const auto least = static_cast<int>(std::ceil(static_cast<float>(tracebacks) * kLeastEndShare));
  const std::int64_t from = end_of(segments, members, &SampledSegment::from, least, false);
  const std::int64_t model_from = end_of(segments, members, &SampledSegment::model_from, least, false);
  const std::int64_t to = end_of(segments, members, &SampledSegment::to, least, true);
  const std::int64_t model_to = end_of(segments, members, &SampledSegment::model_to, least, true);
  if (from > to || model_from > model_to) return std::nullopt;
  return ClusterEnds{static_cast<std::size_t>(from), static_cast<std::size_t>(to),
                     static_cast<int>(model_from), static_cast<int>(model_to), share};
}

// Of two that overlap much the less probable one is left out.
std::vector<ClusterEnds> without_dominated(const std::vector<ClusterEnds>& clusters) {
  std::vector<bool> dominated(clusters.size());
  for (std::size_t d = 0; d < clusters.size(); ++d) {
    for (std::size_t e = d + 1; e < clusters.size(); ++e) {
      const ClusterEnds &a = clusters[d], &b = clusters[e];
      const std::int64_t overlap = static_cast<std::int64_t>(std::min(a.to, b.to)) -
                                   static_cast<std::int64_t>(std::max(a.from, b.from)) + 1;
      if (overlap == 0) break;
      const std::size_t shorter = std::min(a.to - a.from, b.to - b.from) + 1;
      const float part = static_cast<float>(overlap) / static_cast<float>(shorter);
      if (static_cast<double>(part) >= 0.8) dominated[a.probability > b.probability ? e : d] = true;
    }
  }
  std::vector<ClusterEnds> left;
  for (std::size_t d = 0; d < clusters.size(); ++d) {
    if (!dominated[d]) left.push_back(clusters[d]);
  }
  return left;
}

// The clusters that have ends, left to right; those that begin at the same residue in the order of
// single_linkage().
template <class Open>
std::vector<ClusterEnds> clusters_by(std::span<const SampledSegment> segments) {
  std::vector<ClusterEnds> clusters;
  for (const std::vector<std::size_t>& members : single_linkage<Open>(segments)) {
    if (const std::optional<ClusterEnds> ends = ends_of(segments, members)) clusters.push_back(*ends);
  }
  std::ranges::stable_sort(clusters, {}, &ClusterEnds::from);
  return clusters;
}

}  // namespace

std::vector<ClusterEnds> cluster_segments(std::span<const SampledSegment> segments) {
  constexpr std::size_t kMany = 1200;  // OpenSegments are faster for fewer
  if (segments.size() >= kMany) {
    const std::vector<ClusterEnds> clusters = clusters_by<PlacedSegments>(segments);
    const bool tied = std::ranges::adjacent_find(clusters, {}, &ClusterEnds::from) != clusters.end();
    if (!tied) return without_dominated(clusters);
  }
  return without_dominated(clusters_by<OpenSegments>(segments));
}

}  // namespace gpuhmm::hmmer3
