// Slices and groups of sequences on a CPU device; see the header.
#include "filter/opencl/striped_batch.hpp"

#include <algorithm>

namespace gpuhmm {

namespace {

constexpr cl_uint kNoSequence = 0xffffffff;

template <class T>
cl::Buffer to_device(const Session& session, const std::vector<T>& values) {
  cl::Buffer buffer(session.context(), CL_MEM_READ_ONLY, values.size() * sizeof(T));
  session.queue().enqueueWriteBuffer(buffer, CL_TRUE, 0, values.size() * sizeof(T), values.data());
  return buffer;
}

}  // namespace

StripedGroups make_striped_groups(const Session& session, std::vector<cl_uint> places,
                                  simd::Packing packing) {
  StripedGroups groups;
  if (places.empty()) return groups;
  const std::size_t size = striped_group_size(packing);
  const std::size_t count = (places.size() + size - 1) / size;
  std::vector<cl_uint> members(count * size, kNoSequence);
  std::ranges::copy(places, members.begin());
  groups.members = session.guarded([&] { return to_device(session, members); });
  groups.count = static_cast<cl_uint>(count);
  groups.places = std::move(places);
  return groups;
}

StripedBatch::StripedBatch(const SequenceSet& sequences, const Session& session, std::size_t slice_bytes)
    : sorted_(sequences) {
  const std::span<const simd::SortedBatch::Piece> pieces = sorted_.pieces();
  std::size_t first = 0;
  std::size_t bytes = 0;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    std::size_t residues = 0;
    for (std::size_t i = pieces[p].first; i < pieces[p].last; ++i) residues += sequences.length(order()[i]);
    if (bytes + residues > slice_bytes) {
      add_slice(session, pieces.subspan(first, p - first));
      first = residues > slice_bytes ? p + 1 : p;
      bytes = 0;
    }
    if (residues <= slice_bytes) bytes += residues;
  }
  add_slice(session, pieces.subspan(first));
}

void StripedBatch::add_slice(const Session& session, std::span<const simd::SortedBatch::Piece> pieces) {
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
  session.guarded([&] {
    slice.residues = cl::Buffer(session.context(), CL_MEM_READ_ONLY | CL_MEM_ALLOC_HOST_PTR, residues);
    auto* copy = static_cast<std::uint8_t*>(session.queue().enqueueMapBuffer(
        slice.residues, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, residues));
    for (std::size_t i = slice.first; i < slice.last; ++i) {
      copy = std::ranges::copy(sequences().residues(order()[i]), copy).out;
    }
    session.queue().enqueueUnmapMemObject(slice.residues, copy - residues);
    slice.starts = to_device(session, starts);
    slice.lengths = to_device(session, lengths);
  });
  slice.even_chunks = make_striped_groups(session, std::move(even), simd::Packing::Chunks);
  slice.uneven_whole = make_striped_groups(session, std::move(uneven), simd::Packing::Whole);
  slice.all_whole = make_striped_groups(session, std::move(all), simd::Packing::Whole);
  slices_.push_back(std::move(slice));
}

}  // namespace gpuhmm
