// Splits a batch into slices and groups, and copies them to the device.
#include "filter/opencl/striped_batch.hpp"

#include <algorithm>

#include "filter/sequence_set.hpp"

namespace gpuhmm {

namespace {

constexpr cl_uint kNoSequence = 0xffffffff;

}  // namespace

StripedGroups make_striped_groups(const Queue& queue, std::vector<cl_uint> places, simd::Packing packing) {
  StripedGroups groups;
  if (places.empty()) return groups;
  const std::size_t size = striped_group_size(packing);
  const std::size_t count = (places.size() + size - 1) / size;
  std::vector<cl_uint> members(count * size, kNoSequence);
  std::ranges::copy(places, members.begin());
  groups.members = queue.upload(members);
  groups.count = static_cast<cl_uint>(count);
  groups.places = std::move(places);
  return groups;
}

StripedBatch::StripedBatch(const SequenceSet& sequences, const Queue& queue, std::size_t slice_bytes)
    : sorted_(sequences) {
  const std::span<const simd::SortedBatch::Piece> pieces = sorted_.pieces();
  std::size_t first = 0;
  std::size_t bytes = 0;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    std::size_t residues = 0;
    for (std::size_t i = pieces[p].first; i < pieces[p].last; ++i) residues += sequences.length(order()[i]);
    if (bytes + residues > slice_bytes) {
      add_slice(queue, pieces.subspan(first, p - first));
      first = residues > slice_bytes ? p + 1 : p;
      bytes = 0;
    }
    if (residues <= slice_bytes) bytes += residues;
  }
  add_slice(queue, pieces.subspan(first));
}

void StripedBatch::add_slice(const Queue& queue, std::span<const simd::SortedBatch::Piece> pieces) {
  if (pieces.empty()) return;
  StripedSlice slice;
  slice.first = pieces.front().first;
  slice.last = pieces.back().last;
  std::vector<cl_uint> starts, all, even, uneven;
  std::vector<cl_int> lengths;
  std::size_t residues = 0;
  for (const simd::SortedBatch::Piece& piece : pieces) {
    for (std::size_t i = piece.first; i < piece.last; ++i) {
      const std::size_t length = sequences().length(order()[i]);
      starts.push_back(static_cast<cl_uint>(residues));
      lengths.push_back(static_cast<cl_int>(length));
      residues += length;
      const auto place = static_cast<cl_uint>(i - slice.first);
      all.push_back(place);
      (piece.even ? even : uneven).push_back(place);
    }
  }
  slice.residues = queue.upload_in_place<std::uint8_t>(residues, [&](std::uint8_t* copy) {
    for (std::size_t i = slice.first; i < slice.last; ++i) {
      copy = std::ranges::copy(sequences().residues(order()[i]), copy).out;
    }
  });
  slice.starts = queue.upload(starts);
  slice.lengths = queue.upload(lengths);
  slice.even_chunks = make_striped_groups(queue, std::move(even), simd::Packing::Chunks);
  slice.uneven_whole = make_striped_groups(queue, std::move(uneven), simd::Packing::Whole);
  slice.all_whole = make_striped_groups(queue, std::move(all), simd::Packing::Whole);
  slices_.push_back(std::move(slice));
}

}  // namespace gpuhmm
