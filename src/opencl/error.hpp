// What goes wrong in OpenCL, in words.
#pragma once

#include <stdexcept>
#include <string>

namespace gpuhmm {

/// An OpenCL call that failed, or a kernel that could not be built. `what` is one line, except for the build
/// log.
class OpenClError : public std::runtime_error {
 public:
  OpenClError(const std::string& message, int code) : std::runtime_error(message), code_(code) {}
  /// OpenCL status, a negative number.
  int code() const { return code_; }

 private:
  int code_;
};

/// Name of an OpenCL status, as "CL_OUT_OF_RESOURCES"; "OpenCL status -9999" for unknown ones.
std::string status_name(int code);

/// True for the statuses that a smaller request may avoid: no memory left on the device.
bool is_out_of_memory(int code);

}  // namespace gpuhmm
