// Compares searches of batches on a CPU device (PoCL) with the definitions and the plain algorithms, sequence
// by sequence.
#include <gtest/gtest.h>

#include <limits>

#include "companion/segments/opencl_regions.hpp"
#include "companion/segments/random_vectors.hpp"

namespace gpuhmm {
namespace {

constexpr std::uint8_t kStop = 31;  // a code in ResidueScores::ends_part
constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

// A shape with work-groups and limits so small that short sequences reach all of them.
constexpr BatchShape kSmall{4, 10, 60, 300};

std::vector<DeviceInfo> devices(std::size_t count) {
  const std::vector<DeviceInfo> present = list_devices();
  if (present.empty()) throw std::runtime_error("no OpenCL device (PoCL is needed)");
  return std::vector<DeviceInfo>(count, present[0]);
}

using Codes = std::vector<std::uint8_t>;

SequenceBatch batch_of(const std::vector<Codes>& sequences) {
  SequenceBatch batch;
  for (const Codes& codes : sequences) {
    batch.begin_sequence("s", "", "");
    batch.append_residues(codes);
  }
  return batch;
}

// Random scores of several kinds: many ties, all of one sign, all 0, drifts, all magnitudes.
ResidueScores random_scores(std::mt19937& random, int kind) {
  ResidueScores scores;
  const auto between = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  for (std::size_t code = 0; code < kStop; ++code) {
    constexpr int kRanges[][2] = {{-1, 1},  {-9, 9},  {-5, 0}, {0, 5},
                                  {-12, 8}, {-8, 12}, {0, 0},  {-2'000'000'000, 2'000'000'000}};
    scores.scores[code] = between(kRanges[kind][0], kRanges[kind][1]);
  }
  scores.scores[kStop] = 7;  // must not be used
  scores.ends_part[kStop] = true;
  return scores;
}
constexpr int kScoreKinds = 8;

// A different score for every code, from 15 down to -15: zigzags of falling or rising amplitude make deep
// stacks.
ResidueScores ladder_scores() {
  ResidueScores scores;
  for (std::int32_t code = 0; code < kStop; ++code) scores.scores[static_cast<std::size_t>(code)] = 15 - code;
  scores.ends_part[kStop] = true;
  return scores;
}

// All maximal segments of each part, by the definition (short sequences) or the plain stack.
std::vector<Region> plain_regions(std::span<const std::uint8_t> residues, const ResidueScores& scores,
                                  const RegionFilter& filter) {
  std::vector<Region> regions;
  test::Ints part;
  for (std::size_t i = 0; i <= residues.size(); ++i) {
    if (i < residues.size() && !scores.ends_part[residues[i]]) {
      part.push_back(scores.scores[residues[i]]);
      continue;
    }
    const std::span<const std::int64_t> view(part);
    for (const Region& region :
         part.size() < 100 ? test::brute_maximal(view) : maximal_segments<std::int64_t>(view))
      regions.push_back({i - part.size() + region.begin, i - part.size() + region.end, region.score});
    part.clear();
  }
  filter_regions(regions, filter);
  return regions;
}

void expect_plain_regions(RegionDevices& finder, const SequenceBatch& batch, const ResidueScores& scores,
                          const RegionFilter& filter) {
  const auto found = finder.find(batch, scores, filter);
  ASSERT_EQ(found.size(), batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    ASSERT_EQ(found[i], plain_regions(batch.residues(i), scores, filter))
        << "sequence " << i << " of " << batch.length(i) << " residues; filter " << filter.min_score << ", "
        << filter.min_length << ", " << filter.most;
  }
}

constexpr RegionFilter kFilters[] = {{0, 1, kNoLimit}, {0, 1, 1}, {12, 1, kNoLimit}, {12, 1, 1},
                                     {5, 3, kNoLimit}, {0, 3, 1}, {0, 1, 2}};

// Lengths around the limits of a work-item, of a work-group, and of the device's memory.
std::vector<Codes> random_sequences(std::mt19937& random, std::size_t count) {
  constexpr std::size_t kSizes[] = {0, 1, 2, 9, 10, 11, 12, 59, 60, 61, 85};
  std::vector<Codes> sequences(count);
  for (Codes& codes : sequences) {
    codes.resize(random() % 2 == 0 ? kSizes[random() % std::size(kSizes)] : random() % 64);
    const bool stops = random() % 3 == 0;
    for (auto& code : codes) code = static_cast<std::uint8_t>(random() % (stops ? kStop + 1 : kStop));
  }
  return sequences;
}

TEST(RegionDevice, RandomBatches) {
  std::mt19937 random(61);
  RegionDevices finder(devices(1), false, 2, kSmall);
  for (int round = 0; round < 40 * kScoreKinds; ++round) {
    SCOPED_TRACE(round);
    const ResidueScores scores = random_scores(random, round % kScoreKinds);
    const SequenceBatch batch = batch_of(random_sequences(random, random() % 40));
    expect_plain_regions(finder, batch, scores, kFilters[random() % std::size(kFilters)]);
  }
}

// Sums fall and rise over the parts of several work-items.
TEST(RegionDevice, ZigZagsOfFallingAndGrowingAmplitude) {
  std::mt19937 random(62);
  RegionDevices finder(devices(1), false, 2, kSmall);
  std::vector<Codes> sequences;
  for (int round = 0; round < 300; ++round) {
    Codes codes(random() % 61);
    int amplitude = static_cast<int>(random() % 16);
    const int step = static_cast<int>(random() % 3) - 1;
    for (std::size_t i = 0; i < codes.size(); ++i) {
      codes[i] = static_cast<std::uint8_t>(i % 2 == 0 ? 15 - amplitude : 15 + amplitude);
      amplitude = std::clamp(amplitude + step * static_cast<int>(random() % 2), 0, 15);
    }
    sequences.push_back(codes);
  }
  for (const RegionFilter& filter : kFilters)
    expect_plain_regions(finder, batch_of(sequences), ladder_scores(), filter);
}

// Kernels use 32-bit sums if the highest score times the residues is at most 2^30 - 1.
TEST(RegionDevice, BothWidthsOfSums) {
  RegionDevices finder(devices(1), false, 1, BatchShape{16, 16, 1 << 11, 1 << 13});
  for (const std::int32_t highest : {(1 << 20) - 1, 1 << 20, std::numeric_limits<std::int32_t>::max()}) {
    for (const std::int32_t lowest : {-1, -(1 << 20), std::numeric_limits<std::int32_t>::min()}) {
      ResidueScores scores;
      scores.scores[0] = highest;
      scores.scores[1] = lowest;
      scores.ends_part[kStop] = true;
      std::vector<Codes> sequences = {Codes(1024, 0), Codes(1024, 1), Codes(1024, kStop), Codes(16, 0)};
      sequences.push_back(sequences[0]);
      for (std::size_t i = 5; i < 1024; i += 100) sequences.back()[i] = i % 200 == 5 ? 1 : kStop;
      // Segments lie at both ends; the sum of the residues between them exceeds 32 bits.
      for (const std::size_t gap : {1, 2, 3, 64, 500, 1000}) {
        for (const std::uint8_t code : {std::uint8_t{1}, kStop}) {
          sequences.push_back(sequences[0]);
          std::fill_n(sequences.back().begin() + 10, gap, code);
        }
      }
      for (const RegionFilter& filter : kFilters) {
        SCOPED_TRACE(testing::Message() << highest << " " << lowest);
        expect_plain_regions(finder, batch_of(sequences), scores, filter);
      }
      expect_plain_regions(finder, batch_of(sequences), scores,
                           {std::numeric_limits<std::int64_t>::max(), 1, 1});
      expect_plain_regions(finder, batch_of(sequences), scores, {0, kNoLimit, kNoLimit});
    }
  }
}

// One very long sequence among many short ones, with the shape for GPUs and the one for this device.
TEST(RegionDevice, TheShapesInUse) {
  std::mt19937 random(63);
  std::vector<Codes> sequences;
  for (const std::size_t size : {0, 1, 63, 64, 65, 511, 512, 513, 35'213, 65'535, 65'536, 65'537}) {
    sequences.emplace_back(size);
    for (int i = 0; i < 20; ++i) sequences.emplace_back(random() % 300);
  }
  for (Codes& codes : sequences) {
    for (auto& code : codes) code = static_cast<std::uint8_t>(random() % kStop);
  }
  const SequenceBatch batch = batch_of(sequences);
  for (const bool suiting : {false, true}) {
    RegionDevices finder(devices(1), false, 1, suiting ? std::nullopt : std::optional(BatchShape{}));
    for (const int kind : {1, 4, 5}) {
      const ResidueScores scores = random_scores(random, kind);
      for (const RegionFilter& filter : kFilters) {
        SCOPED_TRACE(testing::Message() << "scores of kind " << kind << (suiting ? ", suiting" : ""));
        expect_plain_regions(finder, batch, scores, filter);
      }
    }
  }
}

TEST(RegionDevice, SeveralDevicesAndTheHostShareABatch) {
  std::mt19937 random(64);
  RegionDevices two(devices(2), false, 1, kSmall);
  RegionDevices three(devices(2), true, 2, kSmall);
  for (int round = 0; round < 40; ++round) {
    const ResidueScores scores = random_scores(random, round % kScoreKinds);
    const SequenceBatch batch = batch_of(random_sequences(random, random() % 6 * (random() % 20)));
    const RegionFilter& filter = kFilters[random() % std::size(kFilters)];
    expect_plain_regions(two, batch, scores, filter);
    expect_plain_regions(three, batch, scores, filter);
  }
}

}  // namespace
}  // namespace gpuhmm
