// The one error of work on devices.
#pragma once

#include <stdexcept>
#include <string>

namespace gpuhmm {

/// An engine or its device failed: out of memory, a kernel that does not build, a device that is lost. Its
/// work must be done again elsewhere. what() is one line.
class EngineFailure : public std::runtime_error {
 public:
  /// `status`: of the OpenCL call that failed, a negative number; 0 if none did.
  explicit EngineFailure(const std::string& message, int status = 0)
      : std::runtime_error(message), status_(status) {}

  int status() const { return status_; }
  /// The device had no memory left: a smaller request may succeed.
  bool out_of_memory() const;

 private:
  int status_;
};

/// Name of an OpenCL status, as "CL_OUT_OF_RESOURCES"; "OpenCL status -9999" for unknown ones.
std::string status_name(int status);

}  // namespace gpuhmm
