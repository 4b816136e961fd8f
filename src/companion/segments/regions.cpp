// Finds regions in one pass over the residues.
#include "companion/segments/regions.hpp"

#include <algorithm>
#include <array>

#include "util/parallel.hpp"

namespace gpuhmm {

namespace {

using ScoreTable = std::array<std::int64_t, 32>;

ScoreTable score_table(const ResidueScores& scores) {
  constexpr std::int64_t kEnd = -(std::int64_t{1} << 60);  // no segment contains such a score
  ScoreTable table;
  for (std::size_t code = 0; code < table.size(); ++code) {
    table[code] = scores.ends_part[code] ? kEnd : scores.scores[code];
  }
  return table;
}

// The first position from `from` on at which a segment that scores at least `least` ends, or the number of
// residues. `sum`: set to the largest score of a segment that ends there.
std::size_t first_reaching(std::span<const std::uint8_t> residues, std::size_t from, const ScoreTable& table,
                           std::int64_t least, std::int64_t& sum) {
  std::int64_t ending_here = 0;
  std::size_t i = from;
  for (; i < residues.size(); ++i) {
    ending_here += table[residues[i]];
    ending_here &= ~(ending_here >> 63);  // 0 if negative; a branch would often be mispredicted
    if (ending_here >= least) break;
  }
  sum = ending_here;
  return i;
}

}  // namespace

std::vector<Region> all_regions(std::span<const std::uint8_t> residues, const ResidueScores& scores,
                                std::int64_t least) {
  std::vector<Region> regions;
  std::vector<std::int32_t> block;
  least = std::max<std::int64_t>(least, 1);
  const ScoreTable table = score_table(scores);
  // Where the largest score of a segment that ends here falls to 0, the prefix sums have a new minimum, and
  // no maximal segment contains that position. Such positions divide the sequence into blocks, which are
  // searched one by one; few of them reach `least`.
  std::int64_t ending_here = 0;
  std::size_t i = 0;
  while ((i = first_reaching(residues, i, table, least, ending_here)) < residues.size()) {
    std::size_t begin = i;
    for (std::int64_t sum = ending_here - table[residues[begin]]; sum > 0; sum -= table[residues[begin]])
      --begin;
    while (ending_here > 0 && ++i < residues.size()) ending_here += table[residues[i]];
    block.clear();
    for (std::size_t k = begin; k < i; ++k) block.push_back(scores.scores[residues[k]]);
    for (const Region& region : maximal_segments<std::int64_t>(std::span<const std::int32_t>(block))) {
      regions.push_back({begin + region.begin, begin + region.end, region.score});
    }
  }
  return regions;
}

Region best_region(std::span<const std::uint8_t> residues, const ResidueScores& scores) {
  const ScoreTable table = score_table(scores);
  Region best;
  std::int64_t ending_here = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < residues.size(); ++i) {
    ending_here += table[residues[i]];
    begin = ending_here > 0 ? begin : i + 1;  // selections: branches would often be mispredicted
    ending_here = ending_here > 0 ? ending_here : 0;
    if (ending_here > best.score) best = {begin, i + 1, ending_here};
  }
  return best;
}

void filter_regions(std::vector<Region>& regions, const RegionFilter& filter) {
  std::erase_if(regions, [&](const Region& region) {
    return region.score < filter.min_score || region.length() < filter.min_length;
  });
  keep_highest(regions, filter.most);
}

std::vector<Region> find_regions(std::span<const std::uint8_t> residues, const ResidueScores& scores,
                                 const RegionFilter& filter) {
  std::vector<Region> regions;
  if (filter.only_best()) {
    const Region best = best_region(residues, scores);
    if (best.length() > 0) regions.push_back(best);
  } else {
    regions = all_regions(residues, scores, filter.min_score);
  }
  filter_regions(regions, filter);
  return regions;
}

void find_regions(const SequenceBatch& batch, std::size_t first, std::size_t last,
                  const ResidueScores& scores, const RegionFilter& filter, unsigned threads,
                  std::vector<std::vector<Region>>& found) {
  constexpr std::size_t kSequences = 64;  // that a thread takes at a time
  parallel_for(threads, last - first, kSequences, [&](std::size_t block_first, std::size_t block_last) {
    for (std::size_t i = first + block_first; i < first + block_last; ++i) {
      found[i] = find_regions(batch.residues(i), scores, filter);
    }
  });
}

std::vector<std::vector<Region>> find_regions(const SequenceBatch& batch, const ResidueScores& scores,
                                              const RegionFilter& filter, unsigned threads) {
  std::vector<std::vector<Region>> found(batch.size());
  find_regions(batch, 0, batch.size(), scores, filter, threads, found);
  return found;
}

}  // namespace gpuhmm
