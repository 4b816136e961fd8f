// Sizes of the parts of profiles and of the blocks of residues of a search with HMMER3 profiles.
#include "search/hmmer3_sizes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace gpuhmm::hmmer3 {
namespace {

constexpr std::size_t kMi = std::size_t{1} << 20;

// The blocks of a pass over so many residues, in Mi; the reader knows, or does not know, what it has read.
std::vector<std::size_t> blocks(BlockResidues& sizes, std::size_t teams, std::size_t residues,
                                bool is_known = true) {
  std::vector<std::size_t> all;
  sizes.begin_pass();
  for (std::size_t read = 0; read < residues;) {
    const std::size_t block = std::min(sizes.next(teams), residues - read);
    read += block;
    const auto fraction = static_cast<double>(read) / static_cast<double>(residues);
    sizes.count(block, is_known ? std::optional(fraction) : std::nullopt);
    all.push_back((block + kMi / 2) / kMi);
  }
  return all;
}

using Sizes = std::vector<std::size_t>;

TEST(Hmmer3Sizes, BlocksOfOneTeamLeaveNoSmallRest) {
  const SearchOptions options;
  BlockResidues sizes(options);
  EXPECT_EQ(blocks(sizes, 1, 190 * kMi), (Sizes{16, 32, 72, 70}));
  EXPECT_EQ(sizes.most(), static_cast<std::size_t>(1.02 * 71 * kMi));
  // The next pass needs no small blocks.
  EXPECT_EQ(blocks(sizes, 1, 190 * kMi), (Sizes{65, 64, 61}));
}

TEST(Hmmer3Sizes, AFewResiduesMoreThanABlockAreOneBlock) {
  const SearchOptions options;
  for (const auto& [residues, last] :
       {std::pair{128 * kMi, Sizes{80}}, std::pair{129 * kMi, Sizes{41, 40}}}) {
    BlockResidues sizes(options);
    Sizes expected = {16, 32};
    expected.insert(expected.end(), last.begin(), last.end());
    EXPECT_EQ(blocks(sizes, 1, residues), expected);
  }
  BlockResidues few(options);
  EXPECT_EQ(blocks(few, 1, 10 * kMi), Sizes{10});
}

TEST(Hmmer3Sizes, OtherBlocksAreOfTheLargestSize) {
  SearchOptions options;
  BlockResidues unknown(options), two(options), eight(options), host(options);
  EXPECT_EQ(blocks(unknown, 1, 190 * kMi, false), (Sizes{16, 32, 64, 64, 14}));
  EXPECT_EQ(blocks(two, 2, 100 * kMi), (Sizes{16, 32, 32, 20}));
  EXPECT_EQ(blocks(eight, 8, 40 * kMi), (Sizes{16, 16, 8}));
  EXPECT_EQ(blocks(host, 0, 20 * kMi), (Sizes{8, 8, 4}));
  EXPECT_EQ(host.most(), 8 * kMi);
  options.batch_residues = 24 * kMi;
  BlockResidues told(options);
  EXPECT_EQ(blocks(told, 1, 80 * kMi), (Sizes{16, 24, 24, 16}));
}

TEST(Hmmer3Sizes, PartsOfProfilesAreOfAboutOneSize) {
  EXPECT_EQ(profiles_at_once(16), 256U);
  EXPECT_EQ(profiles_at_once(16, 1), 1U);
  EXPECT_EQ(profiles_at_once(16, 157), 157U);
  EXPECT_EQ(profiles_at_once(16, 320), 320U);
  EXPECT_EQ(profiles_at_once(16, 321), 161U);
  EXPECT_EQ(profiles_at_once(16, 1000), 250U);
  EXPECT_EQ(profiles_at_once(1, 1000), 143U);
}

}  // namespace
}  // namespace gpuhmm::hmmer3
