// Memory that a program keeps for itself until it ends.
#pragma once

#include <limits>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace gpuhmm {

/// Has the C library keep what is freed, for a process that ends with its command: a HMMER3 search with 16
/// threads and a GPU spends some 8 % of its time on giving memory back to the system and taking it again
/// (docs/history/kernels-gpu.md, HMMER3's domain stage).
inline void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kLargestKept = 1 << 30;  // bytes
  // Otherwise a thread's memory grows by some KiB at a time, for which all threads wait.
  constexpr int kGrowth = 64 << 20;
  mallopt(M_MMAP_THRESHOLD, kLargestKept);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  mallopt(M_TOP_PAD, kGrowth);
#endif
}

}  // namespace gpuhmm
