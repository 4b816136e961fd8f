// The segment engine on OpenCL devices, which share each vector.
#pragma once

#include <memory>
#include <vector>

#include "companion/segments/engine.hpp"
#include "companion/segments/segment_device.hpp"
#include "gpuhmm/device.hpp"

namespace gpuhmm {

/// An engine on `devices`. Each device searches an equal part of the vector; with `host_too` the host takes
/// one such part as well. A part larger than the device's memory or than `most_elements` elements is searched
/// in pieces. `threads` host threads join the results. Throws EngineFailure, as do the engine's calls.
std::unique_ptr<SegmentEngine> make_opencl_segment_engine(const std::vector<DeviceInfo>& devices,
                                                          bool host_too, unsigned threads,
                                                          const SegmentShape& shape = {},
                                                          std::size_t most_elements = SIZE_MAX);

}  // namespace gpuhmm
