// Divides the work of the domain stage into launches, which streams share.
#include "hmmer3/opencl/domain_device.hpp"

#include <algorithm>

#include "hmmer3/opencl/pair_device.hpp"
#include "hmmer3/opencl/streams.hpp"

namespace gpuhmm::hmmer3 {

DomainRooms::DomainRooms(const DeviceInfo& device) {
  constexpr std::size_t kSequences = 8, kMostRows = std::size_t{4} << 20;
  const std::size_t sequences = std::clamp<std::size_t>(device.max_work_group / kStripes, 1, kSequences);
  // M and I of all rows of a stream's launch.
  constexpr std::size_t kCellBytes = 2 * kStripes * sizeof(float), kMostBytes = std::size_t{1} << 30;
  const auto bytes = static_cast<std::size_t>(
      std::min<std::uint64_t>({kMostBytes, device.max_allocation, device.memory / 16 / streams_of(device)}));
  // Some 20 ms for the longest ones of a launch on an H100.
  constexpr std::size_t kCost = 200'000;
  envelopes = {sequences, usable_local_bytes(device), kMostRows,
               kCost,     envelope_local_bytes,       bytes / kCellBytes};
}

DomainDevice::DomainDevice(const OpenDevice& device, const std::string& options, unsigned threads,
                           std::optional<DomainRooms> rooms)
    : device_(device), rooms_(rooms.value_or(DomainRooms(device.info()))), queue_(device, Timing::Off) {
  const unsigned streams = streams_of(device.info());
  for (unsigned s = 0; s < streams; ++s)
    envelopes_.push_back(std::make_unique<EnvelopeStream>(device, options, std::max(1U, threads / streams)));
}

void DomainDevice::score(std::span<const EnvelopeQuery> queries) {
  const EnvelopePairs pairs(queries);
  if (pairs.tasks.empty()) return;
  const cl::Buffer residues =
      queue_.upload(std::span(pairs.batch.residues(0).data(), pairs.batch.residue_count()));
  const std::vector<std::size_t> sizes = sweep_sizes(pairs.queries);
  share(device_, pair_launches(pairs.queries, sizes, pairs.batch, rooms_.envelopes),
        [&](std::size_t stream, const PairLaunch& launch) {
          busy_.add(envelopes_[stream]->run(launch, pairs, residues));
        });
}

}  // namespace gpuhmm::hmmer3
