// An event on which poll(2) can wait.
#pragma once

#include "http/descriptor.hpp"

namespace gpuhmm::http {

/// Happens once. Any thread may call.
class Event {
 public:
  /// Throws HttpError if the system has no descriptors left.
  Event();
  /// Makes descriptor() readable for good.
  void happen() noexcept;
  int descriptor() const { return descriptor_.get(); }

 private:
  Descriptor descriptor_;
};

}  // namespace gpuhmm::http
