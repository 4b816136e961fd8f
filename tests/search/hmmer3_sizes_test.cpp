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

using Sizes = std::vector<std::size_t>;

// The blocks of a pass over so many residues, in Mi. The reader knows which part it has read times `error`,
// or nothing.
Sizes blocks(BlockResidues& sizes, std::size_t teams, std::size_t residues,
             std::optional<double> error = 1.0) {
  Sizes all;
  sizes.begin_pass();
  for (std::size_t read = 0; read < residues;) {
    const std::size_t block = std::min(sizes.next(teams), residues - read);
    EXPECT_LE(block, sizes.most(teams));
    read += block;
    const bool last = read == residues;
    std::optional<double> part;
    if (error) part = last ? 1.0 : *error * static_cast<double>(read) / static_cast<double>(residues);
    sizes.count(block, part, last);
    all.push_back((block + kMi / 2) / kMi);
  }
  return all;
}

TEST(Hmmer3Sizes, BlocksOfOneTeamLeaveNoSmallRest) {
  const SearchOptions options;
  BlockResidues sizes(options);
  EXPECT_EQ(blocks(sizes, 1, 190 * kMi), (Sizes{16, 32, 72, 70}));
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

TEST(Hmmer3Sizes, AnEstimateMayBeWrong) {
  const SearchOptions options;
  BlockResidues fewer(options), more(options), none(options), all(options);
  EXPECT_EQ(blocks(fewer, 1, 190 * kMi, 1.04), (Sizes{16, 32, 69, 67, 6}));
  EXPECT_EQ(blocks(more, 1, 190 * kMi, 0.96), (Sizes{16, 32, 76, 66}));
  EXPECT_EQ(blocks(none, 1, 190 * kMi, 0.0), (Sizes{16, 32, 64, 64, 14}));
  EXPECT_EQ(blocks(all, 1, 80 * kMi, 9.0), (Sizes{16, 32, 16, 16}));
  // Behind the first pass it is known.
  for (BlockResidues* const sizes : {&fewer, &more, &none})
    EXPECT_EQ(blocks(*sizes, 1, 190 * kMi, 0.5), (Sizes{65, 64, 61}));
}

TEST(Hmmer3Sizes, OtherBlocksAreOfTheUsualSize) {
  SearchOptions options;
  BlockResidues unknown(options), two(options), eight(options), host(options);
  EXPECT_EQ(blocks(unknown, 1, 190 * kMi, std::nullopt), (Sizes{16, 32, 64, 64, 14}));
  EXPECT_EQ(blocks(two, 2, 100 * kMi), (Sizes{16, 32, 32, 20}));
  EXPECT_EQ(blocks(eight, 8, 40 * kMi), (Sizes{16, 16, 8}));
  EXPECT_EQ(blocks(host, 0, 20 * kMi), (Sizes{8, 8, 4}));
  // Then a device is open.
  EXPECT_EQ(host.next(1), 16 * kMi);
  options.batch_residues = 24 * kMi;
  BlockResidues told(options);
  EXPECT_EQ(blocks(told, 1, 80 * kMi), (Sizes{16, 24, 24, 16}));
}

TEST(Hmmer3Sizes, TellsTheLargestBlocks) {
  SearchOptions options;
  const BlockResidues sizes(options);
  EXPECT_EQ(sizes.most(0), 8 * kMi);
  EXPECT_EQ(sizes.most(1) / kMi, 81U);
  EXPECT_EQ(sizes.most(2), 32 * kMi);
  EXPECT_EQ(sizes.most(8), 16 * kMi);
  options.batch_residues = 24 * kMi;
  for (const std::size_t teams : {0, 1, 2}) EXPECT_EQ(sizes.most(teams), 24 * kMi);
}

TEST(Hmmer3Sizes, PartsOfProfilesAreOfAboutOneSize) {
  EXPECT_EQ(profiles_at_once(16), 256U);
  EXPECT_EQ(even_part(16, 1), 1U);
  EXPECT_EQ(even_part(16, 157), 157U);
  EXPECT_EQ(even_part(16, 320), 320U);
  EXPECT_EQ(even_part(16, 321), 161U);
  EXPECT_EQ(even_part(16, 1000), 250U);
  EXPECT_EQ(even_part(1, 1000), 143U);
}

}  // namespace
}  // namespace gpuhmm::hmmer3
