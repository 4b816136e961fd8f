// Copies what a device lacks of a batch.
#include "hmmer3/opencl/resident_residues.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include "hmmer3/opencl/device_residues.hpp"

namespace gpuhmm::hmmer3 {

namespace {

using Interval = boost::icl::interval_set<std::uint64_t>::interval_type;

}  // namespace

std::uint64_t ResidentResidues::room_of(const DeviceInfo& device) {
  const std::uint64_t part = device.type == DeviceType::Cpu ? 32 : 8;
  return std::min<std::uint64_t>(
      {device.memory / part, device.max_allocation, std::numeric_limits<cl_uint>::max()});
}

// With the lock. Null: there is no room for any of its residues.
ResidentResidues::Source* ResidentResidues::source_of(const ResidueOrigin& origin) {
  const auto known = std::ranges::find_if(
      sources_, [&](const Source& source) { return origin.is_from(source.source.lock()); });
  if (known != sources_.end()) return &*known;
  std::erase_if(sources_, [](const Source& source) { return source.source.expired(); });
  std::uint64_t left = room_;
  for (const Source& source : sources_) left -= source.room;
  const std::uint64_t room = std::min(left, origin.all);
  if (room == 0) return nullptr;
  return &sources_.emplace_back(Source{origin.source, room, device_.buffer<std::uint8_t>(room), {}});
}

std::optional<ResidentResidues::Place> ResidentResidues::load(const Queue& queue, const SequenceBatch& batch,
                                                              StagedPieces& staging, unsigned threads) {
  const ResidueOrigin* const origin = batch.origin();
  if (origin == nullptr) return std::nullopt;
  const std::span<const std::uint8_t> residues = batch.all_residues();
  const std::lock_guard lock(mutex_);
  Source* const source = source_of(*origin);
  const std::uint64_t first = origin->first, end = first + residues.size();
  if (source == nullptr || end > source->room) return std::nullopt;
  boost::icl::interval_set<std::uint64_t> missing(Interval::right_open(first, end));
  missing -= source->copied;
  for (const Interval& part : missing) {
    const std::uint64_t from = boost::icl::first(part), count = boost::icl::size(part);
    copy_residues(queue, residues.subspan(from - first, count), source->buffer, from, staging, threads);
    source->copied += part;
  }
  return Place{source->buffer, first};
}

}  // namespace gpuhmm::hmmer3
