// Regions of sequences; see the header.
#include "segments/regions.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "util/parallel.hpp"

namespace gpuhmm {

namespace {

using ScoreTable = std::array<std::int64_t, 32>;

// The first place from `from` on where the best sum of a segment that ends there reaches `least`; `sum`
// becomes that sum.
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
  constexpr std::int64_t kEnd = -(std::int64_t{1} << 60);  // ends any block
  ScoreTable table;
  for (std::size_t code = 0; code < table.size(); ++code) {
    table[code] = scores.ends_part[code] ? kEnd : scores.scores[code];
  }
  // Where the best sum of a segment that ends here falls to 0, the prefix sums have a new minimum, which no
  // maximal segment crosses. Between two such places lies a block; few reach the least score.
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
      found[i] = all_regions(batch.residues(i), scores, filter.min_score);
      filter_regions(found[i], filter);
    }
  });
  return found;
}

namespace {

// All regions of each sequence, found in one vector of all sequences with a barrier after each.
template <class T>
std::vector<std::vector<Region>> regions_of(const SequenceBatch& batch, const ResidueScores& scores,
                                            std::int64_t barrier, SegmentEngine& engine) {
  std::vector<T> values;
  std::vector<std::uint64_t> starts;
  values.reserve(batch.residue_count() + batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    starts.push_back(values.size());
    for (const std::uint8_t code : batch.residues(i)) {
      values.push_back(scores.ends_part[code] ? static_cast<T>(barrier) : scores.scores[code]);
    }
    values.push_back(static_cast<T>(barrier));
  }
  std::vector<std::vector<Region>> found(batch.size());
  std::size_t sequence = 0;
  for (const Region& region : engine.all(std::span<const T>(values))) {
    while (sequence + 1 < starts.size() && starts[sequence + 1] <= region.begin) ++sequence;
    const std::uint64_t start = starts[sequence];
    found[sequence].push_back({region.begin - start, region.end - start, region.score});
  }
  return found;
}

}  // namespace

std::vector<std::vector<Region>> find_regions(const SequenceBatch& batch, const ResidueScores& scores,
                                              const RegionFilter& filter, SegmentEngine& engine) {
  // No rise within a sequence makes up for a barrier.
  std::int64_t highest = 1;
  for (const std::int32_t score : scores.scores) highest = std::max<std::int64_t>(highest, score);
  std::size_t longest = 1;
  for (std::size_t i = 0; i < batch.size(); ++i) longest = std::max(longest, batch.length(i));
  const std::int64_t barrier = -(highest * static_cast<std::int64_t>(longest) + 1);
  std::vector<std::vector<Region>> found = barrier >= std::numeric_limits<std::int32_t>::min()
                                               ? regions_of<std::int32_t>(batch, scores, barrier, engine)
                                               : regions_of<std::int64_t>(batch, scores, barrier, engine);
  for (std::vector<Region>& regions : found) filter_regions(regions, filter);
  return found;
}

}  // namespace gpuhmm
