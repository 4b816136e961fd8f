// The OpenCL C sources carried in the executable.
#pragma once

#include <map>
#include <string>

namespace gpuhmm {

/// File name in cl/ -> text.
const std::map<std::string, std::string>& kernel_sources();

}  // namespace gpuhmm
