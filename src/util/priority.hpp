// Priority of threads.
#pragma once

#include <sys/resource.h>

#include <future>

namespace gpuhmm {

/// How far threads give way to the other threads of the process when processors are short. Linux counts
/// niceness by thread: where both kinds want a processor, the second gets about a quarter of what the first
/// gets.
enum class Niceness : int {
  FeedsDevices = 4,  ///< gives devices work that is less urgent than that of threads that do not give way
  Computes = 10,     ///< does what no device waits for
};

/// Lets this thread, and those that it starts from now on, give way. None can take that back.
inline void give_way(Niceness niceness) { setpriority(PRIO_PROCESS, 0, static_cast<int>(niceness)); }

/// Runs `work` in a thread that gives way, as do those that it starts; waits, and throws what it throws.
template <class Work>
void run_giving_way(Niceness niceness, const Work& work) {
  std::async(std::launch::async, [&] {
    give_way(niceness);
    work();
  }).get();
}

}  // namespace gpuhmm
