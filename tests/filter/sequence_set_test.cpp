// Views of sequences and of parts of them.
#include "filter/sequence_set.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace gpuhmm {
namespace {

using Codes = std::vector<std::uint8_t>;

Codes codes(const SequenceSet& set, std::size_t i) {
  const auto residues = set.residues(i);
  return {residues.begin(), residues.end()};
}

TEST(SequenceSet, PartsAndTheirSubsets) {
  SequenceBatch batch;
  for (const Codes& residues : {Codes{1, 2, 3, 4, 5}, Codes{}, Codes{6, 7}}) {
    batch.begin_sequence("s", "", "");
    batch.append_residues(residues);
  }
  const SequenceSet parts = SequenceSet::of_parts(batch, {{0, 0, 3}, {0, 2, 3}, {1, 0, 0}, {2, 1, 1}});
  ASSERT_EQ(parts.size(), 4U);
  EXPECT_EQ(parts.residue_count(), 7U);
  EXPECT_EQ(codes(parts, 0), (Codes{1, 2, 3}));
  EXPECT_EQ(codes(parts, 1), (Codes{3, 4, 5}));
  EXPECT_EQ(parts.length(2), 0U);
  EXPECT_EQ(parts.batch_index(3), 2U);
  EXPECT_EQ(longest_first(parts), (std::vector<std::size_t>{0, 1, 3}));

  const std::vector<std::size_t> places = {3, 1};
  const SequenceSet some = parts.subset(places);
  ASSERT_EQ(some.size(), 2U);
  EXPECT_EQ(some.residue_count(), 4U);
  EXPECT_EQ(codes(some, 0), (Codes{7}));
  EXPECT_EQ(codes(some, 1), (Codes{3, 4, 5}));
  EXPECT_EQ(some.batch_index(1), 0U);

  const std::vector<std::size_t> last = {2};
  const SequenceSet whole = SequenceSet(batch).subset(last);
  EXPECT_EQ(codes(whole, 0), (Codes{6, 7}));
  EXPECT_EQ(whole.batch_index(0), 2U);
}

SequenceBatch batch_of_lengths(const std::vector<std::size_t>& lengths) {
  SequenceBatch batch;
  for (const std::size_t length : lengths) {
    batch.begin_sequence("s", "", "");
    batch.append_residues(Codes(length, 1));
  }
  return batch;
}

TEST(SequenceSet, IsEqualToOneOfTheSameSequencesOfTheSameBatch) {
  using Places = std::vector<std::size_t>;
  const SequenceBatch batch = batch_of_lengths({2, 3, 3}), other = batch_of_lengths({2, 3, 3});
  const auto known = std::make_shared<const LengthOrder>(SequenceSet(batch));
  const SequenceSet whole(batch);
  EXPECT_TRUE(whole == SequenceSet(batch));
  EXPECT_FALSE(whole == SequenceSet(other));
  EXPECT_TRUE(SequenceSet(batch, known) == SequenceSet(batch, known));
  EXPECT_FALSE(whole == SequenceSet(batch, known));
  const auto known_anew = std::make_shared<const LengthOrder>(SequenceSet(batch));
  EXPECT_FALSE(SequenceSet(batch, known) == SequenceSet(batch, known_anew));

  const SequenceSet some = whole.subset(Places{2, 0});
  EXPECT_TRUE(some == SequenceSet(some));
  EXPECT_TRUE(some == whole.subset(Places{2, 0}));
  EXPECT_FALSE(some == whole.subset(Places{0, 2}));
  EXPECT_FALSE(some == whole.subset(Places{2, 0, 1}));
  EXPECT_FALSE(some == SequenceSet(other).subset(Places{2, 0}));
  EXPECT_FALSE(some == whole);
  EXPECT_FALSE(whole == some);
}

TEST(SequenceSet, IsEqualToOneOfTheSameParts) {
  using Places = std::vector<std::size_t>;
  const SequenceBatch batch = batch_of_lengths({5, 4});
  const SequenceSet parts = SequenceSet::of_parts(batch, {{0, 0, 3}, {1, 1, 2}});
  EXPECT_TRUE(parts == SequenceSet::of_parts(batch, {{0, 0, 3}, {1, 1, 2}}));
  EXPECT_FALSE(parts == SequenceSet::of_parts(batch, {{1, 0, 3}, {1, 1, 2}}));
  EXPECT_FALSE(parts == SequenceSet::of_parts(batch, {{0, 1, 3}, {1, 1, 2}}));
  EXPECT_FALSE(parts == SequenceSet::of_parts(batch, {{0, 0, 3}, {1, 1, 3}}));
  EXPECT_FALSE(parts == SequenceSet::of_parts(batch, {{0, 0, 3}}));
  EXPECT_FALSE(parts == SequenceSet(batch));
  EXPECT_TRUE(parts.subset(Places{1}) == parts.subset(Places{1}));
  EXPECT_FALSE(parts.subset(Places{1}) == parts.subset(Places{0}));
  EXPECT_FALSE(parts.subset(Places{1}) == SequenceSet(batch).subset(Places{1}));
}

TEST(LengthOrder, TellsLengthsOrderAndRanks) {
  using Values = std::vector<std::uint32_t>;
  constexpr std::uint32_t kNone = LengthOrder::kNowhere;
  const SequenceBatch batch = batch_of_lengths({2, 0, 40'000, 3, 2, 70'000, 40'000, 0});
  const LengthOrder order{SequenceSet(batch)};
  EXPECT_EQ(order.lengths, (Values{2, 0, 40'000, 3, 2, 70'000, 40'000, 0}));
  EXPECT_EQ(order.longest_first, (Values{5, 2, 6, 3, 0, 4}));
  EXPECT_EQ(order.ranks, (Values{4, kNone, 1, 3, 5, 0, 2, kNone}));
  EXPECT_TRUE(LengthOrder(SequenceSet(SequenceBatch())).longest_first.empty());
}

TEST(LengthOrder, IsTakenFromWhoeverHasSorted) {
  const SequenceBatch batch = batch_of_lengths({2, 3, 3});
  const auto known = std::make_shared<const LengthOrder>(SequenceSet(batch));
  const SequenceSet set(batch, known);
  EXPECT_EQ(set.by_length(), known);
  EXPECT_EQ(SequenceSet(set).by_length(), known);
  using Places = std::vector<std::size_t>;
  EXPECT_EQ(longest_first(set), (Places{1, 2, 0}));
  EXPECT_EQ(longest_first(set.subset(Places{0, 2})), (Places{1, 0}));
  EXPECT_EQ(longest_first(SequenceSet(batch, nullptr)), (Places{1, 2, 0}));
}

}  // namespace
}  // namespace gpuhmm
