// Sorts sequences and interleaves them in groups.
#include "filter/opencl/packing.hpp"

#include <algorithm>
#include <numeric>

#include "filter/opencl/device_model.hpp"
#include "util/parallel.hpp"

namespace gpuhmm {

namespace {

constexpr std::uint32_t kPaddingWord = kPaddingCode * 0x01010101U;

// Writes the `words` words of one sequence, `width` apart, from `first` on.
void write_words(std::span<const std::uint8_t> residues, std::uint32_t* first, unsigned width,
                 std::size_t words) {
  std::size_t at = 0;
  for (std::size_t w = 0; w < words; ++w) {
    std::uint32_t word = kPaddingWord;
    for (unsigned byte = 0; byte < 4 && at < residues.size(); ++byte, ++at) {
      word = (word & ~(0xFFU << 8 * byte)) | std::uint32_t{residues[at]} << 8 * byte;
    }
    first[w * width] = word;
  }
}

// Packs the groups of `order` into one slice.
PackedSlice pack_slice(const SequenceSet& batch, std::span<const std::size_t> order,
                       const PackedLayout& layout, unsigned threads) {
  const std::size_t width = layout.width;
  const std::size_t groups = (order.size() + width - 1) / width;
  PackedSlice slice;
  slice.lengths.assign(groups * width, 0);
  slice.sequences.assign(groups * width, PackedSlice::kNoSequence);
  std::size_t words = 0;
  for (std::size_t slot = 0; slot < order.size(); ++slot) {
    slice.lengths[slot] = static_cast<std::int32_t>(batch.length(order[slot]));
    slice.sequences[slot] = order[slot];
    if (slot % width != 0) continue;
    slice.starts.push_back(static_cast<std::uint32_t>(words));
    words += layout.sequence_words(batch.length(order[slot])) * width;
  }
  slice.words.resize(words);
  parallel_for(threads, groups, 64, [&](std::size_t first, std::size_t last) {
    for (std::size_t slot = first * width; slot < last * width; ++slot) {
      const std::size_t group = slot / width;
      const auto residues =
          slot < order.size() ? batch.residues(order[slot]) : std::span<const std::uint8_t>();
      write_words(residues, slice.words.data() + slice.starts[group] + slot % width, layout.width,
                  layout.sequence_words(static_cast<std::size_t>(slice.lengths[group * width])));
    }
  });
  return slice;
}

}  // namespace

std::vector<PackedSlice> pack_sequences(const SequenceSet& batch, std::span<const std::size_t> order,
                                        const PackedLayout& layout, std::size_t slice_bytes,
                                        unsigned threads) {
  std::vector<PackedSlice> slices;
  while (!order.empty()) {
    std::size_t count = 0;
    std::size_t bytes = 0;
    while (count < order.size()) {
      bytes += layout.group_bytes(batch.length(order[count]));
      if (bytes > slice_bytes && count > 0) break;
      count = std::min(count + layout.width, order.size());
    }
    slices.push_back(pack_slice(batch, order.first(count), layout, threads));
    order = order.subspan(count);
  }
  return slices;
}

}  // namespace gpuhmm
