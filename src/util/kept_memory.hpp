// Memory that a program keeps for itself until it ends.
#pragma once

#include <limits>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace gpuhmm {

/// Has threads share the C library's arenas, if there are many processors. By default there are eight arenas
/// a processor, and a thread does not find what has been freed into another one than its own. So a HMMER3
/// search with 16 threads and a GPU takes a quarter less memory. To be called before there are other threads.
inline void share_freed_memory([[maybe_unused]] unsigned processors) {
#ifdef __GLIBC__
  constexpr unsigned kMany = 8;
  if (processors >= kMany) mallopt(M_ARENA_MAX, static_cast<int>(processors));
#endif
}

/// Whether keep_freed_memory() has been called.
inline bool& memory_is_kept() {
  static bool kept = false;
  return kept;
}

/// Has the process keep what is freed, if it ends with its command: a HMMER3 search with 16 threads and a GPU
/// spends some 8 % of its time on giving memory back to the system and taking it again
/// (docs/history/kernels-gpu.md, HMMER3's domain stage).
inline void keep_freed_memory() {
  memory_is_kept() = true;
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
