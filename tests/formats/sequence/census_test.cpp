// Shares of a file are consecutive, together the whole, and of about the same size.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "gpuhmm/record_range.hpp"
#include "gpuhmm/sequence_file.hpp"

namespace gpuhmm {
namespace {

RecordCensus census_with(const std::vector<std::uint64_t>& sizes) {
  RecordCensus census;
  for (const std::uint64_t size : sizes) census.add(size);
  return census;
}

// Random sizes: many of 0, few large ones.
std::vector<std::uint64_t> random_sizes(std::mt19937_64& random, std::size_t count) {
  std::vector<std::uint64_t> sizes(count);
  for (std::uint64_t& size : sizes)
    size = random() % 4 == 0 ? 0 : random() % (random() % 50 == 0 ? 10'000 : 300);
  return sizes;
}

// Checks that the shares tile the records and exceed their size by less than the records at one cut.
void expect_shares(const std::vector<std::uint64_t>& sizes, std::uint64_t count, std::size_t stride) {
  const RecordCensus census = census_with(sizes);
  ASSERT_EQ(census.records(), sizes.size());
  ASSERT_EQ(census.size(), std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}));
  const std::uint64_t largest = sizes.empty() ? 0 : *std::ranges::max_element(sizes);
  std::uint64_t at = 0;
  for (std::uint64_t number = 1; number <= count; ++number) {
    const RecordRange share = census.share(number, count);
    ASSERT_EQ(share.first, at) << number << " of " << count;
    if (number == count) {
      EXPECT_EQ(share.end, RecordRange{}.end);
      break;
    }
    ASSERT_LE(share.first, share.end);
    ASSERT_LE(share.end, sizes.size());
    std::uint64_t size = 0;
    for (at = share.first; at < share.end; ++at) size += sizes[at];
    EXPECT_LE(size, census.size() / count + 1 + largest * stride) << number << " of " << count;
  }
}

TEST(RecordCensus, SharesTileTheFile) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200; ++i) {
    const std::vector<std::uint64_t> sizes = random_sizes(random, random() % 300);
    for (const std::uint64_t count : {1, 2, 3, 7, 64, 1000}) expect_shares(sizes, count, 1);
  }
}

TEST(RecordCensus, ManyRecordsHaveFewerCuts) {
  std::mt19937_64 random(2);
  for (const std::size_t records : {65'535U, 65'536U, 65'537U, 131'072U, 131'073U, 600'001U}) {
    const std::size_t stride = std::bit_ceil((records + 65'535) / 65'536);
    for (const std::uint64_t count : {1, 3, 64}) expect_shares(random_sizes(random, records), count, stride);
  }
}

TEST(RecordCensus, OneLargeRecordIsAShareOfItsOwn) {
  const RecordCensus census = census_with({1, 1'000'000, 1});
  EXPECT_EQ(census.share(1, 3), (RecordRange{0, 2}));
  EXPECT_TRUE(census.share(2, 3).empty());
  EXPECT_EQ(census.share(3, 3).first, 2U);
}

TEST(RecordCensus, RecordsWithoutResiduesGoSomewhere) {
  for (const std::uint64_t count : {1, 2, 5}) expect_shares(std::vector<std::uint64_t>(4, 0), count, 1);
  expect_shares({}, 4, 1);
}

TEST(RecordCensus, HugeSizesDoNotOverflow) {
  expect_shares({std::uint64_t{1} << 62, 5, std::uint64_t{1} << 61, 7}, 1'000'000, 1);
}

TEST(RecordCensus, CountsTheRecordsOfAFile) {
  const std::string path = std::string(GPUHMM_TESTDATA) + "/seq/uniprot.fasta";
  const Alphabet& letters = Alphabet::get(AlphabetKind::Amino);
  const auto reader = open_sequences(path, letters);
  SequenceBatch all;
  while (reader->read(all)) {
  }
  const RecordCensus census = census_of(*open_sequences(path, letters));
  EXPECT_EQ(census.records(), all.size());
  EXPECT_EQ(census.size(), all.residue_count());
}

}  // namespace
}  // namespace gpuhmm
