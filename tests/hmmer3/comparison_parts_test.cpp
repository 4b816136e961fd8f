// How the sequences of a comparison are cut into parts.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hmmer3/comparison_part.hpp"
#include "hmmer3/random_profiles.hpp"

namespace gpuhmm::hmmer3 {
namespace {

// Candidates of these lengths, which must fall.
std::pair<SequenceBatch, std::vector<Candidate>> candidates_of(const std::vector<int>& lengths) {
  SequenceBatch batch;
  std::vector<Candidate> candidates;
  for (const int length : lengths) {
    candidates.emplace_back().sequence = static_cast<std::uint32_t>(batch.size());
    batch.begin_sequence("s" + std::to_string(batch.size()), "", "");
    batch.append_residues(std::vector<std::uint8_t>(static_cast<std::size_t>(length)));
  }
  return {std::move(batch), std::move(candidates)};
}

using Bounds = std::vector<std::size_t>;

Bounds bounds(const std::vector<int>& lengths, bool behind_devices) {
  const auto [batch, candidates] = candidates_of(lengths);
  return bounds_of_parts(candidates, batch, behind_devices);
}

TEST(ComparisonParts, NoCandidatesMakeNone) {
  EXPECT_EQ(bounds({}, false), Bounds{0});
  EXPECT_EQ(bounds({}, true), Bounds{0});
}

TEST(ComparisonParts, OfTheHostAloneHave32) {
  EXPECT_EQ(bounds(std::vector<int>(70, 9000), false), (Bounds{0, 32, 64, 70}));
  EXPECT_EQ(bounds(std::vector<int>(64, 1), false), (Bounds{0, 32, 64}));
}

TEST(ComparisonParts, BehindDevicesHaveFourLongOnesOrMoreShortOnes) {
  EXPECT_EQ(bounds(std::vector<int>(9, 9000), true), (Bounds{0, 4, 8, 9}));
  EXPECT_EQ(bounds({4000, 3000, 2000, 1000, 1000, 1000, 1}, true), (Bounds{0, 4, 7}));
  EXPECT_EQ(bounds({4092, 4000, 49, 49, 1, 1, 1}, true), (Bounds{0, 6, 7}));
  EXPECT_EQ(bounds(std::vector<int>(70, 10), true), (Bounds{0, 32, 64, 70}));
}

// All candidates are in parts, and no part could have had one more.
TEST(ComparisonParts, BehindDevicesAreAsLargeAsAllowed) {
  test::Generator random(3);
  for (int n = 0; n < 50; ++n) {
    std::vector<int> lengths;
    for (int length = 6000; length > 0; length -= test::between(random, 0, 40)) lengths.push_back(length);
    const Bounds parts = bounds(lengths, true);
    ASSERT_EQ(parts.front(), 0U);
    ASSERT_EQ(parts.back(), lengths.size());
    for (std::size_t p = 0; p + 1 < parts.size(); ++p) {
      const std::size_t count = parts[p + 1] - parts[p];
      ASSERT_TRUE(count >= 1 && count <= 32);
      int residues = 0;
      for (std::size_t c = parts[p]; c < parts[p + 1]; ++c) residues += lengths[c];
      EXPECT_TRUE(count <= 4 || residues <= 8192);
      if (parts[p + 1] == lengths.size()) continue;
      EXPECT_TRUE(count == 32 || (count >= 4 && residues + lengths[parts[p + 1]] > 8192));
    }
  }
}

}  // namespace
}  // namespace gpuhmm::hmmer3
