// Choice of the engine; see the header.
#include "cli/segments_engine.hpp"

#include "opencl/error.hpp"
#include "search/engines.hpp"
#include "segments/opencl_engine.hpp"

namespace gpuhmm::cli {

namespace {

bool is_host(const std::string& device) { return device == "auto" || device == "none"; }

}  // namespace

std::unique_ptr<SegmentEngine> make_engine(const std::string& device, unsigned threads) {
  if (is_host(device)) return make_host_segment_engine(threads);
  const NamedDevices choice = named_devices(device);
  try {
    return make_opencl_segment_engine(choice.devices, choice.host_too, threads);
  } catch (const OpenClError& error) {
    throw DeviceError(error.what());
  }
}

RegionFinder::RegionFinder(const std::string& device, unsigned threads)
    : threads_(threads), engine_(is_host(device) ? nullptr : make_engine(device, threads)) {}

std::vector<std::vector<Region>> RegionFinder::find(const SequenceBatch& batch, const ResidueScores& scores,
                                                    const RegionFilter& filter) const {
  if (engine_) return find_regions(batch, scores, filter, *engine_);
  return find_regions(batch, scores, filter, threads_);
}

}  // namespace gpuhmm::cli
