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
  if (regions.size() <= filter.most) return;
  std::stable_sort(regions.begin(), regions.end(),
                   [](const Region& a, const Region& b) { return a.score > b.score; });
  regions.resize(filter.most);
  std::sort(regions.begin(), regions.end(),
            [](const Region& a, const Region& b) { return a.begin < b.begin; });
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

}  // namespace gpuhmm
