// Moves work to the host when a device fails: the failed work and all later work.
#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <utility>

#include "gpuhmm/device.hpp"
#include "opencl/wrong_result.hpp"

namespace gpuhmm {

/// Runs work on a device until the device fails, then on the host. Not thread-safe.
class HostFallback {
 public:
  /// The failures after which the host takes over; others reach the caller.
  enum class After { WrongResult, AnyFailure };
  using Warn = std::function<void(const std::string&)>;

  /// `warn`, unless empty, is called with one line when the host takes over.
  HostFallback(After after, Warn warn) : after_(after), warn_(std::move(warn)) {}

  /// True once the device has failed.
  bool given_up() const { return given_up_; }

  /// Returns on_device(), or after a failure on_host(). Throws EngineFailure if the host does not take over.
  template <class OnDevice, class OnHost>
  std::invoke_result_t<OnHost> run(const OnDevice& on_device, const OnHost& on_host) {
    if (!given_up_) {
      try {
        return on_device();
      } catch (const EngineFailure& error) {
        if (!host_takes_over(error)) throw;
        given_up_ = true;
        if (warn_) warn_(std::string(error.what()) + "; going on with the host");
      }
    }
    return on_host();
  }

 private:
  bool host_takes_over(const EngineFailure& error) const {
    return after_ == After::AnyFailure || dynamic_cast<const WrongDeviceResult*>(&error) != nullptr;
  }

  After after_;
  Warn warn_;
  bool given_up_ = false;
};

}  // namespace gpuhmm
