// Sequences that a device packs are those that the host packs.
#include "hmmer3/opencl/ssv_batch.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "gpuhmm/device.hpp"
#include "hmmer3/opencl/device_residues.hpp"
#include "hmmer3/opencl/resident_residues.hpp"
#include "hmmer3/random_profiles.hpp"

namespace gpuhmm::hmmer3 {
namespace {

using test::between;
using test::Generator;

// The words of a layout as a device packs them.
std::vector<cl_uint> packed_by_device(const OpenDevice& device, const GpuLayout& layout,
                                      const SequenceBatch& batch, DeviceResidues& residues, SsvPacker& packer,
                                      SsvPacker::Memory& memory) {
  const Queue queue(device);
  residues.load(queue, batch, 2);
  packer.pack(SsvPacker::Blocks(layout, batch), residues, memory);
  return queue.read<cl_uint>(memory.packed.buffer(), layout.words());
}

// All codes, degenerate ones among them; lengths that leave any number of bytes over; empty sequences; parts.
TEST(SsvPacker, PacksAsTheHostDoes) {
  Generator random(1);
  const std::vector<DeviceInfo> devices = list_devices();
  const OpenDevice device(devices.at(0));
  ResidentResidues resident(device, 1 << 24);
  DeviceResidues own, staying(&resident);
  SsvPacker packer(device);
  SsvPacker::Memory memory;
  std::size_t words = 0;
  for (int trial = 0; trial < 30; ++trial) {
    const auto source = std::make_shared<int>();
    const auto first_residue = static_cast<std::uint64_t>(between(random, 0, 1000));
    SequenceBatch batch;
    std::vector<SequencePart> parts;
    const int longest = trial % 5 == 4 ? 3000 : between(random, 1, 60);
    for (int i = between(random, 0, trial % 5 == 4 ? 20 : 700); i > 0; --i) {
      const int length = between(random, 0, 3) == 0 ? 0 : between(random, 0, longest);
      std::vector<std::uint8_t> sequence;
      for (int x = 0; x < length; ++x) sequence.push_back(static_cast<std::uint8_t>(between(random, 0, 30)));
      batch.begin_sequence("s", "", "");
      batch.append_residues(sequence);
      batch.add_origin({source, first_residue + batch.residue_count() - sequence.size(), 1 << 20});
      const auto first = static_cast<std::size_t>(between(random, 0, length));
      parts.push_back({batch.size() - 1, 0, static_cast<std::size_t>(length)});
      parts.push_back({batch.size() - 1, first, static_cast<std::size_t>(length) - first});
    }
    const GpuLayout layout(SequenceSet::of_parts(batch, parts), std::numeric_limits<std::size_t>::max(), 1,
                           1);
    std::vector<std::uint32_t> expected(layout.words());
    layout.pack_blocks(0, layout.blocks(), expected.data());
    for (DeviceResidues* const residues : {&own, &staying})
      ASSERT_EQ(packed_by_device(device, layout, batch, *residues, packer, memory), expected) << trial;
    if (!batch.all_residues().empty()) {
      EXPECT_EQ(staying.first(), first_residue);
    }
    words += expected.size();
  }
  EXPECT_GT(words, 100'000U);
}

}  // namespace
}  // namespace gpuhmm::hmmer3
