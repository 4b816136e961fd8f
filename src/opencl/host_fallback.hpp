// What work becomes when a device fails: the host does it, and all that follows.
#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <utility>

#include "gpuhmm/device.hpp"
#include "opencl/wrong_result.hpp"

namespace gpuhmm {

/// Gives work to a device until that fails, then to the host. Not thread-safe.
class HostFallback {
 public:
  /// The failures that the host makes good; others reach the caller.
  enum class After { WrongResult, AnyFailure };
  using Warn = std::function<void(const std::string&)>;

  /// `warn`, unless empty, gets one line when the device is given up.
  HostFallback(After after, Warn warn) : after_(after), warn_(std::move(warn)) {}

  /// True once the device has failed.
  bool given_up() const { return given_up_; }

  /// What on_device() returns, or after a failure on_host(). Throws the EngineFailure of a failure that the
  /// host does not make good.
  template <class OnDevice, class OnHost>
  std::invoke_result_t<OnHost> run(const OnDevice& on_device, const OnHost& on_host) {
    if (!given_up_) {
      try {
        return on_device();
      } catch (const EngineFailure& error) {
        if (!makes_good(error)) throw;
        given_up_ = true;
        if (warn_) warn_(std::string(error.what()) + "; going on with the host");
      }
    }
    return on_host();
  }

 private:
  bool makes_good(const EngineFailure& error) const {
    return after_ == After::AnyFailure || dynamic_cast<const WrongDeviceResult*>(&error) != nullptr;
  }

  After after_;
  Warn warn_;
  bool given_up_ = false;
};

}  // namespace gpuhmm
