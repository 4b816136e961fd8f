// Splits batches among devices.
#include "companion/segments/opencl_regions.hpp"

#include <algorithm>

#include "util/parallel.hpp"

namespace gpuhmm {

namespace {

// Splits a batch into `parts` parts with about equal numbers of residues. Part i has sequences [starts[i],
// starts[i + 1]) of the result `starts`.
std::vector<std::size_t> equal_parts(const SequenceBatch& batch, std::size_t parts) {
  std::vector<std::size_t> starts = {0};
  std::size_t residues = 0;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    while (starts.size() < parts && residues >= batch.residue_count() * starts.size() / parts)
      starts.push_back(i);
    residues += batch.length(i);
  }
  starts.resize(parts + 1, batch.size());
  return starts;
}

}  // namespace

RegionDevices::RegionDevices(const std::vector<DeviceInfo>& devices, bool host_too, unsigned threads,
                             const std::optional<BatchShape>& shape)
    : host_too_(host_too), threads_(threads) {
  const unsigned share =
      std::max(1U, threads / static_cast<unsigned>(std::max<std::size_t>(devices.size(), 1)));
  for (const DeviceInfo& device : devices) {
    devices_.push_back(
        std::make_unique<RegionDevice>(device, shape.value_or(BatchShape::suiting(device)), share));
  }
}

std::vector<std::vector<Region>> RegionDevices::find(const SequenceBatch& batch, const ResidueScores& scores,
                                                     const RegionFilter& filter) {
  const std::size_t workers = devices_.size() + (host_too_ ? 1 : 0);
  const std::vector<std::size_t> starts = equal_parts(batch, workers);
  std::vector<std::vector<Region>> found(batch.size());
  parallel_for(static_cast<unsigned>(workers), workers, 1, [&](std::size_t worker, std::size_t) {
    if (worker == devices_.size()) {
      find_regions(batch, starts[worker], starts[worker + 1], scores, filter, threads_, found);
    } else {
      devices_[worker]->find(batch, starts[worker], starts[worker + 1], scores, filter, found);
    }
  });
  return found;
}

}  // namespace gpuhmm
