// Cuts long sequences into parts, sorts them, and has the device pack them.
#include "hmmer3/opencl/ssv_batch.hpp"

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

#include "filter/opencl/gpu_model.hpp"
#include "hmmer3/arithmetic.hpp"

namespace gpuhmm::hmmer3 {

namespace {

std::vector<SequencePart> parts_of(const SequenceBatch& batch, std::size_t part_length, std::size_t overlap) {
  std::vector<SequencePart> parts;
  parts.reserve(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const std::size_t length = batch.length(i);
    std::size_t first = 0;
    for (; first + part_length + overlap < length; first += part_length) {
      parts.push_back({i, first, part_length + overlap});
    }
    parts.push_back({i, first, length - first});
  }
  return parts;
}

}  // namespace

LengthClasses::LengthClasses(const SequenceBatch& batch) : class_of(batch.size()) {
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  const FlushToZero flush;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < batch.size(); ++i) longest = std::max(longest, batch.length(i));
  std::vector<std::uint32_t> class_of_length(longest + 1, kNone);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const std::size_t length = batch.length(i);
    if (length == 0) continue;
    std::uint32_t& known = class_of_length[length];
    if (known == kNone) {
      known = static_cast<std::uint32_t>(terms.size());
      terms.emplace_back(static_cast<std::int64_t>(length));
    }
    class_of[i] = known;
  }
}

SsvPacker::SsvPacker(const OpenDevice& device)
    : device_(device),
      kernels_(device, {"hmmer3_pack.cl"},
               "-DBLOCK=" + std::to_string(kGpuBlock) + " -DPAD_CODE=" + std::to_string(kGpuCodes - 1)),
      queue_(device, Timing::Off) {
  kernels_["pack"];
}

SsvPacker::Blocks::Blocks(const GpuLayout& layout, const SequenceBatch& batch)
    : starts(layout.block_starts), words(layout.block_words) {
  for (const std::uint32_t part : layout.order) {
    const std::uint8_t* const first = layout.sequences.residues(part).data();
    firsts.push_back(static_cast<cl_ulong>(first - batch.all_residues().data()));
    lengths.push_back(layout.length(part));
  }
}

void SsvPacker::pack(const Blocks& blocks, const DeviceResidues& residues, Memory& memory) {
  const cl::Buffer& packed = memory.packed.for_batch(device_, blocks.starts.back() * sizeof(cl_uint));
  const cl::Buffer& starts = sent(queue_, memory.block_starts, blocks.starts);
  const cl::Buffer& words = sent(queue_, memory.block_words, blocks.words);
  if (blocks.words.empty()) return;
  const cl::Buffer& firsts = sent(queue_, memory.firsts, blocks.firsts);
  const cl::Buffer& lengths = sent(queue_, memory.lengths, blocks.lengths);
  const std::unique_lock turn = device_.turn();
  queue_.wait_flushed(queue_.launch(kernels_["pack"], {{blocks.words.size() * kGpuBlock}, cl::NullRange},
                                    residues.buffer(), cl_ulong{residues.first()}, firsts, lengths,
                                    static_cast<cl_uint>(blocks.lengths.size()), starts, words, packed));
}

SsvBatch::SsvBatch(const SequenceBatch& batch, const LengthClasses& length_classes, std::size_t overlap,
                   const SsvVariant& variant)
    : overlap_(overlap) {
  const GpuLayout layout(
      SequenceSet::of_parts(batch, parts_of(batch, std::max(variant.part_length, 2 * overlap), overlap)),
      variant.layout.long_sequence, 1, 1);
  places_ = static_cast<cl_uint>(layout.order.size());
  to_send_.emplace(ToSend{{layout, batch}, {}, {}});
  for (const std::uint32_t part : layout.order) {
    const std::size_t sequence = layout.sequences.batch_index(part);
    to_send_->order.push_back(static_cast<std::uint32_t>(sequence));
    to_send_->classes.push_back(length_classes.class_of[sequence]);
  }
}

void SsvBatch::send(const DeviceResidues& residues_of_batch, SsvPacker& packer, SsvPacker::Memory& memory) {
  packer.pack(to_send_->blocks, residues_of_batch, memory);
  order = sent(packer.queue(), memory.order, to_send_->order);
  classes = sent(packer.queue(), memory.classes, to_send_->classes);
  residues = memory.packed.buffer();
  block_starts = memory.block_starts.buffer();
  block_words = memory.block_words.buffer();
  to_send_.reset();
}

}  // namespace gpuhmm::hmmer3
