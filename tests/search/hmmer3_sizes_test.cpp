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

enum class Pass : bool { Last, Other };

// The blocks of a pass over so many residues, in Mi. The reader knows which part it has read times `error`,
// or nothing.
Sizes blocks(BlockResidues& sizes, std::size_t teams, std::size_t residues, std::optional<double> error = 1.0,
             Pass pass = Pass::Last) {
  Sizes all;
  sizes.begin_pass(pass == Pass::Last);
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
  for (const Pass pass : {Pass::Last, Pass::Other}) {
    BlockResidues sizes(options);
    EXPECT_EQ(blocks(sizes, 1, 310 * kMi, 1.0, pass), (Sizes{16, 32, 89, 88, 85}));
    // The next pass needs no small blocks.
    EXPECT_EQ(blocks(sizes, 1, 310 * kMi, 1.0, pass), (Sizes{105, 104, 100}));
  }
}

TEST(Hmmer3Sizes, AFewResiduesMoreThanABlockAreOneBlock) {
  const SearchOptions options;
  for (const auto& [residues, last] :
       {std::pair{168 * kMi, Sizes{120}}, std::pair{169 * kMi, Sizes{62, 59}}}) {
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
  BlockResidues fewer(options), more(options), twice(options), none(options), all(options);
  EXPECT_EQ(blocks(fewer, 1, 310 * kMi, 1.04), (Sizes{16, 32, 85, 84, 82, 10}));
  EXPECT_EQ(blocks(more, 1, 310 * kMi, 0.96), (Sizes{16, 32, 93, 93, 76}));
  EXPECT_EQ(blocks(twice, 1, 310 * kMi, 0.5), (Sizes{16, 32, 117, 116, 29}));
  EXPECT_EQ(blocks(none, 1, 310 * kMi, 0.0), (Sizes{16, 32, 64, 64, 64, 64, 6}));
  EXPECT_EQ(blocks(all, 1, 80 * kMi, 9.0), (Sizes{16, 32, 16, 16}));
  // Behind the first pass it is known.
  for (BlockResidues* const sizes : {&fewer, &more, &twice, &none})
    EXPECT_EQ(blocks(*sizes, 1, 310 * kMi, 0.5), (Sizes{105, 104, 100}));
}

// In front of the last pass teams get as many blocks each.
TEST(Hmmer3Sizes, BlocksOfSeveralTeamsAreOfOneSize) {
  const SearchOptions options;
  BlockResidues two(options), more(options), four(options), small(options);
  EXPECT_EQ(blocks(two, 2, 200 * kMi, 1.0, Pass::Other), (Sizes{16, 94, 90}));
  EXPECT_EQ(blocks(two, 2, 200 * kMi, 1.0, Pass::Other), (Sizes{102, 98}));
  EXPECT_EQ(blocks(more, 2, 500 * kMi, 1.0, Pass::Other), (Sizes{16, 82, 82, 82, 81, 80, 77}));
  EXPECT_EQ(blocks(four, 4, 200 * kMi, 1.0, Pass::Other), (Sizes{16, 47, 47, 46, 44}));
  EXPECT_EQ(blocks(small, 4, 40 * kMi, 1.0, Pass::Other), (Sizes{16, 16, 8}));
}

TEST(Hmmer3Sizes, BlocksOfTheLastPassGetSmaller) {
  const SearchOptions options;
  BlockResidues two(options), four(options), small(options);
  EXPECT_EQ(blocks(two, 2, 400 * kMi), (Sizes{16, 96, 96, 64, 43, 28, 19, 16, 22}));
  EXPECT_EQ(blocks(two, 2, 400 * kMi), (Sizes{96, 96, 69, 46, 31, 21, 16, 16, 9}));
  EXPECT_EQ(blocks(four, 4, 200 * kMi), (Sizes{16, 31, 26, 21, 18, 16, 16, 16, 16, 16, 9}));
  EXPECT_EQ(blocks(small, 2, 39 * kMi), (Sizes{16, 23}));
  BlockResidues wrong(options);
  EXPECT_EQ(blocks(wrong, 2, 80 * kMi, 1.5), (Sizes{16, 16, 26, 22}));
}

TEST(Hmmer3Sizes, WithoutAnEstimateOrIfToldBlocksAreOfOneSize) {
  SearchOptions options;
  BlockResidues one(options), two(options), eight(options), host(options);
  EXPECT_EQ(blocks(one, 1, 190 * kMi, std::nullopt), (Sizes{16, 32, 64, 64, 14}));
  EXPECT_EQ(blocks(two, 2, 100 * kMi, std::nullopt), (Sizes{16, 32, 32, 20}));
  EXPECT_EQ(blocks(eight, 8, 40 * kMi, std::nullopt), (Sizes{16, 16, 8}));
  EXPECT_EQ(blocks(host, 0, 20 * kMi), (Sizes{8, 8, 4}));
  // Then a device is open.
  EXPECT_EQ(host.next(1), 16 * kMi);
  options.batch_residues = 24 * kMi;
  BlockResidues told(options);
  EXPECT_EQ(blocks(told, 1, 80 * kMi), (Sizes{16, 24, 24, 16}));
  EXPECT_EQ(blocks(told, 2, 80 * kMi), (Sizes{24, 24, 24, 8}));
}

TEST(Hmmer3Sizes, TellsTheLargestBlocks) {
  SearchOptions options;
  const BlockResidues sizes(options);
  EXPECT_EQ(sizes.most(0), 8 * kMi);
  for (const std::size_t teams : {1, 2, 8}) EXPECT_EQ(sizes.most(teams) / kMi, 122U);
  options.batch_residues = 24 * kMi;
  for (const std::size_t teams : {0, 1, 2}) EXPECT_EQ(sizes.most(teams), 24 * kMi);
}

TEST(Hmmer3Sizes, BlocksOfAScanAreLargeWithDevices) {
  SearchOptions options;
  options.gpu_for_much_work = true;
  EXPECT_EQ(scan_residues(options, 0), 8 * kMi);
  EXPECT_EQ(scan_residues(options, 1), 64 * kMi);
  options.batch_residues = 1000;
  EXPECT_EQ(scan_residues(options, 0), 1000U);
  EXPECT_EQ(scan_residues(options, 1), 1000U);
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
