// Regions of sequences; see the header.
#include "segments/regions.hpp"

#include <algorithm>

#include "util/parallel.hpp"

namespace gpuhmm {

std::vector<Region> all_regions(std::span<const std::uint8_t> residues, const ResidueScores& scores) {
  std::vector<Region> regions;
  for (std::size_t first = 0; first < residues.size();) {
    const auto part_end = std::find_if(residues.begin() + static_cast<std::ptrdiff_t>(first), residues.end(),
                                       [&](std::uint8_t code) { return scores.ends_part[code]; });
    const auto last = static_cast<std::size_t>(part_end - residues.begin());
    std::vector<std::int32_t> values(last - first);
    std::transform(residues.begin() + static_cast<std::ptrdiff_t>(first), part_end, values.begin(),
                   [&](std::uint8_t code) { return scores.scores[code]; });
    for (const Region& region : maximal_segments<std::int64_t>(std::span<const std::int32_t>(values))) {
      regions.push_back({first + region.begin, first + region.end, region.score});
    }
    first = last + 1;
  }
  return regions;
}

void filter_regions(std::vector<Region>& regions, const RegionFilter& filter) {
  std::erase_if(regions, [&](const Region& region) {
    return region.score < filter.min_score || region.length() < filter.min_length;
  });
  keep_highest(regions, filter.most);
}

std::vector<std::vector<Region>> find_regions(const SequenceBatch& batch, const ResidueScores& scores,
                                              const RegionFilter& filter, unsigned threads) {
  constexpr std::size_t kSequences = 64;  // of a thread at a time
  std::vector<std::vector<Region>> found(batch.size());
  parallel_for(threads, batch.size(), kSequences, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      found[i] = all_regions(batch.residues(i), scores);
      filter_regions(found[i], filter);
    }
  });
  return found;
}

std::vector<std::vector<Region>> find_regions(const SequenceBatch& batch, const ResidueScores& scores,
                                              const RegionFilter& filter, SegmentEngine& engine) {
  // One vector of all sequences, parted by elements that no rise can make up for.
  std::int64_t barrier = 1;
  for (const std::int32_t score : scores.scores) barrier = std::max<std::int64_t>(barrier, score);
  std::size_t longest = 1;
  for (std::size_t i = 0; i < batch.size(); ++i) longest = std::max(longest, batch.length(i));
  barrier = -(barrier * static_cast<std::int64_t>(longest) + 1);
  std::vector<std::int64_t> values;
  std::vector<std::uint64_t> starts;
  values.reserve(batch.residue_count() + batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    starts.push_back(values.size());
    for (const std::uint8_t code : batch.residues(i)) {
      values.push_back(scores.ends_part[code] ? barrier : scores.scores[code]);
    }
    values.push_back(barrier);
  }
  std::vector<std::vector<Region>> found(batch.size());
  std::size_t sequence = 0;
  for (const Region& region : engine.all(std::span<const std::int64_t>(values))) {
    while (sequence + 1 < starts.size() && starts[sequence + 1] <= region.begin) ++sequence;
    const std::uint64_t start = starts[sequence];
    found[sequence].push_back({region.begin - start, region.end - start, region.score});
  }
  for (std::vector<Region>& regions : found) filter_regions(regions, filter);
  return found;
}

}  // namespace gpuhmm
