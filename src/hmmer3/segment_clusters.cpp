// Single-linkage clustering of segments; end points by counting.
#include "hmmer3/segment_clusters.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>

namespace gpuhmm::hmmer3 {

namespace {

// What linking compares, and the segment's place.
struct Span {
  std::int64_t from, to;
  int model_from, model_to;
  std::size_t place;

  std::int64_t first_diagonal() const { return from - model_from; }
  std::int64_t last_diagonal() const { return to - model_to; }
};

// Whether the quotient, as a float, is 0.8 at least. Most are far from it.
bool overlaps_enough(std::int64_t overlap, std::int64_t shorter) {
  constexpr float kLeastOverlap = 0.8F;
  if (overlap * 4 < shorter * 3) return false;
  return !(static_cast<float>(overlap) / static_cast<float>(shorter) < kLeastOverlap);
}

bool linked(const Span& a, const Span& b) {
  constexpr std::int64_t kFarthestDiagonal = 4;
  if (!overlaps_enough(std::min(a.to, b.to) - std::max(a.from, b.from) + 1,
                       std::min(a.to - a.from, b.to - b.from) + 1)) {
    return false;
  }
  // Without the last node: as the reference counts.
  if (!overlaps_enough(std::min(a.model_to, b.model_to) - std::max(a.model_from, b.model_from),
                       std::min(a.model_to - a.model_from, b.model_to - b.model_from) + 1)) {
    return false;
  }
  return std::abs(a.first_diagonal() - b.first_diagonal()) <= kFarthestDiagonal ||
         std::abs(a.last_diagonal() - b.last_diagonal()) <= kFarthestDiagonal;
}

// The members of each cluster, in the order of the segments. The order of the clusters, and in which the
// segments still available are tried, is the reference's.
std::vector<std::vector<std::size_t>> single_linkage(std::span<const SampledSegment> segments) {
  std::vector<Span> available, stack;
  for (std::size_t i = segments.size(); i-- > 0;) {
    const SampledSegment& s = segments[i];
    available.push_back(
        {static_cast<std::int64_t>(s.from), static_cast<std::int64_t>(s.to), s.model_from, s.model_to, i});
  }
  std::vector<std::vector<std::size_t>> clusters;
  while (!available.empty()) {
    std::vector<std::size_t>& members = clusters.emplace_back();
    stack.push_back(available.back());
    available.pop_back();
    while (!stack.empty()) {
      const Span segment = stack.back();
      stack.pop_back();
      members.push_back(segment.place);
      for (std::size_t i = available.size(); i-- > 0;) {
        if (!linked(segment, available[i])) continue;
        stack.push_back(available[i]);
        available[i] = available.back();
        available.pop_back();
      }
    }
    std::sort(members.begin(), members.end());
  }
  return clusters;
}

// The first value, in the order of the map, that at least `least` members have; else the most frequent one,
// the smallest of equals.
template <class Counts, class Ordered>
std::int64_t end_point(const Counts& counts, const Ordered& ordered, int least) {
  for (const auto& [value, count] : ordered) {
    if (count >= least) return value;
  }
  std::pair<std::int64_t, int> best{0, 0};
  for (const auto& entry : counts) {
    if (entry.second > best.second) best = entry;
  }
  return best.first;
}

template <class Value>
std::int64_t end_of(std::span<const SampledSegment> segments, std::span<const std::size_t> members,
                    Value value, int least, bool largest) {
  std::map<std::int64_t, int> counts;
  for (const std::size_t member : members) ++counts[static_cast<std::int64_t>(segments[member].*value)];
  if (!largest) return end_point(counts, counts, least);
  const std::vector<std::pair<std::int64_t, int>> downward(counts.rbegin(), counts.rend());
  return end_point(counts, downward, least);
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

}  // namespace

std::vector<ClusterEnds> cluster_segments(std::span<const SampledSegment> segments) {
  std::vector<ClusterEnds> clusters;
  for (const std::vector<std::size_t>& members : single_linkage(segments)) {
    if (const std::optional<ClusterEnds> ends = ends_of(segments, members)) clusters.push_back(*ends);
  }
  std::stable_sort(clusters.begin(), clusters.end(),
                   [](const ClusterEnds& a, const ClusterEnds& b) { return a.from < b.from; });
  return without_dominated(clusters);
}

}  // namespace gpuhmm::hmmer3
