// Divides the work of the domain stage into launches, which streams share.
#include "hmmer3/opencl/domain_device.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "hmmer3/opencl/pair_device.hpp"
#include "hmmer3/opencl/streams.hpp"

namespace gpuhmm::hmmer3 {

DomainRooms::DomainRooms(const DeviceInfo& device) : shapes(sweep_shapes(device)) {
  constexpr std::size_t kSequences = 8, kMostRows = std::size_t{4} << 20;
  const std::size_t sequences = std::clamp<std::size_t>(device.max_work_group / kStripes, 1, kSequences);
  // The cells of all rows of a stream's launch: M, I, D and nothing, or M and I.
  constexpr std::size_t kEnvelopeCell = 2 * kStripes * sizeof(float), kRegionCell = 2 * kEnvelopeCell;
  const std::size_t bytes = most_cell_bytes(device);
  // Some 40 ms of Forward or Backward for the longest ones of a launch on an H100. With half of that
  // processors had a sixth more to do.
  constexpr std::size_t kCost = 400'000;
  // Regions of few cells have many segments.
  constexpr std::size_t kMostRegionRows = std::size_t{1} << 20;
  const std::size_t local_bytes = usable_local_bytes(device);
  const std::size_t largest = most_steps(shapes);
  regions = {sequences,           local_bytes, kMostRegionRows, kCost, traceback_local_bytes,
             bytes / kRegionCell, largest};
  envelopes = {sequences, local_bytes, kMostRows, kCost, envelope_local_bytes, bytes / kEnvelopeCell,
               largest};
  regions.classes = envelopes.classes = domain_classes(shapes);
}

DomainDevice::DomainDevice(const OpenDevice& device, std::string options, unsigned threads,
                           const std::optional<DomainRooms>& rooms)
    : device_(device),
      options_(std::move(options)),
      threads_(threads),
      rooms_(rooms.value_or(DomainRooms(device.info()))),
      queue_(device, Timing::Off) {}

template <class Stream>
void DomainDevice::begin_programs(std::span<const SearchProfile* const> profiles) const {
  Stream::kernels(device_, options_).begin();
  Stream::sweeps(device_, options_, rooms_.shapes).begin(profiles);
}

void DomainDevice::expect(std::span<const SearchProfile* const> profiles) {
  if (device_.double_precision()) begin_programs<TracebackStream>(profiles);
  begin_programs<EnvelopeStream>(profiles);
}

template <class Stream>
void DomainDevice::open(std::vector<std::unique_ptr<Stream>>& streams) {
  if (!streams.empty()) return;
  const std::unique_lock turn = device_.turn();
  const unsigned count = streams_of(device_.info());
  while (streams.size() < count)
    streams.push_back(
        std::make_unique<Stream>(device_, options_, rooms_.shapes, std::max(1U, threads_ / count)));
}

template <class Task, class Run>
void DomainDevice::run(const PartPairs<Task>& pairs, const PairRoom& room, GrowingBuffer& residues,
                       const Run& run) {
  if (pairs.tasks.empty()) return;
  sent(queue_, residues, pairs.batch.all_residues());
  share(device_, pair_launches(pairs.queries, sweep_sizes(pairs.queries), pairs.batch, room),
        [&](std::size_t stream, const PairLaunch& launch) {
          const CommandTime time = run(stream, launch);
          busy_.add({&time, 1});
        });
}

void DomainDevice::sample(std::span<const RegionQuery> queries, std::uint32_t seed) {
  if (!device_.double_precision()) return;
  open(tracebacks_);
  const PartPairs<RegionTask> pairs = region_pairs(queries);
  run(pairs, rooms_.regions, region_residues_, [&](std::size_t stream, const PairLaunch& launch) {
    return tracebacks_[stream]->run(launch, pairs, seed, region_residues_.buffer());
  });
}

void DomainDevice::score(std::span<const EnvelopeQuery> queries) {
  open(envelopes_);
  const EnvelopePairs pairs = envelope_pairs(queries);
  run(pairs, rooms_.envelopes, envelope_residues_, [&](std::size_t stream, const PairLaunch& launch) {
    return envelopes_[stream]->run(launch, pairs, envelope_residues_.buffer());
  });
}

}  // namespace gpuhmm::hmmer3
