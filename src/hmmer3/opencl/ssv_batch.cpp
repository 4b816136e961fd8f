// Cuts long sequences into parts and uploads all.
#include "hmmer3/opencl/ssv_batch.hpp"

#include <algorithm>
#include <utility>

#include "hmmer3/arithmetic.hpp"
#include "opencl/queue.hpp"

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

SsvBatch::SsvBatch(const SequenceBatch& batch, const LengthClasses& length_classes, std::size_t overlap,
                   const SsvVariant& variant, unsigned threads, const OpenDevice& device,
                   SsvBatchMemory& memory)
    : sequences(
          SequenceSet::of_parts(batch, parts_of(batch, std::max(variant.part_length, 2 * overlap), overlap)),
          variant.layout, threads, device, memory.sequences),
      overlap_(overlap) {
  std::vector<std::uint32_t> sequence_of_place, class_of_place;
  for (const std::uint32_t part : sequences.layout.order) {
    const auto sequence = static_cast<std::uint32_t>(sequences.layout.sequences.batch_index(part));
    sequence_of_place.push_back(sequence);
    class_of_place.push_back(length_classes.class_of[sequence]);
  }
  const Queue queue(device, Timing::Off);
  order = sent(queue, memory.order, sequence_of_place);
  classes = sent(queue, memory.classes, class_of_place);
}

}  // namespace gpuhmm::hmmer3
