// Threads that wait for more work when they have done some.
#pragma once

#include <cstddef>

namespace gpuhmm {

/// Work of a kept thread. Must not throw.
class KeptThreadWork {
 public:
  virtual void run() = 0;

 protected:
  ~KeptThreadWork() = default;
};

/// Runs `work` once in a thread of the caller's priority and floating-point mode: one that waits, or a new
/// one. Does not wait for it; `work` must live until run() has ended. Throws std::system_error if there
/// cannot be another thread.
///
/// Beginning and ending a thread changes the memory map of the process, which all its threads wait for, and
/// loops are short: a search with devices runs thousands of them.
void run_in_kept_thread(KeptThreadWork& work);

/// How many threads wait for work.
std::size_t waiting_kept_threads();

}  // namespace gpuhmm
