// Packed sequences have every residue where the kernel reads it, and slices keep to their size.
#include <gtest/gtest.h>

#include <algorithm>

#include "filter/opencl/device_model.hpp"
#include "filter/opencl/packing.hpp"
#include "filter/random_models.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;

SequenceBatch batch_of(std::uint64_t seed, std::size_t count, std::size_t longest) {
  Generator rng(seed);
  return random_batch(rng, random_model(rng, {.nodes = 10}), count, 0, longest);
}

// The code of a residue, or of the padding behind it, as the kernel reads it.
std::uint8_t code_at(const PackedSlice& slice, unsigned width, std::size_t slot, std::size_t position) {
  const std::size_t word = slice.starts[slot / width] + position / 4 * width + slot % width;
  return static_cast<std::uint8_t>(slice.words.at(word) >> position % 4 * 8);
}

TEST(LongestFirst, SortsStablyAndOmitsEmptySequences) {
  SequenceBatch batch;
  for (const std::size_t length : {3U, 0U, 7U, 3U, 1U, 7U}) {
    add_sequence(batch, std::vector<std::uint8_t>(length, 1));
  }
  EXPECT_EQ(longest_first(batch), (std::vector<std::size_t>{2, 5, 0, 3, 4}));
}

TEST(LongestFirst, AcceptsNoSequencesOnlyEmptyOnesAndHugeOnes) {
  SequenceBatch batch;
  EXPECT_TRUE(longest_first(batch).empty());
  for (int i = 0; i < 3; ++i) add_sequence(batch, {});
  EXPECT_TRUE(longest_first(batch).empty());
  for (const std::size_t length : {32768U, 40000U, 1U, 32769U, 40000U, 32767U, 32768U}) {
    add_sequence(batch, std::vector<std::uint8_t>(length, 1));
  }
  EXPECT_EQ(longest_first(batch), (std::vector<std::size_t>{4, 7, 6, 3, 9, 8, 5}));
}

TEST(PackSequences, PutsEveryResidueWhereTheKernelReadsIt) {
  const SequenceBatch batch = batch_of(1, 101, 70);
  const std::vector<std::size_t> order = longest_first(batch);
  for (const PackedLayout& layout : {PackedLayout{1, 4}, PackedLayout{8, 4}, PackedLayout{64, 16}}) {
    for (const std::size_t slice_bytes : {std::size_t{1}, std::size_t{3000}, std::size_t{1} << 30}) {
      std::vector<int> seen(batch.size(), 0);
      for (const PackedSlice& slice : pack_sequences(batch, order, layout, slice_bytes, 2)) {
        ASSERT_EQ(slice.lengths.size(), slice.groups() * layout.width);
        ASSERT_TRUE(slice.groups() == 1 || slice.words.size() * 4 <= slice_bytes);
        for (std::size_t slot = 0; slot < slice.lengths.size(); ++slot) {
          const std::size_t first = slot / layout.width * layout.width;
          const auto longest = static_cast<std::size_t>(slice.lengths[first]);
          const auto length = static_cast<std::size_t>(slice.lengths[slot]);
          ASSERT_LE(length, longest);
          const std::size_t i = slice.sequences[slot];
          if (i == PackedSlice::kNoSequence) {
            ASSERT_EQ(length, 0U);
          } else {
            ++seen[i];
            ASSERT_EQ(length, batch.length(i));
          }
          for (std::size_t p = 0; p < layout.sequence_words(longest) * 4; ++p) {
            ASSERT_EQ(code_at(slice, layout.width, slot, p),
                      p < length ? batch.residues(i)[p] : kPaddingCode);
          }
        }
      }
      for (std::size_t i = 0; i < batch.size(); ++i) ASSERT_EQ(seen[i], batch.length(i) > 0 ? 1 : 0);
    }
  }
}

TEST(PackSequences, DoesNotDependOnThreads) {
  const SequenceBatch batch = batch_of(2, 3000, 40);
  const std::vector<std::size_t> order = longest_first(batch);
  const auto one = pack_sequences(batch, order, {8, 4}, 1 << 20, 1);
  const auto many = pack_sequences(batch, order, {8, 4}, 1 << 20, 3);
  ASSERT_EQ(one.size(), many.size());
  for (std::size_t s = 0; s < one.size(); ++s) EXPECT_EQ(one[s].words, many[s].words);
}

TEST(PackSequences, GivesNoSlicesForNoSequences) {
  EXPECT_TRUE(pack_sequences(SequenceBatch(), {}, {16, 4}, 1000, 1).empty());
}

}  // namespace
}  // namespace gpuhmm
