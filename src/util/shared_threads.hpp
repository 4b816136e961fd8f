// Threads that the loops of several callers share.
#pragma once

#include <cstddef>

#include "util/parallel.hpp"
#include "util/permit.hpp"

namespace gpuhmm {

/// Runs the loops of several callers at the same time, so that the threads that one leaves idle work for
/// another.
class SharedThreads {
 public:
  /// `most`: bodies that run at the same time in all loops together; `each`: in one loop.
  SharedThreads(unsigned most, unsigned each) : each_(each), free_(most) {}

  unsigned each() const { return each_; }

  /// As parallel_for with each() threads, which wait for their turn before each block. A body must not run
  /// another loop of these threads.
  template <class Body>
  void run(std::size_t count, std::size_t block, const Body& body) {
    parallel_for(each_, count, block, [&](std::size_t first, std::size_t last) {
      const Permit permit(free_);
      body(first, last);
    });
  }

 private:
  unsigned each_;
  Permits free_;
};

}  // namespace gpuhmm
