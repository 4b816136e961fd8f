// The engine on OpenCL devices that share one vector.
#pragma once

#include <memory>
#include <vector>

#include "companion/segments/engine.hpp"
#include "companion/segments/segment_device.hpp"
#include "gpuhmm/device.hpp"

namespace gpuhmm {

/// On `devices`, each with an equal part of the vector, piece by piece if it does not fit; with `host_too`
/// the host has a part as well. `threads` of the host join what they found. Pieces are of at most
/// `most_elements` elements. Throws EngineFailure, as the engine's calls do.
std::unique_ptr<SegmentEngine> make_opencl_segment_engine(const std::vector<DeviceInfo>& devices,
                                                          bool host_too, unsigned threads,
                                                          const SegmentShape& shape = {},
                                                          std::size_t most_elements = SIZE_MAX);

}  // namespace gpuhmm
