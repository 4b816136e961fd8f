// The OpenCL C sources, which are embedded in the executable.
#pragma once

#include <map>
#include <string>

namespace gpuhmm {

/// File name -> text.
using KernelSources = std::map<std::string, std::string>;

/// The files of cl/.
const KernelSources& kernel_sources();

}  // namespace gpuhmm
