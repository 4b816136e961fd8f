// A batch that several threads pack in pieces arrives on the device as one thread packs it at once.
#include "filter/opencl/gpu_batch.hpp"

#include <gtest/gtest.h>

#include <random>
#include <span>
#include <vector>

#include "filter/random_models.hpp"
#include "gpuhmm/device.hpp"
#include "opencl/queue.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;

// 6.7 million residues for about 13 pieces; the last block is not full.
SequenceBatch several_pieces() {
  Generator rng(17);
  const auto below = [&](std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(rng);
  };
  std::vector<std::uint8_t> residues(5'000);
  for (std::uint8_t& residue : residues) residue = static_cast<std::uint8_t>(below(20));
  SequenceBatch batch;
  for (int i = 0; i < 20'001; ++i) {
    const std::size_t length = below(i % 100 == 0 ? 4'000 : 650);
    add_sequence(batch, std::span(residues).subspan(below(1'000), length));
  }
  return batch;
}

TEST(GpuBatch, ArrivesCompletelyOnTheDevice) {
  const std::vector<DeviceInfo> devices = list_devices();
  ASSERT_FALSE(devices.empty()) << "no OpenCL device: PoCL is missing";
  const OpenDevice device(devices.front());
  const SequenceBatch sequences = several_pieces();
  const GpuVariant variant = choose_gpu_variant(devices.front());

  for (const unsigned threads : {1U, 2U, 5U}) {
    const GpuBatch batch(sequences, variant, threads, device);
    std::vector<std::uint32_t> expected(batch.layout.words());
    batch.layout.pack_blocks(0, batch.layout.blocks(), expected.data());
    ASSERT_GT(expected.size(), std::size_t{1} << 20);
    const auto arrived = Queue(device).read<std::uint32_t>(batch.residues, expected.size());
    EXPECT_TRUE(arrived == expected) << threads << " threads";
  }
}

TEST(GpuBatch, HasTheSameChainsPackedByAnyNumberOfThreads) {
  const std::vector<DeviceInfo> devices = list_devices();
  ASSERT_FALSE(devices.empty()) << "no OpenCL device: PoCL is missing";
  const OpenDevice device(devices.front());
  const SequenceBatch sequences = several_pieces();
  GpuVariant variant = choose_gpu_variant(devices.front());
  variant.long_sequence = 700;
  const auto chains = [&](unsigned threads) {
    const GpuBatch batch(sequences, variant, threads, device);
    EXPECT_GT(batch.layout.long_sequences.size(), 128U);
    const std::size_t tiles = batch.layout.chain_tiles.back();
    return std::pair(Queue(device).read<std::uint32_t>(batch.chain_words, tiles * kGpuLongRows / 4),
                     Queue(device).read<std::uint32_t>(batch.tile_sequences, tiles));
  };
  const auto by_one = chains(1);
  EXPECT_TRUE(chains(5) == by_one);
}

// The staging memory that is taken early serves the batch, and is given to the caller afterwards.
TEST(GpuBatch, TakesItsStagingMemoryEarly) {
  const std::vector<DeviceInfo> devices = list_devices();
  ASSERT_FALSE(devices.empty()) << "no OpenCL device: PoCL is missing";
  const OpenDevice device(devices.front());
  const SequenceBatch sequences = several_pieces();
  const GpuVariant variant = choose_gpu_variant(devices.front());
  GpuBatchMemory memory;
  EXPECT_EQ(memory.staging.take_memory().size(), 0U);
  memory.staging.begin(device, sequences.residue_count() / 4, 2);
  const GpuBatch batch(sequences, variant, 2, device, memory);
  std::vector<std::uint32_t> expected(batch.layout.words());
  batch.layout.pack_blocks(0, batch.layout.blocks(), expected.data());
  EXPECT_TRUE(Queue(device).read<std::uint32_t>(batch.residues, expected.size()) == expected);
  const PinnedArray<cl_uint> staging = memory.staging.take_memory();
  EXPECT_EQ(staging.size(), 4 * StagedPieces::kWords);  // two for each thread
  EXPECT_EQ(memory.staging.take_memory().size(), 0U);
}

}  // namespace
}  // namespace gpuhmm
