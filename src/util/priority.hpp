// Priority of threads.
#pragma once

#include <sys/resource.h>

namespace gpuhmm {

/// Lets this thread, and those that it starts from now on, give way to the other threads of the process when
/// processors are short. Linux counts niceness by thread.
inline void give_way() {
  constexpr int kNiceness = 10;
  setpriority(PRIO_PROCESS, 0, kNiceness);
}

}  // namespace gpuhmm
